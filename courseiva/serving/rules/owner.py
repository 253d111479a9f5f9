"""The operator's name for the site and notices to visitors, from environment variables and files they name.

As in environment.py, a wrong value is refused with its name and the fix. docs/operating.md lists every variable.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from courseiva.serving.rules.environment import SettingError

Environ = Mapping[str, str]
SOFTWARE = "Courseiva"
"""The site's default name."""
LONGEST_NAME = 40
"""It's in the header beside the menu, and part of every page's title."""
UNFIT = set('<>&"{}\\')
"""The name appears in pages, emails and data, so it must not need escaping in any of them."""
LARGEST_MARK, LARGEST_NOTICE = 64_000, 40_000
KINDS = {".svg": "image/svg+xml", ".png": "image/png"}
GITHUB_FOLDER = re.compile(r"[\w-]+/[\w.-]+/blob/[\w./-]+", re.ASCII)
"""Owner, repository, the word blob, branch and folder: what Colab expects after its own address."""
TOP_HEADING = re.compile(r"^#(?=\s)", re.MULTILINE)
LONGEST_WORK = dt.timedelta(days=2)
"""A slip in the date must not keep mock exams from being started for a month."""


@dataclass(frozen=True)
class Mark:
    """The logo next to the site's name and in browser tabs."""

    content: bytes
    kind: str

    @property
    def version(self) -> str:
        """A hash, so that the logo's URL changes with the picture."""
        return hashlib.sha256(self.content).hexdigest()[:12]


@dataclass(frozen=True)
class Notice:
    """The legal notice, as Markdown, and when its file was last changed."""

    text: str
    changed: dt.date


@dataclass(frozen=True)
class Work:
    """Planned maintenance, from when to when."""

    begins: dt.datetime
    ends: dt.datetime

    @property
    def is_of_one_day(self) -> bool:
        """In UTC, the zone it is shown in."""
        return self.begins.date() == self.ends.date()

    def is_ahead(self, now: dt.datetime) -> bool:
        """Whether it is still to come or under way."""
        return now < self.ends

    def meets(self, now: dt.datetime, until: dt.datetime | None) -> bool:
        """Whether something from ``now`` to ``until`` would run into it.

        Without an end, it can be continued afterwards.
        """
        return self.is_ahead(now) and until is not None and until > self.begins


def read_site_name(environ: Environ) -> str:
    """The site's name."""
    name = environ.get("SITE_NAME", "").strip().replace("'", "\u2019")
    if len(name) > LONGEST_NAME or UNFIT & set(name) or not name.isprintable():
        remedy = f'Use at most {LONGEST_NAME} characters, without line breaks and < > & " {{ }} \\.'
        raise SettingError("SITE_NAME", f"is {name!r}", remedy)
    return name or SOFTWARE


def read_mark(environ: Environ) -> Mark | None:
    """The site's logo; without it, the half-filled bubble."""
    name = environ.get("SITE_MARK", "").strip()
    if not name:
        return None
    kind = KINDS.get(Path(name).suffix.lower())
    if not kind:
        raise SettingError("SITE_MARK", f"is {name!r}", "Name a square picture that ends in .svg or .png.")
    return Mark(_content("SITE_MARK", name, LARGEST_MARK), kind)


def read_notebooks(environ: Environ) -> str:
    """The folder on GitHub that has the exams' folders, for Colab to open notebooks from; empty if there is none."""
    folder = environ.get("NOTEBOOKS", "").strip().strip("/")
    if folder and not GITHUB_FOLDER.fullmatch(folder):
        raise SettingError("NOTEBOOKS", f"is {folder!r}", "Set it to owner/repository/blob/branch/fixtures, on GitHub.")
    return folder


def read_legal_notice(environ: Environ) -> Notice | None:
    """The operator's legal notice; without it, there is no such page."""
    name = environ.get("LEGAL_NOTICE", "").strip()
    if not name:
        return None
    content = _content("LEGAL_NOTICE", name, LARGEST_NOTICE)
    try:
        text = content.decode().strip()
    except UnicodeDecodeError as error:
        raise SettingError("LEGAL_NOTICE", f"names {name!r}, which isn't UTF-8", "Save it as UTF-8.") from error
    if not text:
        raise SettingError("LEGAL_NOTICE", f"names {name!r}, which is empty", "Write the notice there, as Markdown.")
    text = TOP_HEADING.sub("##", text)  # the page has its own top heading
    return Notice(text, dt.datetime.fromtimestamp(Path(name).stat().st_mtime, dt.UTC).date())


def read_maintenance(environ: Environ) -> Work | None:
    """When maintenance is planned; ignored once it's over."""
    text = environ.get("MAINTENANCE", "").strip()
    if not text:
        return None
    remedy = "Set it to beginning and end with their offsets, for example: 2026-12-01T22:00Z/2026-12-01T23:30Z"
    try:
        begins, ends = (dt.datetime.fromisoformat(part).astimezone(dt.UTC) for part in _with_offsets(text))
    except ValueError as error:
        raise SettingError("MAINTENANCE", f"is {text!r}", remedy) from error
    if not dt.timedelta() < ends - begins <= LONGEST_WORK:
        raise SettingError("MAINTENANCE", f"is {text!r}, which ends before it begins or takes over two days", remedy)
    return Work(begins, ends)


def _with_offsets(text: str) -> list[str]:
    """The two datetimes; without an offset, one would be ambiguous."""
    parts = text.split("/")
    if len(parts) != 2 or any(dt.datetime.fromisoformat(part).tzinfo is None for part in parts):
        raise ValueError(text)
    return parts


def _content(variable: str, name: str, most: int) -> bytes:
    try:
        content = Path(name).read_bytes()
    except OSError as error:
        raise SettingError(
            variable, f"names {name!r}, which can't be read ({error.strerror})", "Check the path."
        ) from error
    if len(content) > most:
        raise SettingError(variable, f"names {name!r}, which is over {most // 1000} kB", "Make it smaller.")
    return content
