"""The house rules of docs/architecture.md: who may import whom, the ladder inside an app, sizes, templates."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

BASE = Path(__file__).resolve().parent.parent
APPS = ("courseiva", "questions", "practice", "discussion")
MAY_IMPORT = {
    "courseiva": {"questions", "practice", "discussion"},
    "practice": {"questions"},
    "discussion": {"questions"},
    "questions": set(),
}

PURE, MODELS, SELECTORS, TASKS, WRITE, FORMS, VIEWS = range(7)
STEP_NAMES = ("pure", "models", "selectors", "tasks", "write", "forms", "views")
# Every module stands on one step and imports from its own step or a lower one. A folder's name stands for all in it.
LADDER: dict[str, dict[int, str]] = {
    "courseiva": {
        PURE: "accounts.naming counters environment logs study_plan",
        MODELS: "accounts.apps accounts.groups accounts.guards accounts.models celery settings cache"
        " static_files told_paths",
        SELECTORS: "accounts.adapter accounts.passkeys study_guide",
        TASKS: "accounts.tasks",
        WRITE: "accounts.deletion accounts.demo accounts.renaming demo_data accounts.mail",
        FORMS: "accounts.forms",
        VIEWS: "accounts.admin accounts.gone accounts.management accounts.passkey_views accounts.step_up accounts.views"
        " adoption apps checks discovery guides health home management metrics middleware outages refusals requests"
        " search styleguide"
        " templatetags urls wsgi",
    },
    "questions": {
        PURE: "bank_checks bank_file bank_folder bank_table"
        " blueprint_shares collection_rules documents draft draft_diff exam_file glossary"
        " item_figures lint load_report masks module_file formats module_html module_lint module_text rich_text"
        " text_caps waivers word_diff yaml_fields",
        MODELS: "addresses apps errors models",
        SELECTORS: "breakdowns drafts exporting heads reporters selectors structured_data",
        TASKS: "tasks",
        WRITE: "adding bank_loading desk editing import_jobs importing module_loading outcomes publishing rechecking"
        " reporting",
        FORMS: "editor_forms forms import_form",
        VIEWS: "admin caching management templatetags urls views",
    },
    "practice": {
        PURE: "advice answer_logs assembly calibration classical evaluation exposure growth marginal misses pass_chance"
        " readiness response_files scheduling scoring tallies triplets wire",
        MODELS: "apps errors models",
        SELECTORS: "drills due identity keys networks picking selectors zones",
        TASKS: "tasks",
        WRITE: "analysis calibrating cards checking choosing classifying finishing forgetting items learners notebook"
        " plans predictions rationing regrading reading rebuilding saving starting statistics withholding",
        FORMS: "choice_form forms regrade_form",
        VIEWS: "admin guards management templatetags urls views",
    },
    "discussion": {
        PURE: "likeness markup references screening wordings",
        MODELS: "apps errors models",
        SELECTORS: "selectors",
        TASKS: "tasks",
        WRITE: "claims deciding digest holding limits mailing moderation posting reporting settling snapshots standing"
        " subscribing voting",
        FORMS: "forms queue_forms",
        VIEWS: "admin management templatetags urls views",
    },
}
NOT_PURE = ("django", "allauth", "celery", "whitenoise")
# What goes over a size, by "path" or "path::function", with the reason.
OVER: dict[str, str] = {}
FUNCTION_LINES, VIEW_LINES, MODULE_LINES, TEMPLATE_LINES = 40, 25, 400, 150


@dataclass(frozen=True)
class Import:
    """One import of one of our own modules."""

    by: str
    of: str
    in_function: bool


def modules() -> dict[str, Path]:
    """Our modules by dotted name, without migrations."""
    found = {}
    for app in APPS:
        for path in sorted((BASE / app).rglob("*.py")):
            parts = path.relative_to(BASE).with_suffix("").parts
            if "migrations" not in parts and "__pycache__" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), str(path))


def step_of(module: str) -> int | None:
    """The declared step of a module: its own name's, or that of the longest folder above it."""
    app, _, rest = module.partition(".")
    declared = {name: step for step, names in LADDER[app].items() for name in names.split()}
    while rest:
        if rest in declared:
            return declared[rest]
        rest = rest.rpartition(".")[0]
    return None


def imported_names(module: str, path: Path) -> Iterator[tuple[str, bool]]:
    """Every absolute name a module imports, and whether a function does it. `from a import b` gives a.b and a."""
    tree = tree_of(path)
    inner = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inner) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
            start = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*start, *([node.module] if node.module else [])])
            yield source, id(node) in inner
            yield from ((f"{source}.{alias.name}", id(node) in inner) for alias in node.names)


