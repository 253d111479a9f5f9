"""Offline drills: public questions with their solutions, kept on a device."""
