"""What is told of requests and errors to whoever reads logs and error reports, and what is not."""
