"""How much of the reserved pool guests on one network are shown."""
