"""``calibrate_file`` reads published tables, and files as people really have them. No test here touches a database."""

import csv
import gzip
import io
import math
import re

import numpy as np
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from practice.measurement.laboratory.rules.response_files import BadFileError, read_responses
from tests.practice.response_data import lsat
from tests.support.subprocesses import run_python

COLUMNS = ["item", "a", "d", "b", "se_a", "se_d", "n"]
CLASSICAL = ["facility", "facility_low", "facility_high", "item_total", "item_rest"]


def wide(matrix):
    """Return the matrix as the text of a wide file."""
    head = ["learner", *(f"Item {place + 1}" for place in range(matrix.shape[1]))]
    lines = [head, *([f"taker {row + 1}", *cells] for row, cells in enumerate(matrix.tolist()))]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def run(tmp_path, text, *options, model="2pl", name="responses.csv"):
    """Run the command on this text; return the items it wrote and the text it printed."""
    source, out = tmp_path / name, tmp_path / "items.csv"
    source.write_text(text)
    printed = io.StringIO()
    call_command("calibrate_file", str(source), "--model", model, "--out", str(out), *options, stdout=printed)
    with out.open() as file:
        return list(csv.DictReader(file)), printed.getvalue()


def column(items, name):
    return np.array([float(item[name]) for item in items])


def pairs(file):
    """Return the learner and item of each answer."""
    return list(zip(file.answers.learner.tolist(), file.answers.item.tolist(), strict=True))


def figure(printed, name):
    """Return the number printed after ``name:``."""
    return float(printed.split(f"{name}: ")[1].split()[0])


# Sources in data/README.md.
TOTALS = {6: [924, 709, 553, 763, 870], 7: [828, 658, 772, 606, 843]}
FITS = {
    (6, "2pl"): ([0.825, 0.723, 0.890, 0.689, 0.657], [2.773, 0.990, 0.249, 1.285, 2.054], -2466.653),
    (7, "2pl"): ([0.988, 1.081, 1.707, 0.765, 0.736], [1.856, 0.808, 1.805, 0.486, 1.854], -2658.805),
    (6, "rasch"): ([0.755] * 5, [2.730, 0.999, 0.240, 1.307, 2.100], -2466.938),
    (7, "rasch"): ([1.011] * 5, [1.868, 0.791, 1.461, 0.521, 1.993], None),
}
ERRORS = {6: [0.2581, 0.1867, 0.2326, 0.1852, 0.2100], 7: [0.1773, 0.1688, 0.3204, 0.1341, 0.1512]}
ITEM_TOTAL = {6: [0.3620, 0.5668, 0.6184, 0.5344, 0.4354], 7: [0.530, 0.600, 0.611, 0.592, 0.461]}
ITEM_REST = {6: [0.1128, 0.1532, 0.1728, 0.1444, 0.1216], 7: [0.246, 0.247, 0.313, 0.223, 0.175]}
ALPHA = {6: 0.2950, 7: 0.453}


@pytest.mark.parametrize("section", [6, 7])
def test_the_tables_sum_to_the_published_totals(section):
    matrix = lsat(section)
    assert matrix.shape == (1000, 5)
    assert matrix.sum(axis=0).tolist() == TOTALS[section]


@pytest.mark.parametrize(("section", "model"), FITS)
def test_fits_match_the_published_ones(tmp_path, section, model):
    items, printed = run(tmp_path, wide(lsat(section)), "--prior", "none", model=model)
    a, d, log_likelihood = FITS[section, model]
    assert list(items[0]) == COLUMNS
    assert [item["item"] for item in items] == [f"Item {n}" for n in range(1, 6)]
    np.testing.assert_allclose(column(items, "a"), a, atol=0.002)
    np.testing.assert_allclose(column(items, "d"), d, atol=0.002)
    np.testing.assert_allclose(column(items, "b"), -column(items, "d") / column(items, "a"), atol=1e-5)
    assert column(items, "n").tolist() == [1000] * 5
    if log_likelihood:
        assert figure(printed, "log-likelihood") == pytest.approx(log_likelihood, abs=0.001)


