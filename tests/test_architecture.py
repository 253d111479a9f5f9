"""The house rules of docs/architecture.md about layers, packages, sizes and templates hold in every file."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.support.imports import APPS, BASE, imported_names, modules, nodes_of, tree_of
from tests.support.subprocesses import run_python

COMMON = "courseiva.common"  # every app uses it; it imports no app
MAY_IMPORT = {
    COMMON: set(),
    "questions": {COMMON},
    "practice": {COMMON, "questions"},
    "discussion": {COMMON, "questions"},
    "courseiva": {COMMON, "questions", "practice", "discussion"},
}

LAYERS = ("rules", "models", "reads", "write", "tasks", "forms", "views")
# The first part of a module's name that is listed here decides its layer; a module without one is a write module.
LAYER_OF_NAME = {
    **{name: LAYERS.index(name) for name in LAYERS if name != "write"},
    "errors": LAYERS.index("models"),
    **dict.fromkeys(
        ("admin", "apps", "management", "middleware", "templatetags", "urls", "wsgi"), LAYERS.index("views")
    ),
}
RULES, WRITE = LAYERS.index("rules"), LAYERS.index("write")
NOT_PURE = ("django", "allauth", "celery", "whitenoise")
# What Django looks for at an app's root. None of it is public, and in an app made of rooms it only re-exports.
ENTRIES = {"admin", "apps", "management", "migrations", "models", "tasks", "templatetags", "urls"}
ROOTS = (*APPS, "courseiva.accounts", "courseiva.outbox")
MOST_DOORS = 9
# Only a command or one request in a thousand needs these, so the site starts without them.
FORMATS = "questions.formats.rules"
NOT_FOR_THE_SITE = (
    "practice.measurement.laboratory",
    *(f"{FORMATS}.{room}" for room in ("own", "plain", "tables", "xml")),
    f"{FORMATS}.reading.html_text",
    f"{FORMATS}.reading.xml_tree",
)
# Packages that only those need.
PACKAGES_OF_FORMATS = ("bs4", "markdownify", "openpyxl")
# Exceptions to the size limits, by "path" or "path::function", each with its reason.
OVER: dict[str, str] = {}
FUNCTION_LINES, VIEW_LINES, MODULE_LINES, TEMPLATE_LINES = 40, 25, 400, 150


@dataclass(frozen=True)
class Import:
    """An import of one of our own modules, anywhere in the file."""

    by: str
    of: str


def layer_of(module: str) -> int:
    """Return the layer of a module, read from its name alone."""
    return next((LAYER_OF_NAME[part] for part in module.split(".")[1:] if part in LAYER_OF_NAME), WRITE)


def is_common(module: str) -> bool:
    return module == COMMON or module.startswith(f"{COMMON}.")


def node_of(module: str) -> str:
    """Return the app of a module, or the common room."""
    return COMMON if is_common(module) else module.split(".", maxsplit=1)[0]


@cache
def own_imports() -> tuple[Import, ...]:
    """Return every import of our modules by our modules.

    `from a.b import c` counts as a.b.c where that is a module, else as a.b.
    """
    ours = modules()
    found = set()
    for module, path in ours.items():
        names = imported_names(module, path)
        for name, line in names:
            deeper = any(other.startswith(f"{name}.") and other in ours for other, at in names if at == line)
            if name in ours and name != module and not deeper:
                found.add(Import(module, name))
    return tuple(sorted(found, key=lambda each: (each.by, each.of)))


def is_an_entry(module: str) -> bool:
    """Return whether Django needs this file at an app's root, under a name that Django knows."""
    return any(
        module.startswith(f"{root}.") and module.removeprefix(f"{root}.").split(".")[0] in ENTRIES for root in ROOTS
    )


def what_goes_round(graph: Mapping[str, set[str]]) -> list[str]:
    """Return the nodes that are on a cycle, or between two cycles."""
    left = {name: set(needs) for name, needs in graph.items()}
    while True:
        needed = {need for needs in left.values() for need in needs}
        free = {name for name, needs in left.items() if not needs & left.keys() or name not in needed}
        if not free:
            return sorted(left)
        left = {name: needs - free for name, needs in left.items() if name not in free}


def doors() -> dict[str, set[str]]:
    """Return the files and packages directly inside each package of ours, except those Django needs."""
    found: dict[str, set[str]] = {}
    for module in modules():
        above, _, last = module.rpartition(".")
        if above and not is_an_entry(module):
            found.setdefault(above, set()).add(last)
    return found


