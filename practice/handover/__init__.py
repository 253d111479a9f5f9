"""A learner's work changes hands: adopted from a guest, exported, or left without a name."""
