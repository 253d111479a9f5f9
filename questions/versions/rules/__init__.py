"""The neutral form of a question, its three documents, and how two forms differ."""
