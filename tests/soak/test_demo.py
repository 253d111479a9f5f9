"""`make demo` as somebody trying out the site runs it: it fills its own database with everything it should show."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from courseiva.demo.comments import COMMENTS
from courseiva.demo.fill import PEOPLE
from tests.support.scratch import rows
from tests.support.subprocesses import BASE, answers, bare_environment, free_port, wait_until

FILLED_SECONDS = 900
LEFT_OUT = (".git", ".venv", ".run", ".env", "staticfiles", "__pycache__", "*.sqlite3*", ".*_cache", "test-results")
# The demo gives the wrong key to the first reserved question with a single right answer.
LOOK = """
import json
from questions.models import QuestionVersion
from questions.versions.statistics.reads.figures import radar
wrong = QuestionVersion.objects.filter(live_of__pool="reserved", kind="single").order_by("question__key")[0]
found = [line.version.pk for line in radar().lines]
print(json.dumps({"wrong": wrong.pk, "found": found}))
"""

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the project without any database; the copy shares the installed packages."""
    copy = tmp_path_factory.mktemp("demo") / "project"
    shutil.copytree(BASE, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    (copy / ".venv").symlink_to(BASE / ".venv")
    return copy


@pytest.fixture(scope="module")
def site(house: Path) -> Iterator[str]:
    """Run `make demo` in that copy, and return the site's address."""
    port, printed = free_port(), house.parent / "printed"
    with printed.open("wb") as file:
        process = subprocess.Popen(
            ["make", "demo"], cwd=house, env=bare_environment(PORT=str(port)), stdout=file, stderr=file,
            start_new_session=True,
        )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    ready = wait_until(lambda: answers(f"{url}/readyz") or process.poll() is not None, FILLED_SECONDS)
    try:
        assert ready, printed.read_text()
        assert process.poll() is None, printed.read_text()
        yield url
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


def test_the_demo_writes_only_its_own_database(site: str, house: Path) -> None:
    made = {file.name for file in house.glob("*.sqlite3")}
    assert made == {"demo.sqlite3"}
    with urlopen(f"{site}/exams/", timeout=20) as response:
        assert 'class="demo-note"' in response.read().decode()


def test_the_demo_has_people_and_held_comments(site: str, house: Path) -> None:
    url = f"sqlite:///{house}/demo.sqlite3"
    assert rows(url, "SELECT count(DISTINCT learner_id) FROM practice_practicesession") == [(PEOPLE + 1,)]
    held, reported = "state = 'held'", "id IN (SELECT comment_id FROM discussion_commentreport)"
    assert rows(url, f"SELECT count(*) > 0 FROM discussion_comment WHERE {held}") == [(1,)]
    before_moderators = rows(url, f"SELECT count(*) FROM discussion_comment WHERE {held} OR {reported}")
    assert before_moderators >= [(len(COMMENTS),)]
    assert rows(url, "SELECT count(*) > 0 FROM discussion_commentreport WHERE reason = 'leak'") == [(1,)]
    assert rows(url, "SELECT count(*) > 0 FROM questions_contentreport") == [(1,)]


def test_the_radar_finds_the_question_whose_key_is_wrong(site: str, house: Path) -> None:
    ours = bare_environment(DEBUG="1", DEMO="1", DATABASE_URL="sqlite:///demo.sqlite3")
    command = [str(BASE / ".venv/bin/python"), "manage.py", "shell", "-v", "0", "-c", LOOK]
    done = subprocess.run(command, cwd=house, env=ours, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wrong"] in told["found"]
    assert told["wrong"] == told["found"][0], "it is the clearest case there is"
