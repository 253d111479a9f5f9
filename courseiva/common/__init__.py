"""What every app uses; imports no app and knows none of their models."""
