"""The project as an app of its own, for its commands and templates."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class CourseivaConfig(AppConfig):
    """Holds commands and pages that belong to no single app."""

    name = "courseiva"

    def ready(self) -> None:
        """Connect the one receiver (a login adopts the guest's work), and enter the checks of a deployment."""
        autodiscover_modules("tasks")  # so that whoever sends a task finds it by its name
        from courseiva.accounts.changes import adopt, desk  # noqa: F401
        from courseiva.serving import checks  # noqa: F401
