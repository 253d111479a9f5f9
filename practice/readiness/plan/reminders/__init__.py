"""Emails on a learner's chosen weekdays about the day's plan; none if nothing is planned."""
