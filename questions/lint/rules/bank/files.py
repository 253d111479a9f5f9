"""The names of rules on files; their findings come from the code that reads the files."""

from __future__ import annotations

from questions.lint.rules.registry import FILE, HOUSE, REFUSE, WARN, Rule, declare

FORMAT = declare(
    Rule(
        "format",
        REFUSE,
        FILE,
        "A file or field that can’t be read.",
        "follow docs/bank-format.md",
        HOUSE,
    )
)
MODULE = declare(
    Rule(
        "module",
        WARN,
        FILE,
        "A study module that breaks its rules: parts, order, lengths, check questions, code that doesn’t"
        " parse. An unreadable module is refused.",
        "fix the module’s file",
        HOUSE,
    )
)
STALE_WAIVER = declare(
    Rule(
        "stale-waiver",
        WARN,
        FILE,
        "A waiver that no longer silences anything, or names a rule that doesn’t exist or can’t be waived.",
        "remove the waiver from the file",
        HOUSE,
    )
)
