"""The drill builder: how many questions each choice leaves, and saved presets."""
