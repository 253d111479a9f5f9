"""The site's settings for a server that tests start: all middleware, hashed static files, a quick password hasher."""

import os

from courseiva.settings import *  # noqa: F403

STATIC_ROOT = os.environ["TEST_STATIC_ROOT"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
