"""What the journeys share: the live site on the test database."""

from tests.support.live import live_database, live_rows, live_site, static_root  # noqa: F401
