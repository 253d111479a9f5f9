"""Static files have hashed names in every mode, and so do the import lines of our modules."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from courseiva.serving.static_files import HashedStorage


@pytest.fixture
def storage(tmp_path: Path) -> HashedStorage:
    store = HashedStorage(location=str(tmp_path), base_url="/static/")
    files = {
        "js/main.js": 'import { a } from "./deep/part.js";\na();\n',
        "js/deep/part.js": "export function a() {}\n",
        "package/script.js": '// use it as: import htmx from "htmx"\n',
        "css/site.css": "p { color: black }\n",
    }
    for name, text in files.items():
        store.save(name, ContentFile(text))
    for _, _, result in store.post_process({name: (store, name) for name in files}):
        assert not isinstance(result, Exception), result
    return store


@pytest.mark.parametrize("debug", [True, False])
def test_file_names_are_hashed_with_debug_on_and_off(storage: HashedStorage, debug: bool, settings: object) -> None:
    settings.DEBUG = debug  # type: ignore[attr-defined]
    assert storage.url("css/site.css").startswith("/static/css/site.")
    assert storage.url("css/site.css") != "/static/css/site.css"


def test_a_javascript_import_names_the_hashed_module(storage: HashedStorage) -> None:
    main = Path(storage.path(storage.stored_name("js/main.js"))).read_text()
    part = storage.stored_name("js/deep/part.js").rsplit("/", 1)[1]
    assert part in main
    assert '"./deep/part.js"' not in main


def test_a_missing_static_file_raises_an_error(storage: HashedStorage) -> None:
    with pytest.raises(ValueError, match=r"missing\.css"):
        storage.url("missing.css")


def test_our_scripts_are_served_without_comments_and_packages_unchanged(storage: HashedStorage) -> None:
    text = "/* Why. */\nlet a = 1; // one\n  const t = `  // kept\n    /* kept */ ${a}`;\n"
    storage.save("js/said.js", ContentFile(text))
    served = Path(storage.path("js/said.js")).read_text()
    assert "Why" not in served
    assert "one" not in served
    assert "`  // kept\n    /* kept */ ${a}`" in served
    assert Path(storage.path("package/script.js")).read_text().startswith("// use it as")
