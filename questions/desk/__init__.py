"""The editors' desk: what may happen to a draft, by whom, up to publishing it."""
