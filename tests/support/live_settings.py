"""The site's settings for a server that tests start: all middleware, hashed static files, a quick password hasher.

It logs only failures; a line for each request would bury them.
"""

import os

from courseiva.settings import *  # noqa: F403
from courseiva.settings import LOGGING

STATIC_ROOT = os.environ["TEST_STATIC_ROOT"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING["loggers"]["courseiva.requests"] = {"level": "WARNING"}
EXAM_CHOICE_SECONDS = 0  # the same server runs tests with one exam and tests with several
EVIDENCE = False  # as in tests/settings.py
MOCK_SCORES_SECONDS = 0
BANK_COUNT_SECONDS = 0  # the banks also grow from test to test
