"""What moderators see and decide; every action is logged and can be reversed."""
