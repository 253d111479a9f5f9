"""The checks of a whole bank and of its files, and the figures they are built on."""
