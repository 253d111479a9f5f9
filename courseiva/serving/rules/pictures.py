"""Where question pictures are stored and how large they may be, from environment variables."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

from courseiva.serving.rules.environment import Config, Environ, SettingError, read_number, split_address

MEGABYTE = 2**20
# A page waits for its picture in a thread of the web server: a store that hangs must not take all of them.
CONNECT_SECONDS, READ_SECONDS, TRIES = 3, 10, 2
REMEDY = "Set it to server, bucket and folder: https://s3.eu-central-1.amazonaws.com/bucket/pictures"


def read_picture_limits(environ: Environ) -> tuple[int, int, int]:
    """The maximum file size, the maximum number of pixels, and the longest side, to which pictures are scaled down."""
    megabytes = read_number(environ, "PICTURE_MEGABYTES", 5, 1, 64)
    megapixels = read_number(environ, "PICTURE_MEGAPIXELS", 24, 1, 80)
    side = read_number(environ, "PICTURE_SIDE", 1600, 200, 8000)
    return megabytes * MEGABYTE, megapixels * 1_000_000, side


def read_picture_storage(environ: Environ, base: Path) -> Config:
    """Django's storage: a folder, or an S3-compatible bucket if PICTURES_BUCKET names one."""
    url = environ.get("PICTURES_BUCKET", "").strip().rstrip("/")
    if url:
        return _bucket(environ, url)
    folder = base / (environ.get("PICTURES_DIR", "").strip() or "media")
    options = {"location": str(folder), "base_url": None, "allow_overwrite": True}
    return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}


def _bucket(environ: Environ, url: str) -> Config:
    parts = split_address("PICTURES_BUCKET", url, REMEDY)
    bucket, _, folder = unquote(parts.path).strip("/").partition("/")
    if parts.scheme not in {"https", "http"} or not parts.hostname or not bucket or parts.query or parts.username:
        raise SettingError("PICTURES_BUCKET", f"is {url!r}", REMEDY)
    options: dict[str, Any] = {
        "endpoint_url": f"{parts.scheme}://{parts.netloc}",
        "bucket_name": bucket,
        "location": folder,
        "region_name": environ.get("PICTURES_BUCKET_REGION", "").strip() or "us-east-1",
        "default_acl": None,
        "file_overwrite": True,
        "client_config": _client(),
    }
    key, secret = environ.get("PICTURES_BUCKET_KEY", "").strip(), environ.get("PICTURES_BUCKET_SECRET", "").strip()
    for name, given in (("PICTURES_BUCKET_KEY", key), ("PICTURES_BUCKET_SECRET", secret)):
        if not given:
            raise SettingError(name, "is not set, and PICTURES_BUCKET is", "Copy it from the bucket's key.")
    options |= {"access_key": key, "secret_key": secret}
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def _client() -> Any:
    """A hanging server must not block a thread for a minute, and not every server supports Amazon's newer checksums."""
    from botocore.config import Config as ClientConfig  # only sites with a bucket load it

    return ClientConfig(
        signature_version="s3v4",
        s3={"addressing_style": "path"},
        connect_timeout=CONNECT_SECONDS,
        read_timeout=READ_SECONDS,
        retries={"total_max_attempts": TRIES},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
