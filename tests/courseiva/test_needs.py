"""If the machine lacks what a test needs, the test fails in CI and is skipped with a remedy elsewhere."""

import subprocess
from pathlib import Path

import pytest

from tests.support import needs


def test_outside_ci_a_missing_program_skips_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Chromium: sudo"):
        needs.missing("Chromium", "sudo apt install chromium")


def test_in_ci_a_missing_program_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Chromium"):
        needs.missing("Chromium", "sudo apt install chromium")


def test_outside_ci_only_a_given_server_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", "DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    assert (needs.find_postgres(), needs.find_redis()) == ("", "")


def test_a_server_that_does_not_answer_is_missing(monkeypatch: pytest.MonkeyPatch, unused_port: int) -> None:
    monkeypatch.setenv("DATABASE_URL", f"postgresql://postgres@127.0.0.1:{unused_port}/postgres")
    monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{unused_port}/0")
    assert (needs.find_postgres(), needs.find_redis()) == ("", "")


def test_what_the_driver_switches_off_in_chromium_stays_off(tmp_path: Path) -> None:
    given = ["--headless", "--disable-features=Its,Own", "--user-data-dir=/a b", "about:blank"]
    shown = tmp_path / "shown"
    shown.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    shown.chmod(0o755)
    said = subprocess.run(
        [needs.LIGHTER_CHROMIUM, *given], env={"CHROMIUM": str(shown)}, capture_output=True, text=True, check=True
    ).stdout
    first, features, *rest = said.splitlines()
    assert [first, *rest] == [given[0], *given[2:]]
    assert features.startswith("--disable-features=Its,Own,WebUIOmniboxPopup")
