"""A question's material besides its texts: pictures, and cited pages."""
