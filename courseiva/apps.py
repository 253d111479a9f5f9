"""The project as a Django app, for its commands and templates."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CourseivaConfig(AppConfig):
    """Holds commands and pages that belong to no single app."""

    name = "courseiva"

    def ready(self) -> None:
        """Connect the only receiver (signing in adopts the guest's work), and register the deployment checks."""
        autodiscover_modules("tasks")  # so that senders find every task by name
        from courseiva.accounts.changes import adopt, desk  # noqa: F401
        from courseiva.serving import checks  # noqa: F401
