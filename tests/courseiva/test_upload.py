"""With one setting, backups are sent to an S3-compatible bucket, signed as S3 requires, and read back."""

from __future__ import annotations

import hashlib
import hmac
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from django.apps import apps
from django.db.models import FileField

from tests.support.needs import missing
from tests.support.subprocesses import BASE, bare_environment

KEY, SECRET, REGION = "key-of-the-test", "not+secret/at=all", "eu-central-1"
SIGNED = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<scope>(?P<day>\d{8})/(?P<region>[^/]+)/s3/aws4_request), ?"
    r"SignedHeaders=(?P<names>[^,]+), ?Signature=(?P<signature>[0-9a-f]{64})"
)


class Bucket(BaseHTTPRequestHandler):
    """Stores what is put by requests with a valid AWS signature (version 4), and refuses all others."""

    protocol_version = "HTTP/1.1"  # or curl waits a second for the word to go on
    kept: dict[str, bytes]
    spoils = False

    def do_PUT(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        whole = hashlib.sha256(sent).hexdigest() == self.headers["x-amz-content-sha256"]
        if self._is_signed() and whole:
            self.kept[self.path] = sent[1:] if self.spoils else sent
            return self._answer(200)
        return self._answer(403)

    def do_GET(self) -> None:
        self._answer(200, self.kept.get(self.path, b"")) if self._is_signed() else self._answer(403)

    def log_message(self, *_: object) -> None:
        """Log nothing."""

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _is_signed(self) -> bool:
        found = SIGNED.fullmatch(self.headers.get("Authorization", ""))
        if not found or (found["key"], found["region"]) != (KEY, REGION):
            return False
        names, asked = found["names"], urlsplit(self.path)
        lines = "".join(f"{name}:{self.headers[name].strip()}\n" for name in names.split(";"))
        payload = self.headers["x-amz-content-sha256"]
        request = f"{self.command}\n{asked.path}\n{asked.query}\n{lines}\n{names}\n{payload}"
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{self.headers['x-amz-date']}\n{found['scope']}\n{digest}"
        key = f"AWS4{SECRET}".encode()
        for part in (found["day"], REGION, "s3", "aws4_request", text):
            key = hmac.digest(key, part.encode(), "sha256")
        return hmac.compare_digest(key.hex(), found["signature"])


@contextmanager
def bucket(spoils: bool = False) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the server's address and what it stores."""
    kept: dict[str, bytes] = {}
    with ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Bucket,), {"kept": kept, "spoils": spoils})) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/backups/courseiva/", kept
        server.shutdown()


def upload(file: Path, url: str, secret: str = SECRET) -> subprocess.CompletedProcess[str]:
    """Run the script that backup.sh calls."""
    shutil.which("curl") or missing("curl", "sudo apt install curl")
    given = {"BACKUP_S3_URL": url, "BACKUP_S3_KEY": KEY, "BACKUP_S3_SECRET": secret, "BACKUP_S3_REGION": REGION}
    command = [str(BASE / "deploy" / "upload.sh"), str(file)]
    return subprocess.run(command, env=bare_environment() | given, capture_output=True, text=True, check=False)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    file = tmp_path / "courseiva-2026-11-27T030000Z.dump"
    file.write_bytes(bytes(range(256)) * 500)
    return file


def test_a_dump_in_the_bucket_equals_the_local_one(dump: Path) -> None:
    with bucket() as (url, kept):
        done = upload(dump, url)
        assert done.returncode == 0, done.stderr
        assert kept == {f"/backups/courseiva/{dump.name}": dump.read_bytes()}


def test_an_upload_with_a_wrong_key_fails_without_printing_it(dump: Path) -> None:
    with bucket() as (url, kept):
        done = upload(dump, url, "another-secret")
    assert (done.returncode != 0, kept) == (True, {})
    assert "another-secret" not in done.stdout + done.stderr


def test_an_upload_fails_if_the_bucket_stored_something_else(dump: Path) -> None:
    with bucket(spoils=True) as (url, _):
        done = upload(dump, url)
    assert done.returncode != 0
    assert done.stderr.startswith("backup: ")


def test_the_nightly_backup_uploads_if_a_bucket_is_configured() -> None:
    lines = (BASE / "deploy" / "backup.sh").read_text().splitlines()
    assert 'if [ -n "${BACKUP_S3_URL:-}" ]; then "$(dirname "$0")/upload.sh" "$file"; fi' in lines


def test_pictures_are_the_only_media_to_back_up() -> None:
    """Pictures use no file field of Django's: their row holds the name under which they are stored."""
    fields = [field for model in apps.get_models() for field in model._meta.get_fields()]
    assert [field for field in fields if isinstance(field, FileField)] == []
