"""The project: settings, addresses, accounts and what stands beside the three apps."""

from courseiva.celery import app as celery_app

__all__ = ["celery_app"]
