"""Mail on the weekdays a learner chose, about what their plan has for the day; none where that is nothing."""
