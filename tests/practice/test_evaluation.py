"""The evaluation predicts the next answers of held-out learners, for logs of any course."""

import gzip
import itertools
import math
import re
from collections import Counter

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief, chance, newcomer, update
from practice.measurement.laboratory.rules import evaluation
from practice.measurement.laboratory.rules.abreast import Said
from practice.measurement.laboratory.rules.answer_logs import LoggedAnswer, read_log
from practice.measurement.laboratory.rules.evaluation import (
    DOMAIN_VARIANCE,
    ITEM_VARIANCE,
    LOG_POPULATION,
    PRACTICE_VARIANCE,
    Course,
    Parts,
    area_under_curve,
    calibration_error,
    evaluate,
    figures,
)
from practice.measurement.laboratory.rules.response_files import BadFileError

HEAD = "learner,item,domain,correct,timestamp"


def a_log(learners=120, answers=40, items=60, seed=1):
    """Simulate a log of three domains with N(0, 1) abilities and difficulties; a fifth of the learners is held out."""
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


def test_the_area_is_not_defined_if_all_answers_are_alike():
    assert math.isnan(area_under_curve(np.array([0.2, 0.7]), np.ones(2)))
    assert math.isnan(area_under_curve(np.array([0.2, 0.7]), np.zeros(2)))


def test_figures_match_those_worked_out_by_hand():
    found = figures(np.array([0.9, 0.8, 0.3, 1.0]), np.array([1.0, 0.0, 0.0, 1.0]))
    assert found.predictions == 4
    assert found.auc == pytest.approx(1.0)
    assert found.log_loss == pytest.approx(-(math.log(0.9) + math.log(0.2) + math.log(0.7)) / 4)
    assert found.rmse == pytest.approx(math.sqrt((0.01 + 0.64 + 0.09) / 4))
    assert found.calibration == pytest.approx((0.1 + 0.8 + 0.3) / 4)


def test_errors_within_a_bin_cancel_and_between_bins_do_not():
    assert calibration_error(np.array([0.55, 0.55]), np.array([1.0, 0.1])) == pytest.approx(0)
    assert calibration_error(np.array([0.45, 0.65]), np.array([1.0, 0.1])) == pytest.approx(0.55)


def test_without_predictions_there_is_no_figure():
    with pytest.raises(ValueError, match="prediction"):
        evaluate([LoggedAnswer("l", "i", "d", True, 0.0, False)])


# The site's own model, for many learners at once


def foretold(log, lanes=64, guess=0.0):
    """Return the predicted probability of every answer, with fixed parameters."""
    course = Course(log, guess, LOG_POPULATION)
    return course.follow(range(len(log)), learn=False, lanes=lanes)


def one_by_one(log, difficulties, guess=0.0, learn=None):
    """Predict as the site's functions do, one learner at a time: each answer's probability in the order of the log."""
    chances, states, met, numbers = [], {}, {}, {}
    for logged in log:
        before = met.setdefault(logged.learner, Counter())
        belief = difficulties(logged, before[logged.domain], guess)
        before[logged.domain] += 1
        domain = numbers.setdefault(logged.domain, len(numbers))
        given = GivenAnswer(logged.days, domain, logged.item, belief, logged.right)
        state = states.get(logged.learner, newcomer(LOG_POPULATION))
        chances.append(chance(state, given, LOG_POPULATION))
        done = update(state, given, LOG_POPULATION)
        states[logged.learner] = done.state
        if learn:
            learn(logged, belief, done.belief, before[logged.domain] - 1)
    return np.array(chances)


def at_first(logged, practised, guess):
    """Return what is assumed about a question before any answer."""
    variance = ITEM_VARIANCE + DOMAIN_VARIANCE + math.log1p(practised) ** 2 * PRACTICE_VARIANCE
    return ItemBelief(0.0, variance, 1.0, guess)


