"""What readers find who see the options alone or one prompt alone, and what a machine guesses that knows nothing."""
