"""The end of a session: by hand, by the clock, or discarded; what it stamps on each answer."""
