"""Foretelling the next answer of held-out learners in anybody's log."""

import gzip
import itertools
import math
import re

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from practice.measurement.ability.rules import belief as readiness
from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief, follow, newcomer, update
from practice.measurement.laboratory.rules import evaluation
from practice.measurement.laboratory.rules.answer_logs import LoggedAnswer, read_log
from practice.measurement.laboratory.rules.evaluation import (
    LOG_POPULATION,
    Difficulties,
    Part,
    area_under_curve,
    calibration_error,
    evaluate,
    figures,
    parts_of,
    pass_through,
)
from practice.measurement.laboratory.rules.response_files import BadFileError
from practice.readiness.reads import outlooks

HEAD = "learner,item,domain,correct,timestamp"


def a_log(learners=120, answers=40, items=60, seed=1):
    """Abilities and difficulties N(0, 1), three domains; the last fifth of the learners is held out."""
    rng = np.random.default_rng(seed)
    difficulties = rng.normal(0, 1, items)
    rows, chances = [], []
    for learner in range(learners):
        ability = rng.normal()
        for item in rng.permutation(items)[:answers].tolist():
            chances.append(1 / (1 + math.exp(difficulties[item] - ability)))
            right, test = bool(rng.random() < chances[-1]), learner >= learners * 4 // 5
            rows.append(LoggedAnswer(f"l{learner}", f"i{item}", f"d{item % 3}", right, 0.0, test))
    return rows, np.array(chances)


# Figures


def test_the_area_under_the_curve_is_the_share_of_pairs_in_the_right_order():
    rng = np.random.default_rng(1)
    chances, right = np.round(rng.random(80), 1), (rng.random(80) < 0.6).astype(float)
    pairs = itertools.product(chances[right == 1], chances[right == 0])
    share = np.mean([(hit > miss) + 0.5 * (hit == miss) for hit, miss in pairs])
    assert area_under_curve(chances, right) == pytest.approx(share)


def test_the_area_is_not_defined_where_all_answers_are_alike():
    assert math.isnan(area_under_curve(np.array([0.2, 0.7]), np.ones(2)))
    assert math.isnan(area_under_curve(np.array([0.2, 0.7]), np.zeros(2)))


def test_figures_by_hand():
    found = figures(np.array([0.9, 0.8, 0.3, 1.0]), np.array([1.0, 0.0, 0.0, 1.0]))
    assert found.predictions == 4
    assert found.auc == pytest.approx(1.0)
    assert found.log_loss == pytest.approx(-(math.log(0.9) + math.log(0.2) + math.log(0.7)) / 4)
    assert found.rmse == pytest.approx(math.sqrt((0.01 + 0.64 + 0.09) / 4))
    assert found.calibration == pytest.approx((0.1 + 0.8 + 0.3) / 4)


def test_errors_within_a_bin_cancel_and_between_bins_do_not():
    assert calibration_error(np.array([0.55, 0.55]), np.array([1.0, 0.1])) == pytest.approx(0)
    assert calibration_error(np.array([0.45, 0.65]), np.array([1.0, 0.1])) == pytest.approx(0.55)


def test_no_prediction_is_no_figure():
    with pytest.raises(ValueError, match="prediction"):
        evaluate([LoggedAnswer("l", "i", "d", True, 0.0, False)])


# The site's own functions


def test_it_is_the_very_function_of_the_site():
    assert evaluation.update is readiness.update
    assert evaluation.chance is readiness.chance
    assert outlooks.update is readiness.update
    assert outlooks.newcomer is readiness.newcomer


def test_every_answer_goes_through_them(monkeypatch):
    calls = {"update": 0, "chance": 0}

    def counted(name):
        original = getattr(readiness, name)

        def call(*args):
            calls[name] += 1
            return original(*args)

        return call

    for name in calls:
        monkeypatch.setattr(evaluation, name, counted(name))
    log, _ = a_log(20, 10)
    evaluate(log)
    assert calls == {"update": 200, "chance": 40}


def test_a_learner_is_followed_as_the_site_follows_one():
    log, _ = a_log(1, 30)
    difficulties, given = Difficulties(), []
    chances = pass_through(log, difficulties, LOG_POPULATION, learn=False)
    met = dict.fromkeys(("d0", "d1", "d2"), 0)
    numbers = {name: place for place, name in enumerate(dict.fromkeys(answer.domain for answer in log))}
    for answer in log:
        belief = difficulties.belief(parts_of(answer, met[answer.domain]))
        met[answer.domain] += 1
        given.append(GivenAnswer(0.0, numbers[answer.domain], answer.item, belief, answer.right))
    expected = [
        readiness.chance(follow(given[:place], LOG_POPULATION), each, LOG_POPULATION)
        for place, each in enumerate(given)
    ]
    assert chances == expected


