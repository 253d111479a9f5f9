"""Appeals against decisions: who can make one, and the second moderator's answer."""
