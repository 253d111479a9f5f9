"""What gives the key away, or spoils the choice: the options' form, their flaws, and shared words with the stem."""
