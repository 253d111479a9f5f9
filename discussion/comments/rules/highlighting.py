"""Code in comments with keywords, strings and comments highlighted: three classes that the stylesheet colours.

A single pass of a pattern without backtracking, over text from strangers; docs/decisions/0037 says why not Pygments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

PREFIX = "language-"
TEXT = r"\"[^\"\n]*\"?|'[^'\n]*'?"
HASH, SLASHES, DASHES = r"\#[^\n]*", r"//[^\n]*", r"--[^\n]*"
WORD = r"[^\W\d]\w*"


@dataclass(frozen=True)
class Language:
    """How comments begin, and the reserved words. ``folds``: case is ignored."""

    comment: str
    keywords: frozenset[str]
    folds: bool = False

    def pieces(self, code: str) -> Iterator[tuple[str, str]]:
        """The text's pieces in order, each with its class; "" for most."""
        place = 0
        for match in re.finditer(rf"(?P<c>{self.comment})|(?P<s>{TEXT})|(?P<word>{WORD})", code):
            yield "", code[place : match.start()]
            yield self._class_of(match), match.group()
            place = match.end()
        yield "", code[place:]

    def _class_of(self, match: re.Match[str]) -> str:
        if match.lastgroup != "word":
            return match.lastgroup or ""
        word = match.group().lower() if self.folds else match.group()
        return "k" if word in self.keywords else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


PYTHON = Language(HASH, _words(
    "and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|"
    "lambda|match|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False"
))  # fmt: skip
SHELL = Language(
    HASH, _words("if|then|else|elif|fi|for|in|do|done|while|until|case|esac|function|return|export|set|local")
)
YAML = Language(HASH, _words("true|false|null|yes|no"))
TERRAFORM = Language(
    HASH, _words("resource|data|module|variable|output|provider|locals|terraform|for|in|if|true|false|null")
)
SQL = Language(DASHES, _words(
    "select|from|where|and|or|not|null|is|in|between|like|join|left|right|inner|outer|full|cross|on|using|group|by|"
    "order|having|limit|offset|as|case|when|then|else|end|distinct|union|all|insert|into|values|update|set|delete|"
    "create|replace|table|view|with|over|partition|asc|desc|exists|cast|except|model|options"
), folds=True)  # fmt: skip
JSON = Language(r"(?!)", _words("true|false|null"))
JAVASCRIPT = Language(SLASHES, _words(
    "async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|finally|for|from|function|"
    "if|import|in|instanceof|let|new|null|of|return|static|super|switch|this|throw|true|false|try|typeof|undefined|var|"
    "while|yield"
))  # fmt: skip
JAVA = Language(SLASHES, _words(
    "abstract|boolean|break|case|catch|class|continue|default|do|double|else|extends|final|finally|float|for|if|"
    "implements|import|instanceof|int|interface|long|new|null|package|private|protected|public|return|static|super|"
    "switch|this|throw|throws|true|false|try|void|while"
))  # fmt: skip
GO = Language(SLASHES, _words(
    "break|case|chan|const|continue|default|defer|else|false|fallthrough|for|func|go|goto|if|import|interface|map|nil|"
    "package|range|return|select|struct|switch|true|type|var"
))  # fmt: skip
LANGUAGES = {
    **dict.fromkeys(("python", "py", "python3"), PYTHON),
    **dict.fromkeys(("bash", "sh", "shell", "console"), SHELL),
    **dict.fromkeys(("yaml", "yml"), YAML),
    **dict.fromkeys(("hcl", "terraform", "tf"), TERRAFORM),
    **dict.fromkeys(("javascript", "js"), JAVASCRIPT),
    "sql": SQL,
    "json": JSON,
    "java": JAVA,
    "go": GO,
}
"""Names for languages; a block in any other stays plain."""


def language_of(classes: str | None) -> Language | None:
    """A code block's declared language; None if unknown."""
    name = next((each.removeprefix(PREFIX) for each in (classes or "").split() if each.startswith(PREFIX)), "")
    return LANGUAGES.get(name.lower())


def highlighted(code: str, language: Language) -> str:
    """Code as HTML, word for word, with its pieces highlighted."""
    pieces = ((name, escape(words)) for name, words in language.pieces(code))
    return "".join(f'<span class="{name}">{words}</span>' if name else words for name, words in pieces)
