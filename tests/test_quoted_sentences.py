"""Tests ask for states, roles, codes and addresses, not for sentences, so that wording can be edited without them.

A quotation is a string of three or more words (two of them of letters) that a test demands of what it tests: in an
`assert`, in a comparison, as `match` of `pytest.raises`, or in a look-up of a page by its words. A name read only in
such places stands for the values that a loop, an assignment or `parametrize` gives it. These aren't quotations:
addresses and selectors, the message of an `assert`, the arguments of a compared call
(`rules("Do it now, please") == []`), and data that the tests made themselves, which also occurs outside any assertion
in the same file, in a conftest or in the support modules.

What remains are texts whose exact words matter: a legal text, rendered Markdown, a search excerpt.
"""

import ast
import html
import re
from collections.abc import Container, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest

CEILING = 51
TESTS = Path(__file__).parent
LOOK_UPS = {"get_by_text", "get_by_label", "get_by_title", "get_by_role", "get_by_alt_text", "get_by_placeholder",
            "to_have_text", "to_contain_text", "to_have_title", "to_have_accessible_name", "assertContains",
            "assertNotContains", "raises", "warns", "search", "match", "fullmatch", "findall", "finditer", "count",
            "index", "find", "rfind", "startswith", "endswith", "split", "partition", "replace"}  # fmt: skip
WORDED = {"has_text", "has_not_text"}
SELECTING = {"select", "select_one", "locator", "query_selector", "query_selector_all", "reverse", "wait_for_selector"}
PATTERN = re.compile(r"\\[nsdwb]\+?")
TAG = re.compile(r"</?[a-z][^<>]*>")
SPOKEN = re.compile(r"(?:aria-label|title|alt|placeholder)=[\"']([^\"'<>]*)")
CODE = re.compile(r"https?://|^\s*[/#.<:^]|[{}|\[\]=_]|--|\bSELECT\b|\bINSERT\b|\.(?:py|html|md|yaml)\b")
WORD = r"[^\W_]+(?:['\u2019-][^\W_]+)*"
WORDS = re.compile(rf"(?:[(“\"]?{WORD}[)”\"%,;:.?!]*(?:\s+|$)){{3,}}")


def is_sentence(text: str) -> bool:
    """Return whether people would read this as words: three in a row, once tags are taken out."""
    text = PATTERN.sub(" ", text)
    spoken = [html.unescape(TAG.sub(" ", text)), *SPOKEN.findall(text)]
    return any(
        sum(word.isalpha() for word in re.findall(WORD, run.group())) > 1
        for each in spoken if not CODE.search(each)
        for run in WORDS.finditer(each)
    )  # fmt: skip


def plain(text: str) -> str:
    """Return a text without tags, spacing and the numbers that distinguish one row from another."""
    return re.sub(r"\d+", "0", " ".join(TAG.sub(" ", text).split()))


@lru_cache(maxsize=2)
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes below a tree; cached because it is searched five times and walking takes most of the time."""
    return tuple(ast.walk(tree))


def called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def reached(tree: ast.AST, compared: bool = False) -> Iterator[ast.AST]:
    """Yield a node and those below it, except what selects elements and what a compared call is given."""
    yield tree
    compared = compared or isinstance(tree, ast.Compare)
    below = ast.iter_child_nodes(tree)
    if isinstance(tree, ast.Call) and (called(tree) in SELECTING or (compared and called(tree) not in LOOK_UPS)):
        below = iter([tree.func])
    for child in below:
        yield from reached(child, compared)


def strings(nodes: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    return (node for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def demands(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions in which a test says what it demands."""
    for node in nodes(tree):
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.Compare):
            yield node
        elif isinstance(node, ast.Call) and called(node) in LOOK_UPS:
            yield from [*node.args, *(each.value for each in node.keywords)]
        elif isinstance(node, ast.keyword) and node.arg in WORDED:
            yield node.value


