"""An author's inbox: what waits, what was decided, and what is read of it."""
