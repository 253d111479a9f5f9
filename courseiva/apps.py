"""The project as an app of its own, for its commands and templates."""

from django.apps import AppConfig


class CourseivaConfig(AppConfig):
    """Holds commands and pages that belong to no single app."""

    name = "courseiva"

    def ready(self) -> None:
        """Connect the one receiver (a login adopts the guest's work), and enter the checks of a deployment."""
        from courseiva.serving import checks  # noqa: F401
