"""Starting an exam afresh: past work moves to a nameless learner, and can be brought back for a while."""
