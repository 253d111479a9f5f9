from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The user model, the demo accounts, and the emails shown on the page while DEBUG is on."""

    name = "courseiva.accounts"
    label = "accounts"
