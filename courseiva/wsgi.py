import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")
django.setup(set_prefix=False)

from courseiva.serving.middleware.requests import Handler  # noqa: E402 - after the settings

application = Handler()
