"""The site's settings, made quick and quiet for tests. DATABASE_URL and REDIS_URL work as they do for the site."""

import os
import tempfile
from urllib.parse import urlsplit

os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("CONTACT_EMAIL", "help@courseiva.example")
os.environ.setdefault("SECRET_KEY", "only-for-tests-" + "x" * 40)
# Before numpy is imported: its threads spin while they wait. With a second worker on the other core, a
# training of five CPU seconds took fifty.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from courseiva.settings import *  # noqa: F403
from courseiva.settings import CACHES, DATABASES, REDIS_URL

WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ALLOWED_HOSTS = ["*"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
MIDDLEWARE = [name for name in MIDDLEWARE if "whitenoise" not in name]  # noqa: F405
CELERY_TASK_ALWAYS_EAGER = True
DEMO = False
EVIDENCE = False  # the tests of what follows a miss need the variant; tests/practice/test_trial*.py turn the trial on
GUEST_POOL_PERCENT = 100  # most tests' banks have two or three reserved questions a domain
if REDIS_URL:
    # Not the site's own, and a separate one for each worker: clearing a cache empties its whole Redis database.
    address = urlsplit(REDIS_URL)
    CACHES["default"]["LOCATION"] = address._replace(path=f"/{int(address.path.strip('/') or 0) + 1 + WORKER}").geturl()
if "sqlite3" in DATABASES["default"]["ENGINE"]:
    # A file, because all threads would share the one connection of a database in memory, as on no real site.
    # Each process has its own, so that two runs at once don't collide; pytest-django deletes it at the end.
    DATABASES["default"]["TEST"] = {"NAME": f"{tempfile.gettempdir()}/courseiva-test-{os.getpid()}.sqlite3"}
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
