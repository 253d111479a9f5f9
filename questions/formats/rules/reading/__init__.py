"""What parsers need: lines, HTML, XML, archives."""
