"""Pictures are stored in a folder or, with four settings, in a bucket; these tests use a server on this machine."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.test import Client, override_settings

from courseiva.serving.rules.environment import SettingError
from courseiva.serving.rules.pictures import read_picture_limits, read_picture_storage
from questions.versions.material.pictures.copies import check_pictures, save_pictures
from questions.versions.material.pictures.reads import place_of
from tests.support.bank import make_exam
from tests.support.pictures import publish_illustrated
from tests.support.subprocesses import bare_environment, wait_until

pytestmark = pytest.mark.long("many processes")

BUCKET = {"PICTURES_BUCKET_KEY": "key-of-the-test", "PICTURES_BUCKET_SECRET": "not+secret/at=all"}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start an S3-compatible server with an empty bucket; yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, env=bare_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert wait_until(lambda: answers(port))
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def answers(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def bucket(server: str, settings) -> Iterator[None]:
    """Store the site's pictures in a folder of that bucket."""
    storage = read_picture_storage(BUCKET | {"PICTURES_BUCKET": f"{server}/pictures/of/the/site/"}, Path())
    with override_settings(STORAGES={**settings.STORAGES, "default": storage}):
        default_storage.connection.create_bucket(Bucket="pictures")
        yield


@pytest.mark.django_db
def test_a_picture_in_a_bucket_is_served_from_the_sites_own_address(bucket: None, tmp_path: Path) -> None:
    _, prompt, solution = publish_illustrated(make_exam(weights=(100,)), 1)
    keys = {each.key for each in default_storage.connection.Bucket("pictures").objects.all()}
    assert keys == {f"of/the/site/{place_of(name)}" for name in (prompt, solution)}
    answer = Client().get(f"/pictures/{prompt}")
    assert (answer.status_code, answer.content[:4]) == (200, b"\x89PNG")
    assert save_pictures(tmp_path).new == 2
    default_storage.delete(place_of(prompt))
    assert check_pictures().faults == [(prompt, "missing")]
    assert Client().get(f"/pictures/{prompt}").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"PICTURES_BUCKET": "s3.example.org/bucket"}, "PICTURES_BUCKET"),
        ({"PICTURES_BUCKET": "https://s3.example.org/"}, "PICTURES_BUCKET"),
        ({"PICTURES_BUCKET": "https://key:secret@s3.example.org/bucket"}, "PICTURES_BUCKET"),
        ({"PICTURES_BUCKET_KEY": ""}, "PICTURES_BUCKET_KEY"),
        ({"PICTURES_BUCKET_SECRET": " "}, "PICTURES_BUCKET_SECRET"),
    ],
)
def test_a_wrong_bucket_is_reported_when_the_site_starts(wrong: dict[str, str], name: str) -> None:
    with pytest.raises(SettingError) as refused:
        read_picture_storage(BUCKET | {"PICTURES_BUCKET": "https://s3.example.org/bucket"} | wrong, Path())
    assert refused.value.name == name


def test_without_a_bucket_pictures_are_stored_in_a_folder() -> None:
    assert read_picture_storage({}, Path("/srv"))["OPTIONS"]["location"] == "/srv/media"
    assert read_picture_storage({"PICTURES_DIR": "/pictures"}, Path("/srv"))["OPTIONS"]["location"] == "/pictures"


def test_the_picture_limits_have_defaults_and_bounds() -> None:
    assert read_picture_limits({}) == (5 * 2**20, 24_000_000, 1600)
    assert read_picture_limits({"PICTURE_MEGABYTES": "1", "PICTURE_SIDE": "800"})[::2] == (2**20, 800)
    for name in ("PICTURE_MEGABYTES", "PICTURE_MEGAPIXELS", "PICTURE_SIDE"):
        with pytest.raises(SettingError):
            read_picture_limits({name: "0"})
