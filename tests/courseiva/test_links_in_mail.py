"""Links in mail are absolute, whether or not SITE_URL is set."""

from __future__ import annotations

from typing import Any

from django.test import RequestFactory

from courseiva.common.page_cache import site_address


def test_a_task_that_writes_mail_knows_the_sites_address(settings: Any) -> None:
    settings.SITE_URL, settings.OWN_ADDRESS = "https://learn.example.org", "https://learn.example.org"
    assert site_address() == "https://learn.example.org"
    settings.SITE_URL, settings.OWN_ADDRESS = "", "https://first.example.org"
    assert site_address() == "https://first.example.org"


def test_a_page_links_to_the_host_it_was_requested_from(settings: Any, rf: RequestFactory) -> None:
    settings.SITE_URL = ""
    assert site_address(rf.get("/", headers={"host": "second.example.org"})) == "http://second.example.org"
