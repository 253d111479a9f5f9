"""The documents agree with the code: every setting is in the table, and every dependency has its reason."""

import json
import re

import pytest
import yaml

from courseiva.settings import CELERY_BEAT_SCHEDULE
from tests.support.subprocesses import BASE, run_python

READ = re.compile(
    r"""(?:read_flag|read_number)\((?:os\.)?environ,\s*"([A-Z_]+)"|environ(?:\.get\(|\[)["']([A-Z_]+)["']"""
)
READERS = [BASE / "gunicorn.conf.py", *sorted((BASE / "courseiva").rglob("*.py"))]
OPERATING = (BASE / "docs" / "operating.md").read_text()


DEFAULTS = """
import json, os, runpy
web = runpy.run_path("gunicorn.conf.py")
statements = os.environ.pop("STATEMENT_SECONDS")
from courseiva import settings
flags = ("DEMO", "PUBLISH_OWN_QUESTIONS", "CHECK_SOURCES", "HSTS_PRELOAD")
limits = ("GUEST_POOL_PERCENT", "GUEST_MOCKS_A_DAY", "ACCOUNT_MOCKS_A_DAY", "HOLD_FIRST_POSTS")
plain = (*limits, "HSTS_SECONDS", "PROXY_COUNT", "REDIS_URL", "CONTACT_EMAIL", "METRICS_TOKEN", "SITE_NAME")
plain = (*plain, "SCREENING_WEIGHTS", "NOTEBOOKS")
unset = ("SITE_MARK", "LEGAL_NOTICE", "MAINTENANCE")
bind, _, port = web["bind"].partition(":")
print(json.dumps({
    **{name: "on" if getattr(settings, name) else "off" for name in flags},
    **{name: str(getattr(settings, name)) or "none" for name in plain},
    **{name: "none" if getattr(settings, name) is None else "set" for name in unset},
    "EMAIL_FROM": settings.DEFAULT_FROM_EMAIL,
    "DATABASE_URL": "sqlite:///" + os.path.basename(settings.DATABASES["default"]["NAME"]),
    "BIND": bind, "PORT": port, "STATEMENT_SECONDS": statements,
    "WEB_PROCESSES": str(web["workers"]), "WEB_THREADS": str(web["threads"]),
}))
"""


def settings_in_code() -> set[str]:
    found = {first or second for path in READERS for first, second in READ.findall(path.read_text())}
    return found - {"DJANGO_SETTINGS_MODULE"}


def settings_in_table() -> list[str]:
    return re.findall(r"^\| `([A-Z_]+)` \|", OPERATING, re.MULTILINE)


def test_the_table_of_settings_matches_the_code() -> None:
    assert len(settings_in_code()) > 10
    assert sorted(settings_in_table()) == sorted(settings_in_code())


@pytest.mark.parametrize("debug", [False, True])
def test_the_defaults_in_the_table_match_the_code(debug: bool) -> None:
    table = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+?) \|", OPERATING, re.MULTILINE))
    given = {"SECRET_KEY": "x" * 32, **({"DEBUG": "1"} if debug else {"SITE_URL": "https://learn.example.org"})}
    done = run_python("-c", DEFAULTS, **given)
    assert done.returncode == 0, done.stderr
    values = json.loads(done.stdout)
    told = {name: table[name].split("; with DEBUG ")[-1 if debug else 0] for name in values}
    assert {name: text.strip("`").partition(" in gunicorn")[0] for name, text in told.items()} == values


def test_the_example_and_the_containers_set_only_existing_settings() -> None:
    compose = yaml.safe_load((BASE / "docker-compose.yml").read_text())
    known = settings_in_code()
    given = set(compose["services"]["web"]["environment"])
    assert given <= known | {"PGPASSWORD"}
    assert known - given == {"DEBUG", "BIND", "PORT", "PROMETHEUS_MULTIPROC_DIR"}, "what the image itself decides"
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
        for name in re.split(r",(?![^\[]*\])", names)
    } - {"to run", "to test"}
    wanted = set()
    for name in ("requirements.in", "requirements-dev.in"):
        lines = (BASE / name).read_text().splitlines()
        wanted |= {re.split(r"[<>=]", line)[0].lower() for line in lines if line and line[0] not in "#-"}
    wanted |= set(json.loads((BASE / "package.json").read_text())["devDependencies"])
    assert explained == wanted


def test_the_lock_files_have_hashes_and_name_no_index() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (BASE / name).read_text()
        packages = re.findall(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]+\])?==\S+ \\$", text, re.MULTILINE)
        assert len(packages) > 30
        assert not re.search(r"://|--(?:extra-)?index|--find-links|--trusted-host", text), name
        for block in re.split(r"\n(?=\S)", text):
            assert block.startswith("#") or "--hash=sha256:" in block, block


def test_the_javascript_linters_lock_file_is_exact_and_names_no_host() -> None:
    wanted = json.loads((BASE / "package.json").read_text())
    text = (BASE / "package-lock.json").read_text()
    assert wanted["private"] is True
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted["devDependencies"].values())
    assert "://" not in text, "npm writes addresses of funds: take them out by hand"
    packages = json.loads(text)["packages"]
    for name, version in wanted["devDependencies"].items():
        assert packages[f"node_modules/{name}"]["version"] == version
        assert packages[f"node_modules/{name}"]["integrity"].startswith("sha512-")


def test_the_development_lock_file_contains_the_sites_lock_file() -> None:
    pins = [
        set(re.findall(r"^(\S+==\S+) \\$", (BASE / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    ]
    assert pins[0] < pins[1]


def test_the_readme_names_commands_that_exist() -> None:
    targets = set(re.findall(r"^([a-z.]+):", (BASE / "Makefile").read_text(), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md", "docs/operating.md"):
        assert set(re.findall(r"make (run|test|check|soak|bench|worker|lock)\b", (BASE / name).read_text())) <= targets


def test_links_between_documents_resolve() -> None:
    documents = [*BASE.glob("*.md"), *(BASE / "docs").rglob("*.md")]
    broken = [
        f"{path.name}: {target}"
        for path in documents
        for target in re.findall(r"\]\((?!https?:|mailto:|picture:|#)([^)#]+)[^)]*\)", path.read_text())
        if not (path.parent / target).exists()
    ]
    assert broken == []


def test_the_table_of_scheduled_tasks_matches_the_schedule() -> None:
    told = re.findall(r"^\| `([a-z]+\.[a-z_]+)` \|", OPERATING, re.MULTILINE)
    assert sorted(told) == sorted(line["task"] for line in CELERY_BEAT_SCHEDULE.values())