@pytest.mark.parametrize("section", [6, 7])
def test_standard_errors_of_the_slopes_match_the_published_ones(tmp_path, section):
    items, _ = run(tmp_path, wide(lsat(section)))
    np.testing.assert_allclose(column(items, "se_a"), ERRORS[section], rtol=0.003)


@pytest.mark.parametrize("section", [6, 7])
def test_classical_figures_match_the_published_ones(tmp_path, section):
    items, printed = run(tmp_path, wide(lsat(section)), "--classical")
    assert list(items[0]) == COLUMNS + CLASSICAL
    np.testing.assert_allclose(column(items, "facility"), np.array(TOTALS[section]) / 1000, atol=1e-6)
    np.testing.assert_allclose(column(items, "item_total"), ITEM_TOTAL[section], atol=0.0005)
    np.testing.assert_allclose(column(items, "item_rest"), ITEM_REST[section], atol=0.0005)
    assert figure(printed, "alpha") == pytest.approx(ALPHA[section], abs=0.0005)


def long_form(matrix):
    return "learner,item,correct\n" + "".join(
        f"{row},i{place},{cell}\n" for row, cells in enumerate(matrix.tolist()) for place, cell in enumerate(cells)
    )


def chosen_form(matrix):
    """Return the matrix as chosen letters: A is right and B wrong, and the row with the key is in the middle."""
    lines = wide(matrix).splitlines()
    body = [
        line.rsplit(",", 5)[0] + "," + ",".join("BA"[int(cell)] for cell in line.split(",")[1:]) for line in lines[1:]
    ]
    return "\n".join([lines[0], *body[:500], "key,A,A,A,A,A", *body[500:]])


@pytest.mark.parametrize("form", [long_form, chosen_form])
def test_the_three_forms_of_a_file_give_the_same_result(tmp_path, form):
    items, printed = run(tmp_path, form(lsat(7)), "--classical")
    expected, printed_before = run(tmp_path, wide(lsat(7)), "--classical")
    for name in (COLUMNS + CLASSICAL)[1:]:
        np.testing.assert_allclose(column(items, name), column(expected, name), atol=2e-6)
    for name in ("log-likelihood", "alpha"):
        assert figure(printed, name) == figure(printed_before, name)


def test_a_gzipped_file_is_read(tmp_path):
    packed = tmp_path / "responses.csv.gz"
    packed.write_bytes(gzip.compress(wide(lsat(6)).encode()))
    assert len(read_responses(packed).answers) == 5000


def test_a_wrong_key_is_flagged_with_its_figures(tmp_path):
    text = chosen_form(lsat(7)).replace("key,A,A,A,A,A", "KEY,A,A,B,A,A")
    items, printed = run(tmp_path, text, "--classical")
    assert figure(printed, "miskey flags") == 1
    assert re.search(r"^miskey\? Item 3 A: .*0\.7720.* 0\.3132$", printed, re.M)
    assert re.search(r"^option: Item 3 B, .*0\.2280.* -0\.3132$", printed, re.M)
    assert float(items[2]["a"]) < 0
    _, printed = run(tmp_path, chosen_form(lsat(7)))
    assert figure(printed, "miskey flags") == 0
    assert "option:" not in printed


