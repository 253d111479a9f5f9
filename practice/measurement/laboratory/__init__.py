"""The site's engine applied to anybody's files, for two commands; the site itself never imports it."""