@cache
def own_imports() -> tuple[Import, ...]:
    """Every import of ours by ours. Of `from a.b import c` only a.b.c where that is a module, else a.b."""
    ours = modules()
    found = set()
    for module, path in ours.items():
        names = list(imported_names(module, path))
        for name, in_function in names:
            deeper = any(other.startswith(f"{name}.") and other in ours for other, _ in names)
            if name in ours and name != module and not deeper:
                found.add(Import(module, name, in_function))
    return tuple(sorted(found, key=lambda each: (each.by, each.of)))


def is_a_folder_of_nothing(module: str) -> bool:
    """A package whose __init__ holds no code, and the app itself, stand on no step."""
    path = modules()[module]
    bare = all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree_of(path).body)
    return path.name == "__init__.py" and (bare or module in APPS)


def test_no_app_imports_an_app_it_may_not() -> None:
    wrong = [
        f"{each.by} imports {each.of}"
        for each in own_imports()
        if (mine := each.by.split(".")[0]) != (other := each.of.split(".")[0]) and other not in MAY_IMPORT[mine]
    ]
    assert wrong == []


def test_every_module_stands_on_a_declared_step() -> None:
    undeclared = [name for name in modules() if not is_a_folder_of_nothing(name) and step_of(name) is None]
    assert undeclared == [], "name the module in LADDER above, on the lowest step its imports allow"


def test_no_module_is_declared_twice() -> None:
    for app, steps in LADDER.items():
        names = [name for each in steps.values() for name in each.split()]
        assert sorted(names) == sorted(set(names)), app


def test_a_module_imports_only_from_its_own_step_or_a_lower_one() -> None:
    wrong = []
    for each in own_imports():
        if each.by.split(".")[0] != each.of.split(".")[0]:
            continue
        mine, other = step_of(each.by), step_of(each.of)
        if mine is None or other is None or other <= mine:
            continue
        if each.in_function and (mine, other) == (TASKS, WRITE):
            continue  # a task's body imports the one write function it calls
        wrong.append(f"{each.by} ({STEP_NAMES[mine]}) imports {each.of} ({STEP_NAMES[other]})")
    assert wrong == []


def test_modules_import_each_other_in_no_circle() -> None:
    later = {(each.by, each.of) for each in own_imports() if each.in_function}
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for each in own_imports():
        if (each.by, each.of) not in later:
            graph[each.by].add(each.of)
    while free := {name for name, needs in graph.items() if not needs}:
        graph = {name: needs - free for name, needs in graph.items() if name not in free}
    assert graph == {}, f"a circle among: {sorted(graph)}"


def test_pure_modules_know_no_framework() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, path in modules().items()
        if step_of(module) == PURE
        for name, _ in imported_names(module, path)
        if name.split(".")[0] in NOT_PURE
    ]
    assert wrong == []


def test_only_courseiva_receives_signals() -> None:
    wrong = [
        f"{module} imports {name}"
        for module, path in modules().items()
        for name, _ in imported_names(module, path)
        if name in {"django.dispatch", "django.db.models.signals"} or name.endswith(".signals")
        if not (module.startswith("courseiva.") and name in {"django.dispatch", "allauth.account.signals"})
    ]
    assert wrong == []


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def takes_a_request(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether this is a view: its first argument is the request."""
    arguments = function.args.posonlyargs + function.args.args
    return bool(arguments) and arguments[0].arg == "request"


def test_functions_views_and_modules_are_small() -> None:
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


def test_templates_are_small() -> None:
    sizes = {str(path.relative_to(BASE)): len(path.read_text().splitlines()) for path in templates()}
    assert {name: lines for name, lines in sizes.items() if lines > TEMPLATE_LINES and name not in OVER} == {}


TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{#.*?#\}", re.DOTALL)
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*\btype=[\"']?application/(?:ld\+)?json\b)", re.IGNORECASE)
INLINE_STYLE = re.compile(r"<style\b|\sstyle\s*=", re.IGNORECASE)
INLINE_HANDLER = re.compile(r"\son[a-z]+\s*=\s*[\"']", re.IGNORECASE)
FROM_ELSEWHERE = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"'](?:https?:)?//", re.IGNORECASE)


def forbidden_in_template(text: str) -> list[str]:
    """What the content security policy would refuse to run or load."""
    text = TEMPLATE_TAG.sub("", text)
    rules = {"script": INLINE_SCRIPT, "style": INLINE_STYLE, "handler": INLINE_HANDLER, "elsewhere": FROM_ELSEWHERE}
    return [name for name, pattern in rules.items() if pattern.search(text)]


def test_no_template_holds_what_the_policy_refuses() -> None:
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
def test_the_template_rules_find_what_they_must(text: str, found: list[str]) -> None:
    assert forbidden_in_template(text) == found


def test_what_may_go_over_a_size_exists() -> None:
    known = {str(path.relative_to(BASE)) for path in [*modules().values(), *templates()]}
    assert [each for each in OVER if each.split("::")[0] not in known] == []
