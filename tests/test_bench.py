"""Check the bench's own rules: when a step is held, what counts as a response or as an error, and its tables."""

from __future__ import annotations

import contextlib
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from questions.formats.rules.items import Skipped
from tests.bench.banks import table as banks_table
from tests.bench.crowd import Answer, Answers, Crowd, Visitor, whole_answer
from tests.bench.held import Step, most_held, steps_to
from tests.bench.load import Load, joined
from tests.bench.machine import Memory, family, memory_of, used_seconds
from tests.bench.memory import memory_table
from tests.bench.recall import Known, silent
from tests.bench.table import PAGE, markdown, replaced
from tests.support.subprocesses import BASE

SECTIONS = ("requests", "pages", "learners", "memory", "growth", "analysis", "calibration", "readiness", "items",
            "health", "banks", "costs", "visits", "saving")  # fmt: skip


def step(learners: int, slow: int = 0, errors: int = 0) -> Step:
    """Return a step of 100 saves, of which this many took longer than the bound."""
    times = [10.0] * (100 - slow) + [300.0] * slow
    return Step(learners, Answers(1.0, times, ["500"] * errors), 0.5, 0.5)


@pytest.mark.parametrize(
    ("slow", "errors", "held"), [(0, 0, True), (5, 0, True), (6, 0, False), (0, 1, False), (100, 0, False)]
)
def test_a_step_is_held_with_95_of_100_within_the_bound_and_no_error(slow: int, errors: int, held: bool) -> None:
    assert step(300, slow, errors).held == held


def test_a_step_without_a_single_answer_is_not_held() -> None:
    assert not Step(300, Answers(1.0, []), 0, 0).held


def test_steps_after_a_failed_one_are_not_held() -> None:
    assert most_held([step(100), step(200), step(300, errors=1), step(400)]) == 200
    assert most_held([step(100, errors=1), step(200)]) == 0
    assert most_held([step(200), step(100)]) == 200


def test_the_last_step_is_the_number_requested() -> None:
    assert (steps_to(10), steps_to(300), steps_to(250)) == ([10], [100, 200, 300], [100, 200, 250])


def test_a_quantile_is_the_time_within_which_that_share_finished() -> None:
    load = joined([Load(1, [float(n) for n in range(51, 101)]), Load(3, [float(n) for n in range(1, 51)])])
    assert (load.quantile(0.5), load.quantile(0.95), load.quantile(1.0)) == (50, 95, 100)
    assert load.rate == 25
    assert Load(1, [7.0]).quantile(0.95) == 7


def test_a_response_is_complete_when_all_its_bytes_have_arrived() -> None:
    sent = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    assert whole_answer(sent) == Answer(200, b"hello")
    assert [whole_answer(sent[:n]) for n in (0, 20, len(sent) - 1)] == [None] * 3
    led = b"HTTP/1.1 302 Found\r\nLocation: /there/\r\nContent-Length: 0\r\n\r\n"
    assert whole_answer(led) == Answer(302, b"", "/there/")
    assert whole_answer(b"HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n") == Answer(404, b"")
    with pytest.raises(ConnectionError):
        whole_answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")


