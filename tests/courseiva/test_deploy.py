"""The files in deploy/ do what docs/operating.md promises."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from questions.versions.material.pictures.rules.encode import encode
from tests.support.needs import missing
from tests.support.pictures import image
from tests.support.scratch import rows, scratch_database
from tests.support.servers import find_program
from tests.support.subprocesses import BASE, bare_environment, run_python
from tests.support.supervisor import KNOWN, read_unit

UNITS = BASE / "deploy" / "systemd"
SERVICES = sorted(path.name for path in UNITS.glob("*.service"))
KEPT_RUNNING = [name for name in SERVICES if "backup" not in name]
OPERATING = (BASE / "docs" / "operating.md").read_text()


@pytest.mark.parametrize("name", KEPT_RUNNING)
def test_a_systemd_unit_stops_all_its_processes_and_always_restarts(name: str) -> None:
    unit = read_unit(name)
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"
    assert (unit["Service"]["Restart"], unit["Service"]["KillMode"]) in {
        ("always", "control-group"),
        ("always", "mixed"),
    }
    assert set(unit["Service"]) <= KNOWN
    assert unit["Service"]["NoNewPrivileges"] == "true"


def test_the_operating_guide_names_every_unit_and_how_to_reload() -> None:
    for name in [path.name for path in UNITS.iterdir()]:
        assert name.removesuffix(".service") in OPERATING or name == "courseiva-backup.service", name
    assert "reload courseiva-web" in OPERATING
    assert "kill -HUP" in OPERATING


def test_systemd_finds_nothing_wrong_with_the_units() -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not here")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, UNITS.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    elsewhere = re.compile(r"Command /srv/courseiva/\S+ is not executable|^$")
    assert [line for line in done.stderr.splitlines() if "courseiva" in line and not elsewhere.search(line)] == []


def test_nginx_accepts_every_line_of_the_example() -> None:
    text = (BASE / "deploy" / "nginx" / "courseiva.conf").read_text()
    assert not re.search(r"^\s*http2 on", text, re.MULTILINE), "nginx 1.22 and 1.24 end at it"


@pytest.mark.soak
def test_a_backup_counts_only_once_it_has_been_restored(postgres_url: str, tmp_path: Path) -> None:
    find_program("pg_dump", missing_ok=True) or missing("pg_dump", "sudo apt install postgresql-client")
    with scratch_database(postgres_url, tmp_path) as url:
        made = run_python("manage.py", "migrate", "-v0", DEBUG="1", DATABASE_URL=url)
        assert made.returncode == 0, made.stderr
        folder = tmp_path / "backups"
        for _ in range(2):
            done = backup(folder, url, "1")
            assert done.returncode == 0, done.stderr
            assert "counted:" in done.stdout
        assert len(list(folder.iterdir())) == 1, "as many as are to be kept"
        assert not rows(url, "SELECT 1 FROM pg_database WHERE datname LIKE 'courseiva_restore_check%'")
    with scratch_database(postgres_url, tmp_path) as empty:
        done = backup(folder, empty, "1")
        assert done.returncode != 0
        assert "not kept" in done.stderr
        assert len(list(folder.iterdir())) == 1, "the good one stays"


@pytest.mark.soak
def test_a_backup_has_the_pictures_its_database_names_and_none_that_were_damaged(
    postgres_url: str, tmp_path: Path
) -> None:
    find_program("pg_dump", missing_ok=True) or missing("pg_dump", "sudo apt install postgresql-client")
    folder, pictures = tmp_path / "backups", tmp_path / "pictures"
    with scratch_database(postgres_url, tmp_path) as url:
        site = {"DEBUG": "1", "DATABASE_URL": url, "PICTURES_DIR": str(pictures)}
        made = run_python("manage.py", "migrate", "-v0", **site)
        assert made.returncode == 0, made.stderr
        names = [encode(image(n)).name for n in (1, 2)]
        for n, name in enumerate(names, 1):
            (pictures / name[:2]).mkdir(parents=True, exist_ok=True)
            (pictures / name[:2] / name).write_bytes(encode(image(n)).content)
            rows(url, f"INSERT INTO questions_picture (name, size, added_at) VALUES ('{name}', 1, now())")
        done = backup(folder, url, "2", **site)
        assert done.returncode == 0, done.stderr
        assert {each.name for each in (folder / "pictures").iterdir()} == set(names)
        (pictures / names[0][:2] / names[0]).write_bytes(b"x")
        done = backup(folder, url, "2", **site)
        assert (done.returncode != 0, names[0] in done.stderr) == (True, True), "damaged here"
        assert encode((folder / "pictures" / names[0]).read_bytes()).name == names[0], "the good copy stays"
        (folder / "pictures" / names[0]).unlink()
        done = backup(folder, url, "2", **site)
        assert (done.returncode != 0, names[0] in done.stderr) == (True, True), "and missing there"
        assert len(list(folder.glob("*.dump"))) == 2, "a picture costs no dump"


def backup(folder: Path, url: str, keep: str, **site: str) -> subprocess.CompletedProcess[str]:
    """Run the command that the unit runs."""
    given = {**bare_environment(DATABASE_URL=url), "PATH": os.environ["PATH"], "PYTHON": sys.executable, **site}
    command = [str(BASE / "deploy" / "backup.sh"), str(folder), keep]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)


WATCHED = {"alerts": "deploy/prometheus/alerts.yml", "dashboard": "deploy/grafana/courseiva.json"}


@pytest.fixture
def metrics(client, settings) -> dict[str, set[str]]:
    """Return the names of the samples in /metrics, each with the names of its labels."""
    settings.METRICS_TOKEN = "t" * 20
    text = client.get("/metrics", headers={"authorization": f"Bearer {settings.METRICS_TOKEN}"}).text
    found: dict[str, set[str]] = {}
    for name, labels in re.findall(r"^(courseiva_\w+)(?:\{(.*)\})? ", text, re.MULTILINE):
        found.setdefault(name, set()).update(re.findall(r"(\w+)=", labels))
    return found


def expressions(name: str) -> list[str]:
    """Return every query in the file of alert rules."""
    text = (BASE / WATCHED[name]).read_text()
    if name == "alerts":
        rules = [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"]]
        assert all(rule["annotations"].keys() == {"summary", "remedy"} for rule in rules)
        assert {rule["labels"]["severity"] for rule in rules} == {"page", "ticket"}
        return [rule["expr"] for rule in rules]
    return [target["expr"] for panel in json.loads(text)["panels"] for target in panel["targets"]]


@pytest.mark.django_db
@pytest.mark.parametrize("name", WATCHED)
def test_alerts_watch_metrics_the_site_prints(name: str, metrics: dict[str, set[str]]) -> None:
    asked = expressions(name)
    for query in asked:
        for metric, labels in re.findall(r"(courseiva_\w+)(?:\{(.*?)\})?", query):
            assert metric in metrics, query
            assert set(re.findall(r"(\w+)=", labels)) <= metrics[metric], query
        assert set(re.findall(r"by \((.*?)\)", query)) <= {"le", "group", "status", "le, group"}, query
    if name == "dashboard":
        watched = set(re.findall(r"courseiva_\w+", " ".join(asked)))
        assert watched == set(metrics), "each figure has a panel"


def test_alert_rules_and_the_scrape_use_the_same_job_names() -> None:
    jobs = {
        job["job_name"]
        for job in yaml.safe_load((BASE / "deploy/prometheus/prometheus.yml").read_text())["scrape_configs"]
    }
    assert set(re.findall(r'job="([\w-]+)"', " ".join(expressions("alerts")))) == jobs