@pytest.mark.parametrize("guess", [0.0, 0.25])
@pytest.mark.parametrize("lanes", [1, 7, 64])
def test_learners_in_parallel_are_followed_as_the_site_follows_one(lanes, guess):
    """Histories have many lengths, up to eleven domains, and days or months between answers."""
    rng = np.random.default_rng(3)
    log = []
    for learner in range(23):
        days = 0.0
        for _ in range(1 + rng.integers(60)):
            days += float(rng.choice([0.0, 0.0, 0.5, 200.0]))
            item, domain = rng.integers(30), rng.integers(1 + learner % 11)
            log.append(LoggedAnswer(f"l{learner}", f"i{item}", f"d{domain}", bool(rng.random() < 0.6), days, True))
    rng.shuffle(log)
    log.sort(key=lambda answer: answer.days)
    assert foretold(log, lanes, guess) == pytest.approx(one_by_one(log, at_first, guess), abs=1e-12)


def test_only_past_answers_are_used_to_predict():
    log, _ = a_log(10, 20)
    turned = [*log[:-5], *(LoggedAnswer(a.learner, a.item, a.domain, not a.right, 0.0, a.test) for a in log[-5:])]
    one, two = foretold(log), foretold(turned)
    assert one[:-4].tolist() == two[:-4].tolist()
    assert (one[-4:] != two[-4:]).all()


def test_nothing_is_learned_from_held_out_learners():
    log, _ = a_log(40, 20)
    turned = [LoggedAnswer(a.learner, a.item, a.domain, a.right ^ a.test, a.days, a.test) for a in log]
    for each in (log, turned):
        course = Course(each, 0.0, LOG_POPULATION)
        course.follow([place for place, answer in enumerate(each) if not answer.test], learn=True)
        before = course.items.mean.copy()
        course.follow([place for place, answer in enumerate(each) if answer.test], learn=False)
        assert course.items.mean.tolist() == before.tolist()


def test_learning_from_one_answer_at_a_time_matches_the_sites_functions():
    """The parts share what an answer teaches in proportion to their variance, as linear regression does."""
    log = [answer for answer in a_log(6, 25)[0] if not answer.test]
    known = {}
    sizes = {"item": ITEM_VARIANCE, "domain": DOMAIN_VARIANCE, "practice": PRACTICE_VARIANCE}

    def parts(logged, practised):
        return (
            (("item", logged.item), 1.0),
            (("domain", logged.domain), 1.0),
            (("practice", logged.domain), -math.log1p(practised)),
        )

    def belief(logged, practised, guess):
        its = [(factor, *known.get(key, (0.0, sizes[key[0]]))) for key, factor in parts(logged, practised)]
        return ItemBelief(sum(f * m for f, m, _ in its), sum(f * f * v for f, _, v in its), 1.0, guess)

    def learn(logged, before, after, practised):
        moved = (after.difficulty - before.difficulty) / before.variance
        narrowed = (after.variance - before.variance) / before.variance**2
        for key, factor in parts(logged, practised):
            mean, variance = known.get(key, (0.0, sizes[key[0]]))
            known[key] = mean + moved * factor * variance, variance + narrowed * (factor * variance) ** 2

    expected = one_by_one(log, belief, learn=learn)
    course = Course(log, 0.0, LOG_POPULATION)
    assert course.follow(range(len(log)), learn=True, lanes=1) == pytest.approx(expected, abs=1e-9)
    item = known["item", log[0].item]
    assert (course.items.mean[0], course.items.variance[0]) == pytest.approx(item, abs=1e-9)


def test_learning_from_all_answers_at_once_gives_about_the_same_estimates():
    log, _ = a_log(200, 30)
    training = [place for place, answer in enumerate(log) if not answer.test]
    held_out = [place for place, answer in enumerate(log) if answer.test]
    right = np.array([float(log[place].right) for place in held_out])
    losses = []
    for lanes in (4, 80):
        course = Course(log, 0.0, LOG_POPULATION)
        course.follow(training, learn=True, lanes=lanes)
        losses.append(figures(course.follow(held_out, learn=False), right).log_loss)
    assert losses[1] == pytest.approx(losses[0], abs=0.003)