class Handler(http.server.BaseHTTPRequestHandler):
    """Responds with the status that the path names, and hangs up if it is 0."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        status = int(self.path[1:])
        if not status:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@contextlib.contextmanager
def a_server() -> Iterator[int]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Caller(Visitor):
    """A visitor who requests these paths one after the other, and keeps requesting the last one."""

    def __init__(self, *paths: str) -> None:
        self.paths = list(paths)
        self.asked = self.heard = self.most_open = 0

    def ask(self) -> bytes:
        self.asked += 1
        self.most_open = max(self.most_open, self.asked - self.heard)
        path = self.paths.pop(0) if len(self.paths) > 1 else self.paths[0]
        return f"GET /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    def hear(self, answer: Answer) -> str:
        self.heard += 1
        return "" if (answer.status, answer.body) == (200, b"hello") else f"status {answer.status}"


def run(*callers: Caller, every: float = 0.0, arrivals: float | None = None) -> Answers:
    with a_server() as port:
        crowd = Crowd(port, callers)
        try:
            return crowd.run(0.2, every, arrivals)
        finally:
            crowd.close()


def test_a_visitor_waits_for_the_response_before_the_next_request() -> None:
    callers = [Caller("200"), Caller("200")]
    found = run(*callers)
    assert all(caller.most_open == 1 < caller.heard for caller in callers)
    assert (len(found.times), found.errors) == (sum(caller.heard for caller in callers), [])


def test_a_visitor_who_takes_time_to_think_makes_fewer_requests() -> None:
    callers = [Caller("200") for _ in range(3)]
    assert len(run(*callers, every=60).times) == 1, "the starts are spread over the minute"
    assert [caller.asked for caller in callers] == [1, 0, 0]


def test_arrivals_may_be_spread_over_longer_than_a_pause() -> None:
    callers = [Caller("200") for _ in range(3)]
    run(*callers, arrivals=60)
    assert callers[0].asked > 1
    assert [caller.asked for caller in callers[1:]] == [0, 0]


class Passer(Caller):
    """A visitor who requests again at once, but leaves after this many turns."""

    def __init__(self, turns: int) -> None:
        super().__init__("200")
        self.turns = turns

    def hear(self, answer: Answer) -> str:
        self.kind = f"turn {self.asked}"
        self.at_once, self.over = True, self.asked == self.turns
        return super().hear(answer)


def test_a_visitor_may_continue_without_a_pause_and_leave() -> None:
    found = run(Passer(3), every=60)
    assert {kind: len(times) for kind, times in found.by_kind.items()} == {"turn 1": 1, "turn 2": 1, "turn 3": 1}
    assert (len(found.times), found.errors) == (3, [])


def test_a_wrong_response_is_an_error_and_has_no_time() -> None:
    found = run(Caller("500", "404", "200"))
    assert found.errors == ["status 500", "status 404"]
    assert found.times


def test_a_connection_that_ends_is_an_error() -> None:
    found = run(Caller("200", "0"))
    assert (len(found.times), len(found.errors)) == (1, 1)


def test_an_unreachable_server_is_an_error() -> None:
    with a_server() as port:
        pass
    crowd = Crowd(port, [Caller("200")])
    found = crowd.run(0.01)
    crowd.close()
    assert (found.times, len(found.errors)) == ([], 1)


def test_the_memory_and_cpu_time_of_this_process_are_reported() -> None:
    assert os.getpid() in family(os.getppid())
    held = memory_of(os.getpid())
    assert 1 < held.proportional <= held.resident
    assert used_seconds([os.getpid()]) > 0
    assert used_seconds([2**22 + 1]) == 0


def test_a_new_process_has_no_start_time() -> None:
    told = memory_table({"web": Memory(20, 10)}, {"web": Memory(40, 30), "child": Memory(2, 1)})
    assert told.splitlines()[2:] == ["| web | 10 | 20 | 30 | 40 |", "| child |  |  | 1 | 2 |"]


def test_a_table_is_written_as_markdown() -> None:
    assert markdown(["a", "b"], [["x", "1"]]) == "| a | b |\n| --- | ---: |\n| x | 1 |"


def test_a_page_whose_time_grows_with_the_bank_is_named() -> None:
    small, large = (
        {"search": (10.0, 5.0, 4), "exam page": (10.0, 5.0, 7)},
        {"search": (30.0, 5.0, 4), "exam page": (16.0, 5.0, 7)},
    )
    told = banks_table((300, 30_000), (small, large)).splitlines()
    assert told[2:4] == [
        "| search | 10.0 (5.0, 4) | 30.0 (5.0, 4) | 3.00 |",
        "| exam page | 10.0 (5.0, 7) | 16.0 (5.0, 7) | 1.60 |",
    ]
    assert "exam page, 1.60" in told[-1]
    assert "1.5)" in told[-1]


def test_figures_replace_only_their_own_section() -> None:
    page = (
        "<!-- figures: a -->\nold\n<!-- end of figures: a -->\nwords\n<!-- figures: b -->\n<!-- end of figures: b -->"
    )
    assert replaced(page, "a", "new") == page.replace("old", "new")
    assert replaced(replaced(page, "b", "x"), "b", "y") == replaced(page, "b", "y")
    with pytest.raises(ValueError, match="no place for c"):
        replaced(page, "c", "new")


def test_every_section_has_a_place_in_the_document() -> None:
    for name in SECTIONS:
        replaced(PAGE.read_text(), name, "")


def test_a_missing_question_is_reported_only_with_a_reason_for_its_own_lines() -> None:
    lamp, tool = Known("whichlamp", ("blue",), frozenset()), Known("whichtool", ("saw",), frozenset())
    text = b"Which lamp?\nblue\n\nWhich tool?\nsaw\n\nAn essay.\n"
    of_lamp, of_tool = Skipped(1, "question", "has no answer"), Skipped(4, "question", "has no answer")
    essay = Skipped(7, "essay", "is an essay")
    assert silent(text, [lamp], [], [of_tool, essay]) == [lamp]
    assert silent(text, [lamp, tool], [], [of_lamp, of_tool, essay]) == []
    assert silent(text, [lamp], [], [Skipped(1, "file", "file is a picture")]) == []


@pytest.mark.long("many processes")
@pytest.mark.long("many processes")
def test_the_bench_starts_without_any_setting() -> None:
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, "-m", "tests.bench", "--help"]
    assert subprocess.run(command, env=bare, cwd=BASE, capture_output=True, check=False).returncode == 0
