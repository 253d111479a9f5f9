"""What a next release might bring: an app whose one migration changes the busiest table there is."""
