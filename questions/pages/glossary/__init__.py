"""The glossary page: each product, whether it is ending, and its successor."""
