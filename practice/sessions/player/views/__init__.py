"""The running session's addresses, and whose session it is."""
