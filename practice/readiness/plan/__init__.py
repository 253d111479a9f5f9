"""The plan for the real exam: what to do each day until then, and how it went."""
