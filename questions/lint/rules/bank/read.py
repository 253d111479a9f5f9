"""The names of rules on what readers and the cue probe find; their findings come from the code that counts it."""

from __future__ import annotations

from questions.lint.rules.registry import BANK, FILE, REFUSE, WARN, Rule, declare

READING = "House rule (docs/writing-questions.md)"

GUESSABLE = declare(
    Rule(
        "guessable",
        WARN,
        FILE,
        "A lone question whose key two readers guessed from the options alone (readings.jsonl). In the reserved pool it"
        " is refused.",
        "let the scenario decide: make it a family, or write options that another need would make right",
        READING,
    )
)
DISPUTED = declare(
    Rule(
        "disputed",
        REFUSE,
        FILE,
        "A question whose last reader of the prompt answered something other than the key (readings.jsonl).",
        "settle who is right, fix the text or the key, then have it read again",
        READING,
    )
)
OPEN_VERDICT = declare(
    Rule(
        "open-verdict",
        REFUSE,
        FILE,
        "A question in which its last reader found two defensible options or a wrong fact (readings.jsonl).",
        "fix it, then have somebody read it who hasn’t yet",
        READING,
    )
)
LEAK = declare(
    Rule(
        "leak",
        WARN,
        BANK,
        "Readers of the options alone do better than chance by more than the target, in the whole bank, a pool, a kind"
        " or a domain; or nobody has read any.",
        "let the scenario decide in the questions they got right",
        READING,
    )
)
SOUND_SHARE = declare(
    Rule(
        "sound-share",
        WARN,
        BANK,
        "Fewer questions than the target were sound to their last reader, in the whole bank, a pool, a kind or a"
        " domain. Unread ones don’t count as sound.",
        "fix what the readers noted, then have it read again",
        READING,
    )
)
GIVEN_AWAY_SHARE = declare(
    Rule(
        "given-away",
        WARN,
        BANK,
        "The wording gave away the key of more questions than the target to their last reader, in the whole bank, a"
        " pool, a kind or a domain.",
        "fix what the readers noted, then have it read again",
        READING,
    )
)
CUE_PROBE = declare(
    Rule(
        "cue-probe",
        WARN,
        BANK,
        "The cue probe finds the key more often than chance by more points than the target, over all questions or"
        " those of one pool or kind.",
        "find the feature that tells (manage.py cue_probe), and even it out among the options",
        READING,
    )
)
