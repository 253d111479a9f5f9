"""`manage.py make_demo_accounts`: the accounts that `make run` prints."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from courseiva.demo.accounts import DEMO_PASSWORD, make_demo_accounts


class Command(BaseCommand):
    """Refuses unless DEBUG is on, because everyone knows the password. Running it again changes nothing."""

    help = "Make the demo accounts (only with DEBUG on) and print them."

    def handle(self, *args: Any, **options: Any) -> None:
        """Create them and print how to sign in."""
        if not settings.DEBUG:
            raise CommandError("demo accounts are refused while DEBUG is off: everyone knows their password")
        accounts = make_demo_accounts()
        self.stdout.write(f"Demo accounts, each with the password {DEMO_PASSWORD}")
        for account in accounts:
            groups = ", ".join(account.groups) or ("everything" if account.is_superuser else "no group")
            self.stdout.write(f"  {account.email:<38} {groups}")
