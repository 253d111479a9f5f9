"""A running site with the next release's scripts, styles and worker."""

import os

from tests.support.live_settings import *  # noqa: F403
from tests.support.live_settings import TEMPLATES

STATICFILES_DIRS = [os.environ["TEST_NEXT_STATIC"]]
TEMPLATES[0]["DIRS"] = [os.environ["TEST_NEXT_TEMPLATES"], *TEMPLATES[0]["DIRS"]]