def doors_that_import_each_other(imports: tuple[Import, ...]) -> dict[str, list[str]]:
    """Return for each package which of its public modules need each other, directly or through others."""
    graphs: dict[str, dict[str, set[str]]] = {}
    for each in imports:
        if is_an_entry(each.by) or is_an_entry(each.of):
            continue
        mine, other = each.by.split("."), each.of.split(".")
        shared = next((n for n, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), None)
        if shared:
            graph = graphs.setdefault(".".join(mine[:shared]), {})
            graph.setdefault(mine[shared], set()).add(other[shared])
            graph.setdefault(other[shared], set())
    return {room: round_ for room, graph in graphs.items() if (round_ := what_goes_round(graph))}


def test_no_app_imports_an_app_it_may_not() -> None:
    wrong = [
        f"{each.by} imports {each.of}"
        for each in own_imports()
        if (mine := node_of(each.by)) != (other := node_of(each.of)) and other not in MAY_IMPORT[mine]
    ]
    assert wrong == []


def test_a_module_imports_only_from_its_own_layer_or_a_lower_one() -> None:
    wrong = [
        f"{each.by} ({LAYERS[layer_of(each.by)]}) imports {each.of} ({LAYERS[layer_of(each.of)]})"
        for each in own_imports()
        if not is_common(each.of)
        if not (modules()[each.by].name == "__init__.py" and each.of.startswith(f"{each.by}."))
        if layer_of(each.of) > layer_of(each.by)
    ]
    assert wrong == []


def test_modules_have_no_import_cycles() -> None:
    assert what_goes_round(own_graph()) == []


def test_the_public_modules_of_a_package_have_no_import_cycles() -> None:
    assert doors_that_import_each_other(own_imports()) == {}


def test_a_package_has_at_most_nine_public_modules() -> None:
    assert {room: sorted(names) for room, names in doors().items() if len(names) > MOST_DOORS} == {}


def test_every_package_says_in_a_sentence_what_it_owns() -> None:
    silent = [
        module
        for module, path in modules().items()
        if path.name == "__init__.py" and not {"management", "templatetags"} & set(module.split("."))
        if not (ast.get_docstring(tree_of(path)) or "").partition("\n")[0].endswith(".")
    ]
    assert silent == []


def hands_on(node: ast.stmt) -> bool:
    """Return whether a statement only re-exports: an import, a docstring, `__all__`, or joined lists of addresses."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        joined = isinstance(node.value, ast.List) and all(isinstance(each, ast.Starred) for each in node.value.elts)
        return name == "__all__" or (name == "urlpatterns" and joined)
    is_words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_words or isinstance(node, ast.Import | ast.ImportFrom)


@pytest.mark.parametrize("app", ["questions", "practice", "discussion"])
@pytest.mark.parametrize("entry", ["models", "admin", "tasks", "urls"])
def test_modules_django_requires_of_an_app_only_re_export(app: str, entry: str) -> None:
    path = BASE / app / f"{entry}.py"
    if path.exists():
        assert [ast.unparse(node) for node in tree_of(path).body if not hands_on(node)] == []


def test_packages_import_each_other_directly_and_not_through_re_exports() -> None:
    handed_on = {f"{app}.{entry}" for app in APPS for entry in ("models", "admin", "tasks")}
    assert [f"{each.by} imports {each.of}" for each in own_imports() if each.of in handed_on] == []


@cache
def own_graph() -> dict[str, set[str]]:
    """Return which of our modules each of our modules imports."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for each in own_imports():
        graph[each.by].add(each.of)
    return graph


def reached_from(start: set[str]) -> set[str]:
    """Return all that is imported, directly or not."""
    found, ahead = set(start), list(start)
    while ahead:
        for name in own_graph()[ahead.pop()] - found:
            found.add(name)
            ahead.append(name)
    return found


def test_rules_and_the_modules_they_import_use_no_framework() -> None:
    frameworks = {
        module: sorted({name for name, _ in imported_names(module, path) if name.split(".")[0] in NOT_PURE})
        for module, path in modules().items()
    }
    wrong = [
        f"{module}: {reached} imports {', '.join(frameworks[reached])}"
        for module in modules()
        if not is_common(module) and layer_of(module) == RULES
        for reached in sorted(reached_from({module}))
        if frameworks[reached]
    ]
    assert wrong == []


