"""Staff: their groups, and the admin pages that decide who may do what."""
