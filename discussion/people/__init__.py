"""Between moderators and people: notices, appeals, author pages, takedown requests."""
