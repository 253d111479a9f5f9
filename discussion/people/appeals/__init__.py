"""An appeal against a decision: who may make one, and the second moderator's answer."""
