"""Who practises in these tests."""

import pytest

from tests.support.sessions import guest, guest_client


@pytest.fixture
def alice():
    """A guest's browser; ``alice.owner`` is whom the write functions know."""
    owner, token = guest()
    client = guest_client(token)
    client.owner = owner
    return client
