"""Documents of word processors, read as the text they show."""
