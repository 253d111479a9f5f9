"""The player of 0.1.0 as the server and the browser's storage see it (static/js/sitting of that release)."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from practice.learners.reads.identity import Owner
from practice.models import PracticeSession
from practice.sessions.ending.finish import finish
from practice.sessions.player import save as saving
from practice.sessions.player.check import check
from practice.sessions.player.reads.page import remaining_ms
from practice.sessions.player.rules import read_batch
from questions.models import Solution


@dataclass
class Tab:
    """What a test must know about an open tab."""

    player: Player
    told: dict[str, Any]


def wrong(session: PracticeSession) -> int:
    """Return the position of the first question answered wrong."""
    found = session.items.filter(is_correct=False).order_by("position").first()
    assert found, "everything was right: choose another seed"
    return int(found.position)


class Player:
    """A page that claims its session, keeps a record of what is queued, and sends it."""

    def __init__(self, session: PracticeSession, owner: Owner, now: dt.datetime) -> None:
        self.session, self.owner = session, owner
        self.writer = saving.claim(session.uuid, owner, now).writer
        self.positions = list(session.items.order_by("position").values_list("position", flat=True))
        self.record: dict[str, Any] = {"writer": self.writer, "n": 0, "items": {}, "checks": {}, "hints": []}
        self.states: dict[int, dict[str, Any]] = {}
        self.requests: list[dict[str, Any]] = []
        self.now = now

    def answer(self, position: int, right: bool, seconds: int = 30, other: bool = False) -> None:
        """Choose the right options, or wrong ones, and add the change to the record."""
        item = self.session.items.get(position=position)
        key = Solution.objects.get(version=item.version_id).key_mask
        places = range(len(item.option_order))
        good = [place for place in places if key >> int(item.option_order[place], 16) & 1]
        bad = [place for place in places if place not in good]
        chosen = good if right else bad[-len(good) :] if other else bad[: len(good)]
        self._put(position, {"sel": chosen, "sec": seconds})

    def _put(self, position: int, change: dict[str, Any]) -> None:
        blank = {"sel": [], "out": [], "flag": False, "conf": None, "seen": True, "sec": 0}
        state = self.states[position] = {**self.states.get(position, blank), **change}
        self.record["n"] += 1
        marks = {"seq": self.record["n"], "at": int(self.now.timestamp() * 1000), "mine": True}
        self.record["items"][str(position)] = {"p": position, **state, **marks}

    def send(self, now: dt.datetime) -> None:
        """Send everything to the server, which acknowledges it."""
        body = json.dumps({"writer": self.writer, "items": list(self.record["items"].values())})
        saving.save(self.session.uuid, self.owner, read_batch(body.encode()), now)
        self.record["items"], self.now = {}, now

    def change(self, position: int, now: dt.datetime, checks: bool) -> None:
        """Record what is done offline: a changed answer, three new ones, a flag and a struck-out option."""
        self.now = now
        self.answer(position, right=True, seconds=55)
        fresh = self.positions[3:6]
        for each in fresh:
            self.answer(each, right=True, seconds=25)
        self._put(self.positions[0], {"flag": True})
        if fresh:
            self._put(fresh[-1], {"out": [self._struck(fresh[-1])], "conf": 2})
        if checks:
            self.record["checks"] = {str(position): "check"}
            self.record["hints"] = fresh[-1:]

    def _struck(self, position: int) -> int:
        chosen = self.states[position]["sel"]
        return next(place for place in range(4) if place not in chosen)

    def check(self, position: int, now: dt.datetime) -> None:
        """Check an answer that the server already has."""
        entry = {"p": position, **self.states[position], "seq": self.record["n"]}
        batch = read_batch(json.dumps({"writer": self.writer, "items": [entry]}).encode())
        check(self.session.uuid, self.owner, batch.items[0], self.writer, now)

    def tab(self, who: str, reloaded: bool) -> Tab:
        """Return the page as it waits for the server to come back, with the requests it will then send, in order."""
        base = f"/practice/sessions/{self.session.uuid}/"
        tab_id = self.session.uuid.hex[:16]
        writer = None if reloaded else self.writer
        checked = {int(place) for place in self.record["checks"]}
        items = {entry["p"]: entry for entry in self.record["items"].values()}
        saved = [entry for place, entry in sorted(items.items()) if place not in checked]
        requests: list[dict[str, Any]] = [{"path": f"{base}claim/", "body": {}}] if reloaded else []
        if saved:
            requests.append({"path": f"{base}save/", "body": {"writer": writer, "items": saved}})
        requests += [
            {"path": f"{base}check/", "body": {"writer": writer, "items": [items[place]]}} for place in sorted(checked)
        ]
        requests += [{"path": f"{base}hints/{place}/", "body": {}} for place in self.record["hints"]]
        return Tab(
            self,
            {
                "who": who,
                "uuid": str(self.session.uuid),
                "address": base,
                "mode": self.session.mode,
                "questions": len(self.positions),
                "writer": self.writer,
                "requests": requests,
                "local_storage": {f"sitting:{self.session.uuid}:{tab_id}": self.record} if items else {},
                "session_storage": {"sitting-tab": tab_id},
                "held": {str(place): state for place, state in sorted(self.states.items())},
            },
        )

    def end(self, now: dt.datetime) -> dict[str, Any]:
        """Return this release's response to the queue and to submitting; nothing of either is stored."""
        with transaction.atomic():
            left = remaining_ms(PracticeSession.objects.get(pk=self.session.pk), now)
            writer = PracticeSession.objects.values_list("writer", flat=True).get(pk=self.session.pk)
            body = {"writer": writer, "items": list(self.record["items"].values())}
            saved = saving.save(self.session.uuid, self.owner, read_batch(json.dumps(body).encode()), now)
            done = finish(self.session.uuid, self.owner, now)
            transaction.set_rollback(True)
        assert not saved.refused, saved.refused
        return {"remaining": left, "late": sorted(saved.late), "score": done.score, "total": done.total}
