"""The site's own settings with the next release's app."""

from courseiva.settings import *  # noqa: F403
from courseiva.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.soak.next_release"]