def test_several_options_are_compared_as_a_set(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("learner,q1,q2\nKey,A+C,B\nann,C + A,B\nbob,A,\ncy,A+C+D,C\n")
    file = read_responses(path)
    assert file.learners == ("ann", "bob", "cy")
    assert file.answers.correct.tolist() == [True, True, False, False, False]
    assert file.choices.options == (("A", "C", "D"), ("B", "C"))
    assert file.choices.keys == (frozenset("AC"), frozenset("B"))
    picked = [
        (int(k), file.choices.options[file.answers.item[k]][o])
        for k, o in zip(file.choices.answer, file.choices.option, strict=True)
    ]
    assert picked == [(0, "A"), (0, "C"), (1, "B"), (2, "A"), (3, "A"), (3, "C"), (3, "D"), (4, "C")]


def test_blanks_count_as_unanswered(tmp_path):
    path = tmp_path / "r.csv"
    for text in (
        "learner,a,b,c\nx,1,,NA\ny,0, ,1\n",
        "learner,item,correct\nx,a,1\ny,a,0\nx,b,\ny,b,NA\nx,c,nan\ny,c,1\n",
    ):
        path.write_text(text)
        file = read_responses(path)
        assert file.items == ("a", "b", "c")
        assert sorted(pairs(file)) == [(0, 0), (1, 0), (1, 2)]


def test_an_item_without_a_maximum_is_marked_as_such(tmp_path):
    matrix = np.hstack([lsat(6), np.ones((1000, 1), int)])
    items, printed = run(tmp_path, wide(matrix))
    assert items[5]["d"] == "inf"
    assert items[5]["se_d"] == "inf"
    assert items[5]["a"] == "nan"
    assert figure(printed, "log-likelihood") == pytest.approx(-2466.653, abs=0.001)
    assert np.isfinite(column(run(tmp_path, wide(matrix), "--prior", "wide")[0], "d")).all()


def test_alpha_is_refused_where_there_are_blanks(tmp_path):
    _, printed = run(tmp_path, wide(lsat(6)).replace("taker 7,0", "taker 7,"))
    assert not re.search(r"^alpha: +[\d.]", printed, re.M)


def test_byte_order_marks_windows_line_endings_quotes_and_extra_columns_are_read(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes(
        b'\xef\xbb\xbf"Item","when","Learner","CORRECT"\r\n"a, b",1,x,1\r\n\r\n c ,2,x,0.0\r\n"a, b",3,y,True\r\n'
    )
    file = read_responses(path)
    assert file.items == ("a, b", "c")
    assert file.learners == ("x", "y")
    assert file.answers.correct.tolist() == [True, False, True]


BAD = {
    "": "the file is empty",
    "\n\n": "the file is empty",
    "learner,a\n": "no answers",
    "learner,a\nx,\n": "no answers",
    "who,a\nx,1\n": "line 1: needs a column 'learner'",
    "learner,item\nx,1\ny,maybe\n": "line 3: item 'item': 'maybe' is neither 0 nor 1 nor blank",
    "learner,a,a\nx,1,1\n": "line 1: two columns are called 'a'",
    "learner,a,\nx,1,1\n": "line 1: column 3 has no name",
    "learner,a,b\nx,1,1\ny,1\n": "line 3: has 2 cells where the header has 3",
    "learner,a,b\nx,1,1,1\n": "line 2: has 4 cells where the header has 3",
    "learner,a\nx,2\n": "line 2: item 'a': '2' is neither",
    "learner,a\nx,1\n,0\n": "line 3: has no learner",
    "learner,a\nx,1\nx,0\n": "line 3: learner 'x' has a line already",
    "learner,a\nKEY,A\nx,A\nkey,B\n": "line 4: a second key; the first is on line 2",
    "learner,a,b\nKEY,A,\nx,A,B\n": "line 2: item 'b' has no key",
    "learner,a\nKEY,A\nx,A+\n": "line 3: item 'a': an option is missing beside '+'",
    "learner,item,correct\nx,a,1\n\nx,a,0\n": "line 4: learner 'x' has answered item 'a' on line 2 already",
    "learner,item,correct\nx,,1\n": "line 2: has no item",
    "learner,item,correct\n,a,1\n": "line 2: has no learner",
    "learner,item,correct\nx,a,right\n": "line 2: item 'a': 'right' is neither",
    "learner,item,correct\nx,a\n": "line 2: has 2 cells where the header has 3",
    'learner,a\nx,"1\n': "line 2: unexpected end of data",
    'learner,a\nx,"1"1\n': "line 2: ',' expected",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_file_is_refused_with_line_and_reason_and_nothing_is_written(tmp_path, text):
    with pytest.raises(CommandError) as refusal:
        run(tmp_path, text)
    assert BAD[text] in str(refusal.value)
    assert "responses.csv" in str(refusal.value)
    assert [path.name for path in tmp_path.iterdir()] == ["responses.csv"]


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("r.csv", b"learner,a\nx,1\ny,\xff\n", UnicodeDecodeError),
        ("r.csv.gz", b"learner,a\nx,1\n", OSError),
        ("r.csv.gz", gzip.compress(b"learner,a\nx,1\n" * 9, mtime=0)[:-9], EOFError),
        ("r.csv", None, FileNotFoundError),
    ],
)
def test_a_binary_file_is_refused(tmp_path, name, content, cause):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFileError) as refusal:
        read_responses(tmp_path / name)
    assert isinstance(refusal.value.__cause__, cause)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text('learnitmco,\n"01+KEYAB ', max_size=80).map(str.encode))
