"""The way to the real exam: what each day until it holds, and how it went."""
