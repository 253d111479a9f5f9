"""Sheets for readers, their answers on file, and the figures made of them."""
