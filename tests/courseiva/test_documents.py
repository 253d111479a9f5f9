"""The documents say what the code does: every setting is in the table, every dependency has its reason."""

import re

import yaml

from courseiva.settings import CELERY_BEAT_SCHEDULE
from tests.support.subprocesses import BASE

READ = re.compile(r"""(?:read_flag|read_number)\(os\.environ,\s*"([A-Z_]+)"|environ(?:\.get\(|\[)["']([A-Z_]+)["']""")
READERS = [BASE / "gunicorn.conf.py", *sorted((BASE / "courseiva").rglob("*.py"))]
OPERATING = (BASE / "docs" / "operating.md").read_text()


def settings_in_code() -> set[str]:
    found = {first or second for path in READERS for first, second in READ.findall(path.read_text())}
    return found - {"DJANGO_SETTINGS_MODULE"}


def settings_in_table() -> list[str]:
    return re.findall(r"^\| `([A-Z_]+)` \|", OPERATING, re.MULTILINE)


def test_the_table_of_settings_is_the_code() -> None:
    assert len(settings_in_code()) > 10
    assert sorted(settings_in_table()) == sorted(settings_in_code())


def test_the_example_and_the_containers_set_only_what_exists() -> None:
    compose = yaml.safe_load((BASE / "docker-compose.yml").read_text())
    known = settings_in_code()
    assert set(compose["services"]["web"]["environment"]) <= known
    example = set(re.findall(r"^([A-Z_]+)=", (BASE / ".env.example").read_text(), re.MULTILINE))
    assert example <= known | {"POSTGRES_PASSWORD"}
    asked = set(re.findall(r"\$\{([A-Z_]+)", (BASE / "docker-compose.yml").read_text()))
    assert asked == example


def test_every_container_has_a_health_check_and_knows_the_required_settings() -> None:
    services = yaml.safe_load((BASE / "docker-compose.yml").read_text())["services"]
    assert set(services) == {"web", "worker", "beat", "postgres", "redis"}
    for name, service in services.items():
        assert "healthcheck" in service, name
        if name in {"web", "worker", "beat"}:
            environment = service["environment"]
            assert {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"} <= set(environment), name
            assert "DEBUG" not in environment, name
            assert set(service["depends_on"]) <= set(services)


def test_every_dependency_has_its_reason() -> None:
    text = (BASE / "docs" / "decisions" / "0001-dependencies.md").read_text()
    explained = {
        name.strip().lower().removesuffix(" 5.2")
        for names in re.findall(r"^\| ([^|]+) \| [^|]+ \|$", text, re.MULTILINE)
        for name in names.split(",")
    } - {"to run", "to test"}
    wanted = set()
    for name in ("requirements.in", "requirements-dev.in"):
        lines = (BASE / name).read_text().splitlines()
        wanted |= {re.split(r"[<>=]", line)[0].lower() for line in lines if line and line[0] not in "#-"}
    assert explained == wanted


def test_the_lock_files_have_hashes_and_name_no_index() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (BASE / name).read_text()
        packages = re.findall(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]+\])?==\S+ \\$", text, re.MULTILINE)
        assert len(packages) > 30
        assert not re.search(r"://|--(?:extra-)?index|--find-links|--trusted-host", text), name
        for block in re.split(r"\n(?=\S)", text):
            assert block.startswith("#") or "--hash=sha256:" in block, block


def test_the_tests_lock_holds_the_sites_lock() -> None:
    pins = [
        set(re.findall(r"^(\S+==\S+) \\$", (BASE / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    ]
    assert pins[0] < pins[1]


def test_the_readme_names_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z.]+):", (BASE / "Makefile").read_text(), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md", "docs/operating.md"):
        assert set(re.findall(r"make (run|test|check|soak|bench|worker|lock)\b", (BASE / name).read_text())) <= targets


def test_links_between_documents_lead_somewhere() -> None:
    documents = [*BASE.glob("*.md"), *(BASE / "docs").rglob("*.md")]
    broken = [
        f"{path.name}: {target}"
        for path in documents
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#]+)[^)]*\)", path.read_text())
        if not (path.parent / target).exists()
    ]
    assert broken == []


def test_the_table_of_what_runs_by_itself_is_the_schedule() -> None:
    told = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|", OPERATING, re.MULTILINE)
    assert sorted(told) == sorted(line["task"] for line in CELERY_BEAT_SCHEDULE.values())