def bound(target: ast.AST, value: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield each name with an expression that gives it its value; tuples are unpacked as Python would."""
    if isinstance(target, ast.Name) and not isinstance(value, ast.Call):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for part, given in zip(target.elts, value.elts, strict=True):
            yield from bound(part, given)


def bindings(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    named = constants(tree)
    for node in nodes(tree):
        if isinstance(node, ast.Assign):
            yield from (pair for target in node.targets for pair in bound(target, node.value))
        elif isinstance(node, ast.For | ast.comprehension):
            rows = named.get(node.iter.id, node.iter) if isinstance(node.iter, ast.Name) else node.iter
            yield from (pair for each in getattr(rows, "elts", []) for pair in bound(node.target, each))
        elif isinstance(node, ast.Call) and called(node) == "parametrize" and len(node.args) > 1:
            names, rows = node.args[0], node.args[1]
            given = names.value if isinstance(names, ast.Constant) else [getattr(e, "value", "") for e in names.elts]
            parts = re.findall(r"\w+", given) if isinstance(given, str) else given
            target = ast.Tuple([ast.Name(part) for part in parts]) if len(parts) > 1 else ast.Name(parts[0])
            yield from (pair for each in getattr(rows, "elts", []) for pair in bound(target, each))


def demanded(tree: ast.Module) -> dict[int, ast.Constant]:
    """Return every string that a module demands, by identity, so that nested places count once."""
    inside = {id(node): node for place in demands(tree) for node in reached(place)}
    found = {id(each): each for each in strings(inside.values())}
    read = [node for node in nodes(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    only_demanded = {node.id for node in read} - {node.id for node in read if id(node) not in inside}
    for name, value in bindings(tree):
        if name in only_demanded:
            found |= {id(each): each for each in strings(reached(value))}
    messages = {id(node) for place in nodes(tree) if isinstance(place, ast.Assert) and place.msg
                for node in ast.walk(place.msg)}  # fmt: skip
    return {key: each for key, each in found.items() if key not in messages}


def text_of(constant: ast.Constant) -> str:
    return constant.value.decode(errors="replace") if isinstance(constant.value, bytes) else str(constant.value)


def constants(tree: ast.AST) -> dict[str, ast.expr]:
    """Return what the module gives its names, with the last value of each."""
    return {node.targets[0].id: node.value for node in nodes(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)}  # fmt: skip


def filled(part: ast.AST, known: dict[str, ast.expr]) -> str:
    """Return a piece of an f-string; a value counts as 0 (see ``plain``) unless it is one of the module's strings."""
    value = part.value if isinstance(part, ast.FormattedValue) else part
    value = known.get(value.id, value) if isinstance(value, ast.Name) else value
    return text_of(value) if isinstance(value, ast.Constant) else "0"


def made_in(tree: ast.AST, demanded: Container[int] = ()) -> str:
    """Return the strings that a module holds as data, one on each line."""
    data, known = [node for node in nodes(tree) if id(node) not in demanded], constants(tree)
    whole = ("".join(filled(part, known) for part in node.values) for node in data
             if isinstance(node, ast.JoinedStr) and not any(id(part) in demanded for part in node.values))  # fmt: skip
    return "\n".join(plain(each) for each in (*map(text_of, strings(data)), *whole))


@cache
def made_by_support() -> str:
    shared = [*TESTS.glob("support/*.py"), *TESTS.rglob("conftest.py"), *TESTS.rglob("samples.py")]
    return "\n".join(made_in(ast.parse(path.read_text())) for path in shared)


def quotations(source: str, made: str = "") -> list[tuple[int, str]]:
    """Return line and words of each sentence that a module demands and neither it nor ``made`` holds as data."""
    tree = ast.parse(source)
    found = demanded(tree)
    data = made_in(tree, found) + "\n" + made
    said = [(each.lineno, text_of(each)) for each in found.values()]
    return sorted((line, text) for line, text in said if is_sentence(text) and plain(text) not in data)


def all_quotations() -> list[str]:
    return [f"{path.relative_to(TESTS.parent)}:{line}: {text!r}"
            for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__)
            for line, text in quotations(path.read_text(), made_by_support())]  # fmt: skip


def test_the_suite_quotes_few_sentences():
    found = all_quotations()
    assert len(found) <= CEILING, "\n".join(found)


@pytest.mark.parametrize(
    "source",
    [
        "assert 'You have done it' in body",
        "assert error.messages == ['Choose at least 1 option.']",
        "assert '<p>You have <b>done it</b></p>' in body",
        "assert 'aria-label=\"Question 3, open\"' in body",
        "assert b'You have done it' in body",
        "page.get_by_role('button', name='Hand it in now')",
        "with pytest.raises(ValueError, match='was done before'): pass",
        "found = 'You have done it' in body",
        "for words in ('You have done it', 'x'):\n    assert words in body",
        "WORDS = 'You have done it'\nassert WORDS in body",
        "said = ['You have done it', 'x']\nplaces = [body.index(each) for each in said]",
        "@pytest.mark.parametrize('field, said', [('a', 'You have done it')])\n"
        "def test(field, said):\n    assert said in go(field)",
        "assert body.count('You have done it') == 1",
        "assert says(body, 'You have done it')",
        "page.locator('p', has_text='You have done it').click()",
        "assert re.search(r'You have \\d+ left over', body)",
        "assert f'You have done {n}' in body",
    ],
)
def test_an_asserted_sentence_is_found(source):
    assert len(quotations(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "assert done, 'You have done it'",
        "assert page.select_one('form ol li')",
        "assert 'a short' in body",
        "assert '/one two three/' in body",
        'assert \'data-state="done" data-code="x"\' in body',
        "note = save('You have done it')\nassert note.text == 'You have done it'",
        "for one in ('You have done it', 'x'):\n    assert 'overlap' in rules(one)",
        "save(f'You have {n} in it')\nassert 'You have 3 in' in body",
        "assert 'overlap' in rules('You have done it', right=True)",
        "save('Well: You have done it')\nassert 'You have done it' in body",
    ],
)
def test_strings_that_are_not_quotations_are_ignored(source):
    assert quotations(source) == []
