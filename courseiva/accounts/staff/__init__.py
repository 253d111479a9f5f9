"""Staff: their groups, and the admin pages for permissions."""
