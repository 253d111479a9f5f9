"""The rules over files, which are found where the files are read; here they have their names."""

from __future__ import annotations

from questions.lint.rules.registry import FILE, HOUSE, REFUSE, WARN, Rule, declare

FORMAT = declare(
    Rule(
        "format",
        REFUSE,
        FILE,
        "A file or a field that cannot be read.",
        "write it as docs/bank-format.md says",
        HOUSE,
    )
)
MODULE = declare(
    Rule(
        "module",
        WARN,
        FILE,
        "A study module that breaks the rules of its kind: parts, order, lengths, check questions, code that does not"
        " parse. What cannot be read is refused.",
        "mend the module's file",
        HOUSE,
    )
)
STALE_WAIVER = declare(
    Rule(
        "stale-waiver",
        WARN,
        FILE,
        "A waiver that silences nothing any more, or names a rule that is not there or cannot be waived.",
        "take the waiver out of the file",
        HOUSE,
    )
)
