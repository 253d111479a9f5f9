"""What logs and error reports contain about requests and errors, and what they leave out."""
