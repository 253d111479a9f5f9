"""The site's own settings as an operator has them (DEBUG off), with the bench's addresses and a separate folder."""

import os

from courseiva.settings import *  # noqa: F403
from courseiva.settings import MIDDLEWARE

ROOT_URLCONF = "tests.bench.urls"
STATIC_ROOT = os.environ["BENCH_STATIC"]
MIDDLEWARE = ["tests.bench.counting.count_statements", *MIDDLEWARE]
