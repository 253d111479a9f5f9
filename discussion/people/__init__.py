"""What passes between moderators and people: notices, appeals, an author's page, requests to take something down."""