def test_the_site_imports_nothing_only_a_command_needs() -> None:
    site = {name for name in modules() if is_an_entry(name) and "management" not in name.split(".")}
    reached = reached_from(site | {"courseiva.settings", "courseiva.wsgi", "courseiva.celery"})
    assert [name for name in sorted(reached) if name.startswith(NOT_FOR_THE_SITE)] == []


LOADED = """
import json, sys
import courseiva.wsgi, courseiva.celery
from django.urls import get_resolver
courseiva.celery.app.loader.import_default_modules()
get_resolver().url_patterns
at_start = sorted(sys.modules)
from discussion.screening.rules.screen import screen
screen('Thanks')
print(json.dumps([at_start, sorted(sys.modules)]))
"""


@cache
def loaded_by_the_site() -> tuple[list[str], list[str]]:
    """Return what a process of the site has loaded once it is ready, and once it has screened a text."""
    done = run_python("-c", LOADED, DEBUG="1", DJANGO_SETTINGS_MODULE="courseiva.settings")
    assert done.returncode == 0, done.stderr
    at_start, after_screening = json.loads(done.stdout)
    return at_start, after_screening


@pytest.mark.long("many processes")
@pytest.mark.long("many processes")
def test_a_site_process_has_loaded_nothing_only_a_command_needs() -> None:
    """A separate process also shows what is imported by a name in a string."""
    loaded, _ = loaded_by_the_site()
    assert {"questions.formats.admin", "questions.formats.intake.tasks", "practice.start.urls"} <= set(loaded)
    assert [name for name in loaded if name.startswith(NOT_FOR_THE_SITE) or name in PACKAGES_OF_FORMATS] == []


def test_no_parser_imports_the_list_that_names_it() -> None:
    """The list names parsers by strings, which the search for import cycles doesn't see."""
    parsers = {name for name in modules() if name.startswith(NOT_FOR_THE_SITE) and name.startswith(FORMATS)}
    assert f"{FORMATS}.registry" not in reached_from(parsers)


def test_the_rules_above_find_planted_violations() -> None:
    assert what_goes_round({"a": {"b"}, "b": {"a"}, "c": {"a"}, "d": set()}) == ["a", "b"]
    assert what_goes_round({"a": {"b"}, "b": set()}) == []
    to, fro = Import("practice.x.rules", "practice.y.reads"), Import("practice.y.keep", "practice.x.models")
    assert doors_that_import_each_other((to, fro)) == {"practice": ["x", "y"]}
    assert doors_that_import_each_other((to,)) == {}
    assert [LAYERS[layer_of(f"practice.{name}")] for name in ("x.rules.y", "x.reads", "x.save", "x.views.z")] == [
        "rules",
        "reads",
        "write",
        "views",
    ]


MARKUP = re.compile(r"</?[a-z][a-z0-9]*[\s>/]|(?:^|\s)is-[a-z]")


def markup_in(tree: ast.Module) -> list[int]:
    """Return the lines with a tag or a state's class name in a string, or with a call that marks text as safe."""
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = [
        n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in {"format_html", "mark_safe", "SafeString"}
    ]
    return sorted({n.lineno for n in texts if MARKUP.search(str(n.value))} | {n.lineno for n in names})


def test_reads_write_no_markup() -> None:
    """A read returns facts; tags and class names belong in the template or in a template tag."""
    reads = {name: path for name, path in modules().items() if layer_of(name) == LAYERS.index("reads")}
    found = {name: markup_in(tree_of(path)) for name, path in reads.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("x = 'The <a href=\"#x\">y</a>.'", [1]),
        ("y = 1\nx = f'{y}</p>'", [2]),
        ("x = 'cell is-right'", [1]),
        ("x = format_html('{}', 1)", [1]),
        ("x = '1 < 2, this-one'", []),
    ],
)
def test_the_rule_for_markup_finds_planted_violations(code: str, lines: list[int]) -> None:
    assert markup_in(ast.parse(code)) == lines


