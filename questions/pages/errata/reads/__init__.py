"""The history of a question, the errata of the site, and what machines are told of them."""
