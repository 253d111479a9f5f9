"""Time that running sessions lost to outages, given back."""
