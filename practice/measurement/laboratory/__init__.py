"""The site's engine on anybody's files, for two commands; the site never imports it."""
