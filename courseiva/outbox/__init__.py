"""Mail that is written into the database with the change it tells of, and delivered afterwards."""
