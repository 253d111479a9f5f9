"""The end of a session: submitted, timed out or discarded; and what it records on each answer."""
