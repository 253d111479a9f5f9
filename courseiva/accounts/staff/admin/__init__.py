"""Users in the admin, and the second step that its pages ask for."""