def test_any_file_is_either_read_whole_or_refused(tmp_path, content):
    path = tmp_path / "r.csv"
    path.write_bytes(b"learner,a,b\n" + content)
    try:
        file = read_responses(path)
    except BadFileError:
        return
    assert len(file.answers) == len(file.answers.learner) == len(file.answers.correct) > 0
    assert len(set(pairs(file))) == len(file.answers)


cells = st.lists(st.lists(st.sampled_from(["", "0", "1"]), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cells.filter(lambda rows: any(cell for row in rows for cell in row)))
def test_wide_and_long_files_give_the_same_result(tmp_path, rows):
    one, other = tmp_path / "wide.csv", tmp_path / "long.csv"
    one.write_text("a,learner,b,c\n" + "".join(f"{x},l{n},{y},{z}\n" for n, (x, y, z) in enumerate(rows)))
    other.write_text(
        "learner,item,correct\n"
        + "".join(f"l{n},{i},{cell}\n" for n, row in enumerate(rows) for i, cell in zip("abc", row, strict=True))
    )
    mine, theirs = read_responses(one), read_responses(other)
    assert (mine.learners, mine.items) == (theirs.learners, theirs.items)
    for name in ("learner", "item", "correct"):
        np.testing.assert_array_equal(getattr(mine.answers, name), getattr(theirs.answers, name))


def test_an_output_file_that_cannot_be_written_is_refused(tmp_path):
    source = tmp_path / "r.csv"
    source.write_text(wide(lsat(6)[::50]))
    for out in (tmp_path / "nowhere" / "items.csv", source / "items.csv"):
        with pytest.raises(CommandError, match=re.escape(str(out))):
            call_command("calibrate_file", str(source), "--model", "rasch", "--out", str(out), stdout=io.StringIO())


def test_figures_are_written_to_six_decimal_places(tmp_path):
    items, _ = run(tmp_path, wide(lsat(6)))
    assert all(math.isfinite(float(items[0][name])) and len(items[0][name].split(".")[1]) == 6 for name in COLUMNS[1:6])


def test_as_a_process_the_command_needs_no_database_and_exits_with_1_on_a_bad_file(tmp_path):
    source, out = tmp_path / "r.csv", tmp_path / "items.csv"
    nowhere = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "DEBUG": "1"}
    command = ("manage.py", "calibrate_file", str(source), "--model", "rasch", "--out", str(out))
    source.write_text("learner,a\nx,2\n")
    bad = run_python(*command, timeout=60, **nowhere)
    assert bad.returncode == 1
    assert re.search(r"line 2: .*'a'.*'2'", bad.stderr)
    assert "Traceback" not in bad.stderr
    assert not out.exists()
    source.write_text(wide(lsat(6)))
    good = run_python(*command, timeout=60, **nowhere)
    assert good.returncode == 0, good.stderr
    assert "log-likelihood: -2466.9376" in good.stdout
    assert out.exists()


def test_both_commands_run_with_no_settings_at_all(tmp_path):
    """The commands need no SECRET_KEY, no DEBUG and no database."""
    source, out, log = tmp_path / "responses.csv", tmp_path / "items.csv", tmp_path / "log.csv"
    source.write_text(wide(lsat(6)))
    fitted = run_python("manage.py", "calibrate_file", str(source), "--model", "rasch", "--out", str(out))
    assert (fitted.returncode, fitted.stderr, out.exists()) == (0, "", True)
    rows = [f"{who},{item},d,{(who + item) % 2},{item}" for who in range(20) for item in range(5)]
    log.write_text("\n".join(["learner,item,domain,correct,timestamp", *rows]) + "\n")
    foretold = run_python("manage.py", "evaluate_predictions", str(log))
    assert (foretold.returncode, foretold.stderr) == (0, "")
    assert "AUC: " in foretold.stdout
    assert run_python("manage.py", "check").returncode != 0, "every other command needs its settings"
