"""Settings are read from variables, and whatever is refused names the variable and the remedy."""

import stat
from pathlib import Path

import pytest

from courseiva.serving.rules import environment
from courseiva.serving.rules.environment import SettingError

BASE = Path("/srv/site")


@pytest.mark.parametrize("word", ["1", "true", "YES", " on "])
def test_a_flag_is_on_in_any_spelling(word: str) -> None:
    assert environment.read_flag({"DEBUG": word}, "DEBUG") is True


@pytest.mark.parametrize("word", ["0", "false", "No", "off", ""])
def test_a_flag_is_off_in_any_spelling(word: str) -> None:
    assert environment.read_flag({"DEBUG": word}, "DEBUG", default=True) is False


def test_a_flag_takes_its_default_only_when_absent() -> None:
    assert environment.read_flag({}, "DEBUG", default=True) is True
    assert environment.read_flag({}, "DEBUG") is False


def test_a_misspelt_flag_is_refused_and_named() -> None:
    with pytest.raises(SettingError, match="DEBUG .*'ture'.* 1 .*0"):
        environment.read_flag({"DEBUG": "ture"}, "DEBUG")


def test_a_number_is_read_and_a_missing_one_has_its_default() -> None:
    assert environment.read_number({}, "PROXY_COUNT", 1, 0, 9) == 1
    assert environment.read_number({"PROXY_COUNT": "2"}, "PROXY_COUNT", 1, 0, 9) == 2


@pytest.mark.parametrize("text", ["10", "-1", "two", "1.5"])
def test_a_number_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="PROXY_COUNT .*0.*9"):
        environment.read_number({"PROXY_COUNT": text}, "PROXY_COUNT", 1, 0, 9)


def test_a_secret_key_from_the_environment_is_used_and_no_file_is_made(tmp_path: Path) -> None:
    assert environment.read_secret_key({"SECRET_KEY": "k" * 32}, False, tmp_path / "key") == "k" * 32
    assert environment.read_secret_key({"SECRET_KEY": "k"}, True, tmp_path / "key") == "k"
    assert not list(tmp_path.iterdir())


def test_a_short_secret_key_is_refused_with_debug_off(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="SECRET_KEY .*too short"):
        environment.read_secret_key({"SECRET_KEY": "k" * 31}, False, tmp_path / "key")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"PORT": "abc"}, "PORT"),
        ({"PORT": "70000"}, "PORT"),
        ({"WEB_PROCESSES": "abc"}, "WEB_PROCESSES"),
        ({"WEB_THREADS": "0"}, "WEB_THREADS"),
        ({"WEB_PROCESSES": "3"}, "WEB_PROCESSES"),
    ],
)
def test_a_wrong_web_server_setting_is_refused_and_named(given: dict[str, str], name: str) -> None:
    with pytest.raises(SettingError, match=name):
        environment.read_web_server(given)


def test_a_web_server_has_more_processes_only_with_redis() -> None:
    assert environment.read_web_server({}) == (8000, 1, 8)
    assert environment.read_web_server({"WEB_PROCESSES": "3", "REDIS_URL": "redis://r/0"}) == (8000, 3, 8)


def test_links_in_mail_have_a_host_without_a_request() -> None:
    own = environment.read_own_address
    assert own({}, False, "https://learn.example.org", ["other"]) == "https://learn.example.org"
    assert own({}, False, "", ["*", ".example.org", "other"]) == "https://example.org"
    assert own({"PORT": "8001"}, True, "", ["127.0.0.1"]) == "http://127.0.0.1:8001"
    assert own({}, False, "", ["*"]) == "https://localhost"


def test_a_missing_secret_key_is_refused_with_debug_off(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="SECRET_KEY .*token_urlsafe"):
        environment.read_secret_key({"SECRET_KEY": "  "}, False, tmp_path / "key")


def test_with_debug_a_key_is_generated_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "key"
    first = environment.read_secret_key({}, True, file)
    assert len(first) >= 50
    assert environment.read_secret_key({}, True, file) == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_fresh_installations_have_different_keys(tmp_path: Path) -> None:
    keys = {environment.read_secret_key({}, True, tmp_path / name) for name in ("a", "b")}
    assert len(keys) == 2


