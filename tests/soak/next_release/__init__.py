"""What a next release might bring: an app whose migrations change the busiest tables there are."""
