"""What a question shows and rests on beside its texts: pictures, and the pages it cites."""
