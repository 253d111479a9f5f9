"""The glossary as a page: each product, whether it goes on, and what follows it."""
