"""Compares the CPU time of sign-up, sign-in and password reset for an address with an account and one without.

Run by hand on an idle machine: `python -m tests.bench.account_timing`. The two kinds take turns, so that a slow moment
affects both. It uses the site's own password hasher.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
ROUNDS = 60
PASSWORD = "three plain words"
FIELDS = {
    "/accounts/signup/": lambda email: {"email": email, "password1": PASSWORD},
    "/accounts/login/": lambda email: {"login": email, "password": "not those words"},
    "/accounts/password/reset/": lambda email: {"email": email},
}


def main() -> None:
    """Print for each form the median of both kinds in milliseconds, and the difference between them."""
    import django
    from django.conf import global_settings, settings
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    django.setup()
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    setup_test_environment()
    made = setup_databases(0, False)
    try:
        for path in FIELDS:
            measure(path)
    finally:
        teardown_databases(made, 0)


def measure(path: str) -> None:
    """Measure both kinds of address in turns; each request comes from another network, so that no limit is hit."""
    from allauth.account.models import EmailAddress
    from django.contrib.auth.hashers import make_password

    from courseiva.accounts.models import User

    stored = make_password(PASSWORD)
    took: dict[str, list[float]] = {"known": [], "unknown": []}
    for n in range(-2, ROUNDS):
        email = f"known{n}.{abs(hash(path))}@example.org"
        user = User.objects.create(email=email, password=stored)
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        order = ("known", "unknown") if n % 2 else ("unknown", "known")
        for kind in order:
            address = email if kind == "known" else f"un{email}"
            seconds = cpu_of(path, address, f"10.{n % 250}.{len(path)}.{kind == 'known':d}")
            if n >= 0:  # the first two warm up
                took[kind].append(1000 * seconds)
    known, unknown = (statistics.median(took[kind]) for kind in ("known", "unknown"))
    spread = ", ".join(f"{kind} {min(each):.1f} to {max(each):.1f}" for kind, each in took.items())
    sys.stdout.write(
        f"{path}: known {known:.1f} ms, unknown {unknown:.1f} ms, apart {known - unknown:+.1f} ms"
        f" (n={ROUNDS} each; {spread})\n"
    )


def cpu_of(path: str, email: str, network: str) -> float:
    """Return the CPU seconds this thread spends on one form from a new browser."""
    from django.test import Client

    client = Client(REMOTE_ADDR=network)
    fields = FIELDS[path](email)
    began = time.thread_time()
    status = client.post(path, fields).status_code
    seconds = time.thread_time() - began
    assert status in (200, 302), status
    return seconds


if __name__ == "__main__":
    main()
