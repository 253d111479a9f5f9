from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Email waiting to be delivered, and addresses that a mail server has refused."""

    name = "courseiva.outbox"
    label = "outbox"
    verbose_name = "Mail"
