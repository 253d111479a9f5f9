"""Who asks, and whose day it is."""