def test_an_empty_or_unwritable_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    with pytest.raises(SettingError, match="key"):
        environment.read_secret_key({}, True, tmp_path / "key")
    with pytest.raises(SettingError, match="SECRET_KEY"):
        environment.read_secret_key({}, True, tmp_path / "no such folder" / "key")


def test_allowed_hosts_are_read() -> None:
    assert environment.read_allowed_hosts({"ALLOWED_HOSTS": "a.example, b.example,"}, False) == [
        "a.example",
        "b.example",
    ]
    assert environment.read_allowed_hosts({}, True) == ["127.0.0.1", "localhost", "[::1]"]
    assert environment.read_allowed_hosts({"ALLOWED_HOSTS": "[::1]"}, False) == ["[::1]"]


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://a.example", "a.example"), ("https://a.example:8443", "a.example"), ("https://[::1]:9", "[::1]")],
)
def test_the_sites_own_host_is_allowed(url: str, host: str) -> None:
    assert environment.read_allowed_hosts({}, False, url) == [host]
    assert environment.read_allowed_hosts({"ALLOWED_HOSTS": host}, False, url) == [host]
    assert environment.read_allowed_hosts({"ALLOWED_HOSTS": "b.example"}, False, url) == ["b.example", host]


def test_a_token_that_can_be_guessed_is_refused_and_not_shown() -> None:
    assert environment.read_metrics_token({}) == ""
    assert environment.read_metrics_token({"METRICS_TOKEN": "x" * 16}) == "x" * 16
    with pytest.raises(SettingError, match="METRICS_TOKEN") as refused:
        environment.read_metrics_token({"METRICS_TOKEN": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_hsts_preload_needs_a_year() -> None:
    environment.check_hsts(300, False)
    environment.check_hsts(environment.HSTS_YEAR, True)
    with pytest.raises(SettingError, match="HSTS_SECONDS .*300"):
        environment.check_hsts(300, True)


def test_missing_hosts_are_refused_with_debug_off() -> None:
    with pytest.raises(SettingError, match="ALLOWED_HOSTS .*DEBUG"):
        environment.read_allowed_hosts({"ALLOWED_HOSTS": " , "}, False)


@pytest.mark.parametrize("host", ["https://a.example", "a.example:8000", "a.example/x"])
def test_a_host_with_scheme_port_or_path_is_refused(host: str) -> None:
    with pytest.raises(SettingError, match="ALLOWED_HOSTS"):
        environment.read_allowed_hosts({"ALLOWED_HOSTS": host}, False)


def test_a_site_url_is_read() -> None:
    assert environment.read_site_url({}) == ""
    assert environment.read_site_url({"SITE_URL": "https://a.example/"}) == "https://a.example"


@pytest.mark.parametrize("url", ["a.example", "ftp://a.example", "https://", "https://a.example/path", "https://[x"])
def test_a_wrong_site_url_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="SITE_URL .*https://learn.example.org"):
        environment.read_site_url({"SITE_URL": url})


def test_without_an_address_the_database_is_a_file_with_durable_commits() -> None:
    database = environment.read_database({}, BASE)
    assert database["NAME"] == "/srv/site/db.sqlite3"
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert "synchronous=FULL" in database["OPTIONS"]["init_command"]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///data/my.sqlite3", "/srv/site/data/my.sqlite3"),
        ("sqlite:////var/my.sqlite3", "/var/my.sqlite3"),
        ("sqlite:///with%20space.sqlite3", "/srv/site/with space.sqlite3"),
    ],
)
def test_an_sqlite_address_is_read(url: str, name: str) -> None:
    assert environment.read_database({"DATABASE_URL": url}, BASE)["NAME"] == name


