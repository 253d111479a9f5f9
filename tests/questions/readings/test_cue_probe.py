"""Check that the cue probe finds planted cues and otherwise does no better than chance."""

import dataclasses
import io
import random

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from questions.bank_files.readings.rules.items import Item, Unit
from questions.bank_files.readings.rules.probe.features import FEATURES, features_of
from questions.bank_files.readings.rules.probe.fit import hits, shuffled_key, table_of
from questions.bank_files.readings.rules.probe.probe import guess, probe
from tests.questions.readings.bank import an_exam_folder
from tests.questions.test_bank_loading import EXAM
from tests.support.hooks import figures

WORDS = [f"{a}{b}" for a in "bdfglmnprst" for b in ("ar", "en", "il", "on", "um")]


def item(key: str, unit: str, right: int, cue: str = "", seed: int = 0) -> Item:
    """Return a question of random words with ``cue`` at the end of the right option."""
    draw = random.Random(seed)
    texts = [" ".join(draw.choices(WORDS, k=8)) for _ in range(4)]
    if cue:
        texts[right - 1] += cue
    return Item(key, unit, "one", "reserved", "single", "easy", "A mill.", tuple(enumerate(texts, 1)), (right,))


def lone(number: int, cue: str = "") -> list[Unit]:
    draw = random.Random(5)
    return [Unit(f"u{n}", (item(f"q{n}", f"u{n}", draw.randint(1, 4), cue, n),)) for n in range(number)]


def families(number: int) -> list[Unit]:
    """Return families in which every option is the key once, so that nothing in the options can give it away."""
    return [
        Unit(f"f{n}", tuple(item(f"f{n}-{right}", f"f{n}", right, seed=n) for right in (1, 2, 3, 4)))
        for n in range(number)
    ]


def test_the_probe_finds_a_planted_cue():
    row = probe(lone(80, " so that it usually stays below 5"), shuffles=20)["all"]
    assert row.guessed.rate > 0.95
    assert not row.inside
    assert row.guessed.chance == 0.25


def test_without_a_cue_the_probe_guesses():
    assert probe(lone(120), shuffles=40)["all"].inside


def test_in_a_family_whose_options_are_each_right_once_the_probe_guesses():
    row = probe(families(20), shuffles=5)["all"]
    assert row.guessed.rate == 0.25
    assert row.guessed.questions == 80


def test_two_runs_print_the_same_figures():
    units = lone(30)
    assert probe(units, shuffles=5) == probe(units, shuffles=5)


def test_the_guesses_are_the_same_without_shuffles():
    units = lone(30)
    assert guess(units) == {name: row.guessed for name, row in probe(units, shuffles=1).items()}
    assert guess(units[:4]) == {}


def test_no_sibling_of_a_scored_question_was_trained_on():
    table = table_of(families(10))
    tested, _ = hits(table, table.key)
    assert all(len(set(tested[table.unit == unit])) == 1 for unit in range(table.units))


def test_shuffling_keeps_the_number_of_keys_and_siblings_keys_different():
    table = table_of([*families(5), *lone(5)])
    for i in range(10):
        moved = shuffled_key(table, i)
        assert (moved.sum(axis=1) == table.key.sum(axis=1)).all()
        assert not (moved & ~table.there).any()
        for unit in range(5):
            assert moved[table.unit == unit].sum(axis=0).max() == 1


def test_features_are_measured_relative_to_the_other_options():
    for unit in lone(5, " and `code` 12 always so that, usually, Cloud"):
        table = features_of(unit.first)
        assert table.shape == (4, len(FEATURES))
        assert np.allclose(table.mean(axis=0), 0)


@pytest.mark.parametrize(
    ("feature", "text"),
    [
        ("length", "one two three four five six seven eight nine"),
        ("hedges", "it can usually wait"),
        ("numbers", "wait 30 minutes"),
        ("code", "set `x`"),
        ("absolutes", "always wait"),
        ("negations", "wait without a sign"),
        ("reasons", "wait so that it ends"),
        ("parts", "wait, look and go"),
        ("proper names", "wait for Cloud Run"),
        ("overlap with the stem", "the mill turns"),
    ],
)
def test_a_feature_measures_what_it_is_named_after(feature, text):
    one = item("q", "u", 1)
    texts = ((1, text), (2, "wait there"), (3, "wait here"), (4, "wait now"))
    column = features_of(dataclasses.replace(one, options=texts))[:, list(FEATURES).index(feature)]
    assert column[0] == max(column)
    assert column[0] > column[1]


def test_the_command_prints_a_row_for_each_kind_and_domain(tmp_path):
    folder = an_exam_folder(tmp_path)
    (folder / "exam.yaml").write_text(EXAM.replace("blueprints:", "targets: {probe: 7}\nblueprints:", 1))
    out = io.StringIO()
    call_command("cue_probe", "--fixtures", str(tmp_path), "--exam", "demo", "--shuffles", "3", stdout=out)
    *rows, aim = out.getvalue().splitlines()
    assert [line.split(":")[0] for line in rows] == ["all", "reserved", "single", "one"]
    assert figures(aim) == [7]
    with pytest.raises(CommandError, match="too few"):
        call_command("cue_probe", "--fixtures", str(tmp_path), "--exam", "demo", "--waiting", stdout=out)
    (folder / "questions" / "one.yaml").write_text("domain: [")
    with pytest.raises(CommandError, match="one.yaml"):
        call_command("cue_probe", "--fixtures", str(tmp_path), "--exam", "demo", stdout=out)


def test_loaded_and_waiting_questions_each_have_a_table_of_figures(tmp_path):
    an_exam_folder(tmp_path)
    out = io.StringIO()
    call_command("bank_figures", "--fixtures", str(tmp_path), "--exam", "demo", "--no-probe", stdout=out)
    assert "**demo, loaded**" in out.getvalue()
    assert "**demo, waiting**" in out.getvalue()
    assert "| all | 6 | not read |" in out.getvalue()


@pytest.mark.parametrize("shuffles", ["0", "-3"])
def test_a_probe_without_shuffles_is_refused(tmp_path, shuffles):
    an_exam_folder(tmp_path)
    with pytest.raises(CommandError, match="--shuffles"):
        call_command("cue_probe", "--fixtures", str(tmp_path), "--exam", "demo", "--shuffles", shuffles)
