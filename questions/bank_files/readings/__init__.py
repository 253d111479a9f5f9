"""What readers guess from the options alone or the prompt alone, and what a program guesses without knowledge."""