def test_only_the_past_foretells():
    log, _ = a_log(10, 20)
    turned = [*log[:-5], *(LoggedAnswer(a.learner, a.item, a.domain, not a.right, 0.0, a.test) for a in log[-5:])]
    one, two = (pass_through(each, Difficulties(), LOG_POPULATION, learn=False) for each in (log, turned))
    assert one[:-4] == two[:-4]
    assert one[-4:] != two[-4:]


def test_held_out_learners_teach_nothing():
    log, _ = a_log(40, 20)
    difficulties = Difficulties()
    pass_through([answer for answer in log if not answer.test], difficulties, LOG_POPULATION, learn=True)
    known = dict(difficulties.known)
    pass_through([answer for answer in log if answer.test], difficulties, LOG_POPULATION, learn=False)
    assert difficulties.known == known


def test_one_part_learns_what_the_question_learns():
    answer = GivenAnswer(0.0, 0, "i", ItemBelief(0.0, 1.5, 1.0, 0.0), False)
    done = update(newcomer(LOG_POPULATION), answer, LOG_POPULATION)
    difficulties = Difficulties()
    difficulties.learn([Part("i", 1.0, 1.5)], answer.belief, done.belief)
    assert difficulties.known["i"] == pytest.approx((done.belief.difficulty, done.belief.variance))


def test_parts_share_what_is_learned_by_their_variances():
    parts, before = [Part("a", 1.0, 0.9), Part("b", -2.0, 0.1)], ItemBelief(0.0, 1.3)
    difficulties = Difficulties()
    assert difficulties.belief(parts).variance == pytest.approx(1.3)
    difficulties.learn(parts, before, ItemBelief(0.65, 1.0))
    assert difficulties.known["a"][0] == pytest.approx(0.9 * 0.5)
    assert difficulties.known["b"][0] == pytest.approx(-2 * 0.1 * 0.5)
    assert difficulties.belief(parts).difficulty == pytest.approx(0.45 + 0.2)


def test_it_comes_close_to_who_knows_everything():
    """Against an oracle that knows every ability and difficulty, on 3,200 held-out answers."""
    log, truth = a_log(400, 40)
    held_out = np.array([answer.test for answer in log])
    right = np.array([float(answer.right) for answer in log])
    oracle, found = figures(truth[held_out], right[held_out]), evaluate(log)
    assert found.predictions == held_out.sum()
    assert oracle.auc - 0.06 < found.auc < oracle.auc + 0.01
    assert found.log_loss < oracle.log_loss + 0.04
    assert found.calibration < 0.04


def test_practice_that_helps_everybody_is_foretold(monkeypatch):
    rng = np.random.default_rng(2)
    log = []
    for learner in range(150):
        for place in range(20):
            right = bool(rng.random() < (0.2 if place < 5 else 0.9))
            log.append(LoggedAnswer(f"l{learner}", f"i{rng.integers(200)}", "d", right, 0.0, learner >= 120))
    found = evaluate(log)
    monkeypatch.setattr(evaluation, "PRACTICE_VARIANCE", 1e-9)
    assert found.auc > evaluate(log).auc + 0.02


def test_a_guess_rate_lifts_every_chance():
    log, _ = a_log(30, 10)
    low = pass_through(log, Difficulties(0.5), LOG_POPULATION, learn=False)
    assert min(low) > 0.5


# Reading


def written(tmp_path, *lines, name="log.csv"):
    path = tmp_path / name
    text = "\n".join(lines) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def test_a_log_is_read(tmp_path):
    lines = (HEAD + ",part,note", "ann,1,x,1,0,train,a", "bob,1,x,0,86400,test,", " ann ,2,y,TRUE,43200,train,c")
    for name in ("log.csv", "log.csv.gz"):
        assert read_log(written(tmp_path, *lines, name=name)) == [
            LoggedAnswer("ann", "1", "x", True, 0.0, False),
            LoggedAnswer("bob", "1", "x", False, 1.0, True),
            LoggedAnswer("ann", "2", "y", True, 0.5, False),
        ]


