"""How a text is written: insults, shouting, hidden characters."""
