"""The learner behind a request, and their time zone."""
