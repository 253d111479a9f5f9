"""The containers have no more rights than they need, and Docker accepts the compose file."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.needs import missing
from tests.support.subprocesses import BASE, bare_environment

COMPOSE = yaml.safe_load((BASE / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
GIVEN = {"SECRET_KEY": "x" * 50, "SITE_URL": "https://learn.example.org", "POSTGRES_PASSWORD": "x"}


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_runs_as_root_writes_its_own_files_or_holds_a_capability(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    if "image" in service:
        assert service["user"] in {"postgres", "redis"}
        assert ":" in service["image"], "a version"
    else:
        assert service["build"] == "."
        assert service["tmpfs"] == ["/tmp"]


def test_the_image_runs_as_a_numeric_user_that_is_not_root() -> None:
    lines = (BASE / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert len(users) == 1
    assert int(users[0]) > 0
    assert not [line for line in lines[lines.index(f"USER {users[0]}") :] if line.startswith(("RUN", "COPY", "ADD"))]
    assert "--require-hashes" in "\n".join(lines)


def test_only_the_proxys_port_is_open_and_only_on_this_machine() -> None:
    ports = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert ports == {"web": ["127.0.0.1:8000:8000"]}


def test_services_that_serve_or_import_pictures_share_one_writable_volume() -> None:
    for name in ("web", "worker", "beat"):
        assert "pictures:/pictures" in SERVICES[name]["volumes"]
        assert SERVICES[name]["environment"]["PICTURES_DIR"] == "/pictures"
    assert "install -d -o 10001 /pictures" in (BASE / "Dockerfile").read_text()


def test_every_volume_used_is_declared_and_the_database_has_one() -> None:
    used = [volume for service in SERVICES.values() for volume in service.get("volumes", [])]
    assert {volume for volume in used if volume.startswith(".")} == {"./site:/site:ro"}, "read, and never written"
    assert {volume.partition(":")[0] for volume in used if not volume.startswith(".")} == set(COMPOSE["volumes"])
    assert SERVICES["postgres"]["volumes"] == ["database:/var/lib/postgresql/data"]


def test_redis_keeps_nothing_and_never_drops_the_queue() -> None:
    command = SERVICES["redis"]["command"]
    assert '--save "" --appendonly no' in command
    assert "--maxmemory-policy volatile-lru" in command


def test_a_missing_required_setting_is_named_at_the_start() -> None:
    text = (BASE / "docker-compose.yml").read_text()
    required = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    assert required == set(GIVEN)


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_fills_the_disk_with_its_log(name: str) -> None:
    assert SERVICES[name]["logging"]["options"] == {"max-size": "10m", "max-file": "5"}


def test_a_password_of_any_characters_reaches_the_database_unchanged() -> None:
    """libpq reads it from a separate variable; inside an address it would have to be escaped."""
    for name in ("web", "worker", "beat"):
        given = SERVICES[name]["environment"]
        assert "PASSWORD" not in given["DATABASE_URL"]
        assert given["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_only_the_web_server_limits_how_long_a_statement_may_run() -> None:
    assert [name for name in SERVICES if "STATEMENT_SECONDS" in SERVICES[name].get("environment", {})] == ["web"]


def test_nothing_secret_enters_the_image() -> None:
    ignored = (BASE / ".dockerignore").read_text().split()
    assert {".env", ".git", ".secret_key", ".venv"} <= set(ignored)


def compose() -> list[str]:
    """Return the command for Docker's plugin or the older stand-alone program, or an empty list if neither exists."""
    docker, older = shutil.which("docker"), shutil.which("docker-compose")
    if docker and not subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode:
        return [docker, "compose"]
    return [older] if older else []


def asked(command: list[str], file: Path, given: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Return what Docker makes of the file with these values, ignoring any .env beside it."""
    (nothing := file.with_name("nothing.env")).touch()
    bare = {name: value for name, value in bare_environment().items() if name not in GIVEN}
    return subprocess.run(
        [*command, "--env-file", str(nothing), "--file", str(file), "config", "--quiet"],
        cwd=file.parent, env=bare | given, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_docker_accepts_the_compose_file_only_with_a_secret_key(tmp_path: Path) -> None:
    command = compose() or missing("docker-compose", "sudo apt install docker-compose")
    text, file = (BASE / "docker-compose.yml").read_text(), tmp_path / "docker-compose.yml"
    file.write_text(text)
    done = asked(command, file, GIVEN)
    assert done.returncode == 0, done.stderr
    for name in GIVEN:
        rest = {other: value for other, value in GIVEN.items() if other != name}
        assert asked(command, file, rest).returncode != 0, name
    file.write_text(text.replace("read_only:", "read_onyl:", 1))
    assert asked(command, file, GIVEN).returncode != 0
