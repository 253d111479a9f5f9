"""An author's inbox: waiting comments, decisions, and which notices have been read."""