def test_a_postgresql_address_is_read() -> None:
    url = "postgresql://me:p%40ss%2Fword@db.example:5433/site%20db?sslmode=require"
    database = environment.read_database({"DATABASE_URL": url}, BASE)
    named = {key: database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")}
    expected = {"NAME": "site db", "USER": "me", "PASSWORD": "p@ss/word", "HOST": "db.example", "PORT": "5433"}
    assert named == expected
    assert database["OPTIONS"]["sslmode"] == "require"
    assert database["OPTIONS"]["options"] == "-c synchronous_commit=on -c jit=off"
    assert database["CONN_HEALTH_CHECKS"] is True
    assert database["CONN_MAX_AGE"] > 0


def test_a_postgresql_address_needs_no_user_or_port() -> None:
    database = environment.read_database({"DATABASE_URL": "postgres:///site"}, BASE)
    assert [database[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == ["site", "", "", "", ""]


@pytest.mark.parametrize(
    "url",
    [
        "db.sqlite3",
        "sqlite://db.sqlite3",
        "sqlite:///",
        "mysql://u@h/n",
        "postgresql://u@h",
        "postgresql://u@h:port/n",
        "postgresql://u@h:99999/n",
    ],
)
def test_a_wrong_database_address_is_refused_with_examples(url: str) -> None:
    with pytest.raises(SettingError, match=r"DATABASE_URL .*sqlite:///db.sqlite3 .*postgresql://"):
        environment.read_database({"DATABASE_URL": url}, BASE)


def test_a_refusal_never_shows_the_password() -> None:
    with pytest.raises(SettingError) as refused:
        environment.read_database({"DATABASE_URL": "mysql://u:hunter2@h/n"}, BASE)
    assert "hunter2" not in str(refused.value)


def test_a_redis_address_is_read() -> None:
    assert environment.read_redis_url({}) == ""
    assert environment.read_redis_url({"REDIS_URL": "redis://h:6379/0"}) == "redis://h:6379/0"


@pytest.mark.parametrize("url", ["localhost:6379", "http://h", "redis://", "redis://h:x/0"])
def test_a_wrong_redis_address_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="REDIS_URL .*redis://host:6379/0"):
        environment.read_redis_url({"REDIS_URL": url})


def test_mail_goes_to_the_log_unless_a_server_is_set() -> None:
    assert environment.read_email({})["backend"] == environment.CONSOLE_EMAIL
    assert environment.read_email({"EMAIL_URL": "console://"})["backend"] == environment.CONSOLE_EMAIL


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp://me:p%3Aw@mail.example:2525?tls=1", ("mail.example", 2525, "me", "p:w", True, False)),
        ("smtp://mail.example?ssl=1", ("mail.example", 465, "", "", False, True)),
        ("smtp://mail.example?tls=1", ("mail.example", 587, "", "", True, False)),
        ("smtp://mail.example", ("mail.example", 25, "", "", False, False)),
    ],
)
def test_an_smtp_address_is_read(url: str, expected: tuple[object, ...]) -> None:
    email = environment.read_email({"EMAIL_URL": url})
    assert tuple(email[key] for key in ("host", "port", "user", "password", "tls", "ssl")) == expected


@pytest.mark.parametrize(
    "url", ["mail.example", "imap://mail.example", "smtp://", "smtp://h?tls=1&ssl=1", "smtp://h?x=1"]
)
def test_a_wrong_mail_address_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="EMAIL_URL .*smtp://user:password@host:587"):
        environment.read_email({"EMAIL_URL": url})


@pytest.mark.parametrize("text", ["", "  ", "help@learn.example.org", " a.b+c@x.example "])
def test_a_contact_is_a_bare_address_or_none(text: str) -> None:
    assert environment.read_contact({"CONTACT_EMAIL": text}) == text.strip()


@pytest.mark.parametrize(
    "text", ["help", "@x.example", "a@b", "Help <help@x.example>", "a@x.example, b@x.example", "mailto:a@x.example"]
)
def test_a_wrong_contact_is_refused_and_named(text: str) -> None:
    with pytest.raises(SettingError, match="CONTACT_EMAIL"):
        environment.read_contact({"CONTACT_EMAIL": text})
