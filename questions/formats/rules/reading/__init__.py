"""What parsers read with: lines, HTML, XML, archives."""
