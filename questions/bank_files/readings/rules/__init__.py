"""Sheets for readers, their recorded answers, and the figures computed from them."""
