"""Mail to whoever waits for a draft: its review's end for who asked for one, its return for who sent it back."""
