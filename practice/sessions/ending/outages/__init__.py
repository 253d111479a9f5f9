"""Time that the site took from running sessions by being away, and that it gives back."""
