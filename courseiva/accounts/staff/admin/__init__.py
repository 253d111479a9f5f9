"""Users in the admin, and the re-authentication its pages ask for."""
