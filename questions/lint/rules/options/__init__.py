"""What gives the key away, or spoils the choice: the options' form, their flaws, and what they share with the stem."""
