"""Starting one exam afresh: what was done moves to a nameless learner, and comes back while that can be undone."""