def test_times_may_be_written_out_or_left_away(tmp_path):
    rows = ("a,1,x,1,1970-01-03T12:00:00Z,train", "a,1,x,1,,train", "b,1,x,1,1970-01-02,test", "c,1,x,1,,test")
    assert [answer.days for answer in read_log(written(tmp_path, HEAD + ",part", *rows))] == [2.5, 2.5, 1.0, 0.0]


def test_without_parts_a_fifth_of_the_learners_is_held_out_whole_and_always_the_same(tmp_path):
    rows = [f"learner{number % 500},{number},x,1,0" for number in range(1000)]
    answers = read_log(written(tmp_path, HEAD, *rows))
    held_out = {answer.learner for answer in answers if answer.test}
    assert 70 <= len(held_out) <= 130
    assert held_out.isdisjoint({answer.learner for answer in answers if not answer.test})
    assert "learner1" in held_out
    assert "learner0" not in held_out


@pytest.mark.parametrize(
    ("rows", "line", "named"),
    [
        (["a,1,x,2,0,train"], 2, "'2'"),
        (["a,1,x,1,0,train", "a,1,x,,0,train"], 3, "''"),
        ([",1,x,1,0,train"], 2, "learner"),
        (["a,,x,1,0,train"], 2, "item"),
        (["a,1,,1,0,train"], 2, "domain"),
        (["a,1,x,1,soon,train"], 2, "'soon'"),
        (["a,1,x,1,inf,train"], 2, "'inf'"),
        (["a,1,x,1,0,later"], 2, "'later'"),
        (["a,1,x,1,0,train", "a,1,x,1,0,test"], 3, "'a'.*part"),
        (["a,1,x,1,9,train", "a,1,x,1,8,train"], 3, "order"),
        (["a,1,x,1,0"], 2, "cells"),
        (["a,1,x,1,0,train,9"], 2, "cells"),
        (['a,1,x,1,0,"train'], "[23]", "end"),
        (["a,1,x,1,0,train"], None, "to test"),
        (["a,1,x,1,0,test"], None, "to train"),
        ([], None, "to train"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, rows, line, named):
    with pytest.raises(BadFileError, match=f"line {line}: .*{named}" if line else named):
        read_log(written(tmp_path, HEAD + ",part", *rows))


def test_missing_columns_are_named(tmp_path):
    with pytest.raises(BadFileError, match="line 1: .*domain, timestamp"):
        read_log(written(tmp_path, "learner,item,correct", "a,1,1"))
    (tmp_path / "empty.csv").touch()
    with pytest.raises(BadFileError, match="line 1: "):
        read_log(tmp_path / "empty.csv")


def test_what_is_no_text_or_no_file_is_refused(tmp_path):
    binary, torn = tmp_path / "a.csv", tmp_path / "b.csv.gz"
    binary.write_bytes(b"\xff\xfe\x00learner")
    torn.write_bytes(gzip.compress(b"learner" * 999)[:30])
    for path in (binary, torn, tmp_path / "absent.csv"):
        with pytest.raises(BadFileError, match="cannot be read|UTF-8"):
            read_log(path)


# The command


def test_the_command_prints_one_line_for_each_figure(tmp_path, capsys):
    log, _ = a_log(40, 20)
    rows = [f"{a.learner},{a.item},{a.domain},{int(a.right)},,{'test' if a.test else 'train'}" for a in log]
    call_command("evaluate_predictions", str(written(tmp_path, HEAD + ",part", *rows)))
    lines = capsys.readouterr().out.splitlines()
    assert re.findall(r"\d+", lines[0]) == ["800", "160"]
    assert lines[1] == f"AUC: {evaluate(log).auc:.4f}"
    assert [line.split(":")[0] for line in lines[2:4]] == ["log-loss", "RMSE"]
    assert all(float(line.split(":")[1]) >= 0 for line in lines[4:])
    assert len(lines) == 6


def test_the_command_names_the_file_and_the_line(tmp_path):
    path = written(tmp_path, HEAD, "a,1,x,3,0")
    with pytest.raises(CommandError, match=r"\.csv: line 2: .*'3'"):
        call_command("evaluate_predictions", str(path))
    for impossible in ("1", "-0.1", "some"):
        with pytest.raises(CommandError, match="--guess"):
            call_command("evaluate_predictions", str(path), "--guess", impossible)
