"""What everybody uses; it imports no app and knows no row of theirs."""
