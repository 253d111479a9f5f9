"""A Chromium that no driver controls: it is attached to a page only while it is asked something, never to workers.

Messages go through a pipe (``--remote-debugging-pipe``): JSON, each ending with a zero byte.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from select import select
from typing import Any

from tests.support.needs import CHROMIUM_SWITCHES
from tests.support.subprocesses import wait_until

LONGEST, PATIENCE = 60, 10  # seconds to wait for a whole browser, and for one response
# The shell passes stdin and stdout on to the browser as the two file descriptors it expects.
AS_PIPE = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'


class NotSaid(Exception):
    """Raised if the browser refused, or if the page is in no state to answer."""


class PlainChromium:
    """A running browser with its profile in a folder."""

    def __init__(self, program: str, folder: Path) -> None:
        switches = [*CHROMIUM_SWITCHES, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={folder}"]
        self.process = subprocess.Popen(
            ["sh", "-c", AS_PIPE, "sh", program, *switches, "about:blank"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.numbers, self.said = count(1), b""
        assert wait_until(lambda: bool(self.pages()), LONGEST)

    def close(self) -> None:
        """End the browser with all its processes."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=LONGEST)

    def ask(self, method: str, session: str = "", **what: Any) -> dict[str, Any]:
        """Send one command and return its answer; events that the browser sends unasked are ignored."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": what, **({"sessionId": session} if session else {})}
        assert self.process.stdin
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        self.process.stdin.flush()
        while (answer := json.loads(self._read())).get("id") != number:
            pass
        if "error" in answer:
            raise NotSaid(answer["error"]["message"])
        return dict(answer["result"])

    def _read(self) -> bytes:
        """Return the next message. A page whose process has died answers nothing."""
        assert self.process.stdout
        while b"\0" not in self.said:
            if not select([self.process.stdout], [], [], PATIENCE)[0]:
                raise NotSaid("no answer")
            more = os.read(self.process.stdout.fileno(), 65536)
            assert more, "the browser is gone"
            self.said += more
        message, _, self.said = self.said.partition(b"\0")
        return message

    def pages(self) -> list[dict[str, Any]]:
        """Return the tabs, in no particular order."""
        return [each for each in self.ask("Target.getTargets")["targetInfos"] if each["type"] == "page"]

    def open(self, address: str) -> str:
        """Open a new tab and return its id."""
        return str(self.ask("Target.createTarget", url=address)["targetId"])

    def reload(self, tab: str) -> None:
        """Reload a tab as the reload button does, even if its process has died."""
        with self.attached(tab) as session:
            self.ask("Page.reload", session)

    @contextmanager
    def attached(self, tab: str) -> Iterator[str]:
        session = self.ask("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        try:
            yield session
        finally:
            self.ask("Target.detachFromTarget", sessionId=session)

    def look(self, tab: str, script: str) -> Any:
        """Evaluate an expression in a tab's page; returns its value, or that of the promise it gives."""
        with self.attached(tab) as session:
            said = self.ask("Runtime.evaluate", session, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in said:
            raise NotSaid(str(said["exceptionDetails"]))
        return said["result"].get("value")

    def kill_renderers(self) -> int:
        """SIGKILL every process that draws pages or runs their workers, as when memory is short; returns how many."""
        pids = self._renderers()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        # A tab can be reloaded once the browser has noticed; anything sent earlier goes to the dead process.
        assert wait_until(lambda: not pids & self._renderers())
        return len(pids)

    def _renderers(self) -> set[int]:
        found = self.ask("SystemInfo.getProcessInfo")["processInfo"]
        return {each["id"] for each in found if each["type"] == "renderer"}
