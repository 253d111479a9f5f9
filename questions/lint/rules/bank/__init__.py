"""The checks of a whole bank, and the figures they are built on."""
