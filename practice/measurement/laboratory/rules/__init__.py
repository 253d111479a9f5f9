"""Reading response files and answer logs, completely or not at all, and evaluating the model on them."""
