"""The project: settings, URLs, accounts and everything outside the three apps."""

from courseiva.celery import app as celery_app

__all__ = ["celery_app"]
