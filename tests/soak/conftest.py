"""What the slow tests share."""

from tests.support.live import live_database, live_rows, live_site, static_root  # noqa: F401
