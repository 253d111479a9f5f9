"""What moderators see and decide; every act is in a log and can be reversed."""
