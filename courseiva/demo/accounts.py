"""The demo accounts: one for each role on the site. Only for a machine that runs with DEBUG."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import Group
from django.db import transaction

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import EDITORS, MODERATORS, REVIEWERS
from practice.learners.reads.simulated import DOMAIN

DEMO_DOMAIN = DOMAIN
DEMO_PASSWORD = "try-courseiva-today"  # noqa: S105 - known to everybody, hence refused unless DEBUG is on


@dataclass(frozen=True)
class DemoAccount:
    """A demo user: the name before the @, the displayed name, the groups, and whether the admin is open to them."""

    name: str
    display_name: str
    groups: tuple[str, ...] = ()
    is_staff: bool = False
    is_superuser: bool = False

    @property
    def email(self) -> str:
        return f"{self.name}@{DEMO_DOMAIN}"


DEMO_ACCOUNTS = [
    DemoAccount("learner", "Lena Learner"),
    DemoAccount("editor", "Edgar Editor", (EDITORS,), is_staff=True),
    DemoAccount("reviewer", "Rita Reviewer", (EDITORS, REVIEWERS), is_staff=True),
    DemoAccount("moderator", "Mona Moderator", (MODERATORS,), is_staff=True),
    DemoAccount("admin", "Ada Admin", (), is_staff=True, is_superuser=True),
]


@transaction.atomic
def make_demo_accounts() -> list[DemoAccount]:
    """Create missing accounts, and reset each one's groups, password and verified address."""
    password = _stored_password()
    for account in DEMO_ACCOUNTS:
        user, _ = User.objects.update_or_create(
            email=account.email,
            defaults={
                "display_name": account.display_name,
                "is_staff": account.is_staff,
                "is_superuser": account.is_superuser,
                "is_active": True,
                "password": password,
            },
        )
        user.groups.set([Group.objects.get_or_create(name=name)[0] for name in account.groups])
        EmailAddress.objects.update_or_create(
            user=user, email=account.email, defaults={"verified": True, "primary": True}
        )
    return DEMO_ACCOUNTS


def _stored_password() -> str:
    """The stored password, the same for all, so that a start hashes it only once: that is slow by design."""
    kept = User.objects.filter(email=DEMO_ACCOUNTS[0].email).values_list("password", flat=True).first()
    return kept if kept and check_password(DEMO_PASSWORD, kept) else make_password(DEMO_PASSWORD)
