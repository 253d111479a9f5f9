"""XML formats, and the packages they come in."""
