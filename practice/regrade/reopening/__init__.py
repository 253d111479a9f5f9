"""A session that a wrong clock closed: opened again by staff, its result undone."""
