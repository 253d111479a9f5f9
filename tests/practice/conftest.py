"""Fixtures for the people who practise in these tests."""

import pytest

from tests.support.sessions import guest, guest_client


@pytest.fixture
def alice():
    """Return a guest's browser; ``alice.owner`` is the owner to pass to the write functions."""
    owner, token = guest()
    client = guest_client(token)
    client.owner = owner
    return client
