"""The page of a running session, and the question behind a public page's form."""
