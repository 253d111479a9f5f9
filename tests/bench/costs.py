"""Measures what each action of a learner costs in processor time of the web processes, the database and the worker.

Accounts do each action in turn, one request at a time, on a site set up as in operation, on the PostgreSQL server that
DATABASE_URL names. Processor time excludes waiting, so other work on the machine hardly affects it. The database's
background processes (WAL writer, vacuum) aren't counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass

from tests.bench import capacity
from tests.bench.capacity import Cost, day_table
from tests.bench.machine import family, used_seconds
from tests.bench.pages import PAGE
from tests.bench.signed_in import JSON, OPTIONS, QUESTIONS, Person, make_accounts
from tests.bench.stack import Stack, running
from tests.bench.table import markdown
from tests.bench.visits import HUB
from tests.support.needs import find_postgres
from tests.support.player import Refused
from tests.support.scratch import rows
from tests.support.subprocesses import wait_until

LEARNERS = 24
WARM = 4
"""How many learners act first without being counted, to fill connections and caches."""
LONGEST = 60
BACKENDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
UNANALYSED = "SELECT count(*) FROM practice_practicesession WHERE finished_at IS NOT NULL AND analysed_at IS NULL"
HEAD = ["Action", "web, ms", "database, ms", "worker, ms"]
Act = Callable[[Person], None]


@dataclass(frozen=True)
class Used:
    """The processor seconds used so far."""

    web: float
    database: float
    worker: float

    @classmethod
    def now(cls, stack: Stack) -> Used:
        """Return the times so far of the site's processes and of its database connections."""
        backends = [pid for (pid,) in rows(stack.url, BACKENDS)]
        worker = family(stack.others["Celery worker"]) if stack.others else []
        return cls(*(used_seconds(pids) for pids in (family(stack.web), backends, worker)))


def measured() -> dict[str, Cost]:
    """Return the mean cost over the learners by action. Raises LookupError if there is no PostgreSQL."""
    server = find_postgres()
    if not server:
        raise LookupError("DATABASE_URL names no PostgreSQL that answers")
    with running(server) as stack:
        make_accounts(stack, LEARNERS)
        people = [Person(stack.port, number) for number in range(LEARNERS)]
        spent = {name: cost(stack, people, act) for name, act in actions()}
        return {name: each for name, each in spent.items() if name}


def cost(stack: Stack, people: Sequence[Person], act: Act) -> Cost:
    """Return the cost of one action by each learner, including what the worker does afterwards."""
    for person in people[:WARM]:
        act(person)
    settle(stack)
    before = Used.now(stack)
    for person in people[WARM:]:
        act(person)
    settle(stack)
    after = Used.now(stack)
    pairs = zip(astuple(after), astuple(before), strict=True)
    return Cost(*(1000 * (later - earlier) / (len(people) - WARM) for later, earlier in pairs))


def settle(stack: Stack) -> None:
    """Wait until every finished session is analysed."""
    assert wait_until(lambda: rows(stack.url, UNANALYSED)[0][0] == 0, LONGEST), "the analysis does not end"


def actions() -> Iterator[tuple[str, Act]]:
    """Yield the actions in the order of a visit, each with its name in the table; one without a name only prepares."""
    saves = Saves()
    yield capacity.SIGNING, Person.fill_in_the_form
    yield capacity.PUBLIC, page(PAGE)
    yield capacity.ANEW, page(f"{PAGE}?anew")
    yield capacity.HOME, page("/")
    yield capacity.HUB, page(HUB)
    yield capacity.START, start
    yield capacity.PLAYER, lambda person: page(person.session)(person)
    yield capacity.CLAIM, saves.claim
    yield capacity.SAVE, saves.one
    yield "", saves.all
    yield capacity.SUBMIT, finish
    yield capacity.RESULTS, lambda person: page(f"{person.session}results/")(person)
    yield capacity.LOOK, lambda person: page(f"{person.session}items/7/")(person)
    yield capacity.PROGRESS, page(f"{HUB}readiness/")
    yield capacity.START_DRILL, drill
    yield "", saves.claim
    yield capacity.CHECK, saves.checked


def page(path: str) -> Act:
    """Open this page."""

    def look(person: Person) -> None:
        status, _, body = person.send("GET", path, Accept_Encoding="gzip")
        if status != 200:
            raise Refused(status, body)

    return look


def start(person: Person) -> None:
    """Start a mock."""
    person.start(QUESTIONS)


def drill(person: Person) -> None:
    """Start a drill from all domains."""
    person.session = person.post(f"{HUB}drill/", size="20", order="guide")


def finish(person: Person) -> None:
    """Submit the session."""
    person.finish()


class Saves:
    """Saves one answer after another, for people whose sessions were claimed here."""

    def __init__(self) -> None:
        self.writers: dict[str, int] = {}

    def claim(self, person: Person) -> None:
        """Claim the session, as its page does when it opens."""
        self.writers[person.session] = int(person.claim()["writer"])

    def one(self, person: Person) -> None:
        """Save the first answer."""
        self.send(person, 1)

    def all(self, person: Person) -> None:
        """Save all the other answers, so that a full session is submitted."""
        self.send(person, *range(2, QUESTIONS + 1))

    def checked(self, person: Person) -> None:
        """Check the first answer of a drill, which makes it final."""
        item = {"p": 1, "seq": 1, "sel": [1], "sec": 40}
        sent = json.dumps({"writer": self.writers[person.session], "items": [item]}).encode()
        status, _, body = person.send("POST", f"{person.session}check/", sent, JSON)
        if status != 200:
            raise Refused(status, body)

    def send(self, person: Person, *positions: int) -> None:
        """Save one request's answers."""
        items = [{"p": p, "seq": 1, "sel": [(p + person.number) % OPTIONS], "sec": 40} for p in positions]
        person.save(self.writers[person.session], items)


def section() -> str:
    """Return the costs, and what a day of very many learners needs at these costs."""
    try:
        found = measured()
    except LookupError as error:
        return f"Not measured: {error}."
    lines = [[name, *(f"{each:.1f}" for each in astuple(spent))] for name, spent in found.items()]
    return f"{markdown(HEAD, lines)}\n\n{day_table(found)}"
