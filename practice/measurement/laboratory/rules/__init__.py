"""Response files and answer logs, read whole or refused, and the model judged on them."""
