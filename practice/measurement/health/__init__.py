"""Item health: whether a question does what its curve says, the same in each quarter, and how many have met it."""
