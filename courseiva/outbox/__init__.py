"""Email that is written to the database together with the change it reports, and delivered afterwards."""
