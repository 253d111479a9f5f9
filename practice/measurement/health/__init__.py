"""Item health: whether a question behaves as its curve says, in every quarter, and how many have seen it."""
