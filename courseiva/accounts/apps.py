from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The user model, the demo accounts and the email that is shown while DEBUG is on."""

    name = "courseiva.accounts"
    label = "accounts"
