"""Tags for stylesheets and scripts, each with the integrity hash of the served bytes."""

import base64
import hashlib
from functools import lru_cache
from pathlib import Path

from django import template
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def stylesheet(name: str) -> SafeString:
    return format_html('<link rel="stylesheet" href="{}" integrity="{}">', *_address_and_integrity(name))


@register.simple_tag
def script(name: str, defer: bool = False) -> SafeString:
    """A classic script; blocking unless deferred."""
    when = " defer" if defer else ""
    return format_html('<script src="{}" integrity="{}"{}></script>', *_address_and_integrity(name), when)


@register.simple_tag
def module_script(name: str) -> SafeString:
    """An ES module. Its imports need a modulepreload, which has its own integrity attribute."""
    return format_html('<script type="module" src="{}" integrity="{}"></script>', *_address_and_integrity(name))


@register.simple_tag
def modulepreload(name: str) -> SafeString:
    """An imported ES module, fetched early and checked: an import statement can't have an integrity attribute."""
    return format_html('<link rel="modulepreload" href="{}" integrity="{}">', *_address_and_integrity(name))


def integrity_of(name: str) -> str:
    """The integrity attribute for a static file, by its plain name."""
    path = _served_path(name)
    return _digest(str(path), path.stat().st_mtime_ns)


def _address_and_integrity(name: str) -> tuple[str, str]:
    return staticfiles_storage.url(name), integrity_of(name)


def _served_path(name: str) -> Path:
    """The file served for this name: the collected, rewritten one if it exists, else the source."""
    if hasattr(staticfiles_storage, "stored_name"):
        return Path(staticfiles_storage.path(staticfiles_storage.stored_name(name)))
    found = finders.find(name)
    if not isinstance(found, str):
        raise ValueError(f"there is no static file {name!r}")
    return Path(found)


@lru_cache(maxsize=256)
def _digest(path: str, modified: int) -> str:
    """Reads a file once per change: `modified` is only there as part of the cache key."""
    return "sha256-" + base64.b64encode(hashlib.sha256(Path(path).read_bytes()).digest()).decode()