def test_only_the_courseiva_package_receives_signals() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, path in modules().items()
        for name, _ in imported_names(module, path)
        if name in {"django.dispatch", "django.db.models.signals"} or name.endswith(".signals")
        if not (module.startswith("courseiva.") and name in {"django.dispatch", "allauth.account.signals"})
    ]
    assert wrong == []


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in nodes_of(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def takes_a_request(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether this is a view: its first argument is the request."""
    arguments = function.args.posonlyargs + function.args.args
    return bool(arguments) and arguments[0].arg == "request"


def test_functions_views_and_modules_stay_within_their_size_limits() -> None:
    too_long = []
    for module, path in modules().items():
        place = str(path.relative_to(BASE))
        if len(path.read_text().splitlines()) > MODULE_LINES:
            too_long.append(place)
        for function in functions(path):
            is_view = "views" in module.split(".") and takes_a_request(function)
            limit = VIEW_LINES if is_view else FUNCTION_LINES
            lines = (function.end_lineno or 0) - function.lineno + 1
            if lines > limit:
                too_long.append(f"{place}::{function.name} ({lines} lines, {limit} allowed)")
    assert [each for each in too_long if each.split(" (")[0] not in OVER] == []


def test_every_function_is_annotated() -> None:
    bare = []
    for path in [*modules().values(), BASE / "manage.py", *(BASE / "scripts").glob("*.py")]:
        for function in functions(path):
            spec = function.args
            arguments = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *filter(None, [spec.vararg, spec.kwarg])]
            unsaid = [each.arg for each in arguments if each.annotation is None and each.arg not in {"self", "cls"}]
            if unsaid or function.returns is None:
                bare.append(f"{path.relative_to(BASE)}::{function.name} {unsaid}")
    assert bare == []


def templates() -> list[Path]:
    return sorted((BASE / "templates").rglob("*.html"))


def test_templates_stay_within_their_size_limits() -> None:
    sizes = {str(path.relative_to(BASE)): len(path.read_text().splitlines()) for path in templates()}
    assert {name: lines for name, lines in sizes.items() if lines > TEMPLATE_LINES and name not in OVER} == {}


TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*\btype=[\"']?application/(?:ld\+)?json\b)", re.IGNORECASE)
INLINE_STYLE = re.compile(r"<style\b|\sstyle\s*=", re.IGNORECASE)
INLINE_HANDLER = re.compile(r"\son[a-z]+\s*=\s*[\"']", re.IGNORECASE)
FROM_ELSEWHERE = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"'](?:https?:)?//", re.IGNORECASE)


def forbidden_in_template(text: str) -> list[str]:
    """Return what the content security policy would refuse to run or load."""
    text = TEMPLATE_TAG.sub("", text)
    rules = {"script": INLINE_SCRIPT, "style": INLINE_STYLE, "handler": INLINE_HANDLER, "elsewhere": FROM_ELSEWHERE}
    return [name for name, pattern in rules.items() if pattern.search(text)]


def test_no_template_contains_what_the_content_policy_refuses() -> None:
    found = {str(path.relative_to(BASE)): forbidden_in_template(path.read_text()) for path in templates()}
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<script>alert(1)</script>", ["script"]),
        ('<script type="module">import "x"</script>', ["script"]),
        ('<script type="application/ld+json">{}</script>', []),
        ('<script id="x" type="application/json">{}</script>', []),
        ('<script src="/static/a.js" defer></script>', []),
        ('<p style="color: red">', ["style"]),
        ('{% include "part.html" with style="plain" %}', []),
        ("<style>p {}</style>", ["style"]),
        ('<link rel="stylesheet" href="/x.css">', []),
        ('<button onclick="go()">', ["handler"]),
        ('<img src="https://elsewhere.example/x.png">', ["elsewhere"]),
        ('<script src="//elsewhere.example/x.js">', ["elsewhere"]),
        ('<a href="https://elsewhere.example/">', []),
    ],
)
def test_the_template_rules_find_planted_violations(text: str, found: list[str]) -> None:
    assert forbidden_in_template(text) == found


def test_every_exception_to_a_size_limit_names_an_existing_file() -> None:
    known = {str(path.relative_to(BASE)) for path in [*modules().values(), *templates()]}
    assert [each for each in OVER if each.split("::")[0] not in known] == []


def test_screening_a_text_does_not_load_scikit_learn() -> None:
    _, loaded = loaded_by_the_site()
    assert "discussion.screening.rules.screen" in loaded
    assert [name for name in loaded if name.split(".")[0] in ("sklearn", "scipy")] == []
