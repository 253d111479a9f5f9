"""What watchers and balancers ask, and the answer while the database is away."""
