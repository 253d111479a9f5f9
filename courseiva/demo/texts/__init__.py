"""Every page of the site as plain text, for editing its English. Runs on its own throwaway database."""
