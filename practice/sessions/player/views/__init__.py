"""The running session's URLs, and whose session it is."""
