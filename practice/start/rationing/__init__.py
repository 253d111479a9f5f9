"""How much of the reserved pool the guests of one network are shown."""
