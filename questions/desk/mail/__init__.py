"""Emails to people waiting for a draft: to the submitter when a review ends, to the reviewer on resubmission."""
