"""Measures the load the site can carry, what it costs compared with other things, and how that grows: ``make
bench``.
"""
