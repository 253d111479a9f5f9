#!/bin/sh
# Starts the Chromium that CHROMIUM names, without two pages of its own that it loads behind the address bar of every window,
# which take more processor time than most of ours. Of two lists of features the last counts, so what the driver switches off stays off.
for each in "$@"; do
    case $each in
        --disable-features=*) each=$each,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup ;;
    esac
    set -- "$@" "$each"
    shift
done
exec "$CHROMIUM" "$@"
