"""A person with an account: an email address, a display name and permissions. What they learn belongs to practice."""

from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import DatabaseError, models
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    """Creates users by email address, and finds them in any letter case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user; without a password, nobody can sign in with one."""
        if not email:
            raise ValueError("a user needs an email address")
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, **{"is_staff": True, "is_superuser": True, **fields})

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user with this address, in any letter case."""
        return self.get(email=(username or "").lower())


class UserGone(Exception):
    """The account was deleted while its request was under way."""


class User(AbstractBaseUser, PermissionsMixin):
    """A person. The address is stored in lower case, so it is unique in any letter case."""

    # People sign in with their address, so there is no user name to forget, or to find people by.
    email = models.EmailField("email address", max_length=254, unique=True)
    display_name = models.CharField("public name", max_length=60, blank=True)
    is_staff = models.BooleanField("admin access", default=False)
    is_active = models.BooleanField("active", default=True)
    date_joined = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        # In the database too, since bulk updates and other tools bypass ``save``: two spellings would be two accounts.
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_is_lower_case"),
        ]

    def __str__(self) -> str:
        return self.email

    def clean(self) -> None:
        """Lower-case the address before the uniqueness check."""
        self.email = self.email.lower()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save with the address in lower case. Raises UserGone for a deleted account, which isn't created again."""
        self.email = self.email.lower()
        if not self._state.adding:
            # Django would otherwise insert a row again that was deleted while its request was under way.
            kwargs["force_update"] = True
        try:
            super().save(*args, **kwargs)
        except DatabaseError as error:
            if type(error) is DatabaseError:  # Django raises this if no row was updated
                raise UserGone from error
            raise

    def get_full_name(self) -> str:
        return self.public_name

    def get_short_name(self) -> str:
        return self.public_name

    @property
    def public_name(self) -> str:
        """The name other people may see: never the address."""
        return self.display_name or f"Learner {self.pk}"


class Guard(models.Model):
    """An attempt count or a used code; allauth's key is kept as a hash (``courseiva.accounts.guarding.guards``)."""

    # Hashed, because allauth's keys hold addresses of people who only tried to sign in.
    key = models.CharField(primary_key=True, max_length=64)
    # In the database, not in the cache: if Redis restarts, somebody who is guessing passwords mustn't get a fresh
    # start.
    value = models.JSONField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"guard until {self.expires_at:%Y-%m-%d %H:%M:%S}"
