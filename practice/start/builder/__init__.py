"""The page a drill is built on: how many questions each choice leaves, and the choices a learner keeps by name."""
