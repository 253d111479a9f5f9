"""What the glossary shows, and what machines are told of it."""