def test_an_answer_never_makes_a_question_more_uncertain():
    parts = Parts(2, 1.5)
    said = Said(np.array([0.5, 0.5]), np.array([0.2, 0.2]), np.array([0.05, -0.05]))
    parts.learn(np.array([0, 1]), np.ones(2), said)
    assert parts.variance.tolist() == [pytest.approx(1.5), pytest.approx(1.5 - 0.05 * 1.5**2)]


def test_predictions_come_close_to_those_of_an_oracle():
    """The oracle knows every ability and difficulty; there are 3,200 held-out answers."""
    log, truth = a_log(400, 40)
    held_out = np.array([answer.test for answer in log])
    right = np.array([float(answer.right) for answer in log])
    oracle, found = figures(truth[held_out], right[held_out]), evaluate(log)
    assert found.predictions == held_out.sum()
    assert oracle.auc - 0.06 < found.auc < oracle.auc + 0.01
    assert found.log_loss < oracle.log_loss + 0.04
    assert found.calibration < 0.04


def test_improvement_shared_by_everybody_is_predicted(monkeypatch):
    rng = np.random.default_rng(2)
    log = []
    for learner in range(150):
        for place in range(20):
            right = bool(rng.random() < (0.2 if place < 5 else 0.9))
            log.append(LoggedAnswer(f"l{learner}", f"i{rng.integers(200)}", "d", right, 0.0, learner >= 120))
    found = evaluate(log)
    monkeypatch.setattr(evaluation, "PRACTICE_VARIANCE", 1e-9)
    assert found.auc > evaluate(log).auc + 0.02


def test_a_guess_rate_raises_every_chance():
    log, _ = a_log(30, 10)
    assert foretold(log, guess=0.5).min() > 0.5


# Reading


def written(tmp_path, *lines, name="log.csv"):
    path = tmp_path / name
    text = "\n".join(lines) + "\n"
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def test_a_log_is_read_plain_or_compressed(tmp_path):
    lines = (HEAD + ",part,note", "ann,1,x,1,0,train,a", "bob,1,x,0,86400,test,", " ann ,2,y,TRUE,43200,train,c")
    for name in ("log.csv", "log.csv.gz"):
        assert read_log(written(tmp_path, *lines, name=name)) == [
            LoggedAnswer("ann", "1", "x", True, 0.0, False),
            LoggedAnswer("bob", "1", "x", False, 1.0, True),
            LoggedAnswer("ann", "2", "y", True, 0.5, False),
        ]


def test_a_time_may_be_a_date_or_missing(tmp_path):
    rows = ("a,1,x,1,1970-01-03T12:00:00Z,train", "a,1,x,1,,train", "b,1,x,1,1970-01-02,test", "c,1,x,1,,test")
    assert [answer.days for answer in read_log(written(tmp_path, HEAD + ",part", *rows))] == [2.5, 2.5, 1.0, 0.0]


def test_without_folds_the_same_fifth_of_learners_is_held_out_whole(tmp_path):
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
def test_a_faulty_row_is_reported_with_its_line(tmp_path, rows, line, named):
    with pytest.raises(BadFileError, match=f"line {line}: .*{named}" if line else named):
        read_log(written(tmp_path, HEAD + ",part", *rows))


def test_missing_columns_are_named(tmp_path):
    with pytest.raises(BadFileError, match="line 1: .*domain, timestamp"):
        read_log(written(tmp_path, "learner,item,correct", "a,1,1"))
    (tmp_path / "empty.csv").touch()
    with pytest.raises(BadFileError, match="line 1: "):
        read_log(tmp_path / "empty.csv")


def test_a_binary_or_missing_file_is_refused(tmp_path):
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
