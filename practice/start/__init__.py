"""What a session is made of, and starting it: mocks, drills and reviews."""
