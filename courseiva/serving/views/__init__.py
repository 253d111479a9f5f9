"""Health checks and metrics, and the responses while the database is down."""
