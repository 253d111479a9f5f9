"""The editors' desk: what can happen to a draft, and by whom, up to publishing."""
