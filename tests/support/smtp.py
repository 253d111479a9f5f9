"""A mail server for a test, which can refuse at any step or hang up."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Letter:
    """A message the server has accepted."""

    sender: str
    recipients: list[str]
    text: bytes


@dataclass
class MailServer:
    """The server's answers by command; ``hang_up_after`` ends the connection once that command has been answered."""

    port: int = 0
    letters: list[Letter] = field(default_factory=list)
    answers: dict[str, str] = field(default_factory=dict)
    hang_up_after: str = ""
    connections: int = 0


class Conversation(socketserver.StreamRequestHandler):
    """One connection, speaking SMTP as in RFC 5321."""

    def handle(self) -> None:
        """Answer until the client leaves."""
        server: MailServer = self.server.told  # type: ignore[attr-defined]
        server.connections += 1
        self._say(server.answers.get("hello", "220 test"))
        letter = Letter("", [], b"")
        with suppress(ConnectionError):
            while line := self.rfile.readline():
                words = line.decode().strip()
                verb = words.split(" ")[0].upper()
                answer = server.answers.get(verb, {"DATA": "354 go on", "QUIT": "221 bye"}.get(verb, "250 ok"))
                self._say(answer)
                if verb in {server.hang_up_after, "QUIT"}:
                    return
                if verb == "MAIL":
                    letter = Letter(words.partition("<")[2].partition(">")[0], [], b"")
                elif verb == "RCPT" and answer.startswith("2"):
                    letter.recipients.append(words.partition("<")[2].partition(">")[0])
                elif verb == "DATA" and answer.startswith("354"):
                    self._take(server, letter)

    def _take(self, server: MailServer, letter: Letter) -> None:
        lines = iter(self.rfile.readline, b".\r\n")
        letter.text = b"".join(line.removeprefix(b".") if line.startswith(b"..") else line for line in lines)
        answer = server.answers.get("text", "250 taken")
        if answer.startswith("2"):
            server.letters.append(letter)
        if server.hang_up_after != "text":
            self._say(answer)
        else:
            self.connection.shutdown(socket.SHUT_RDWR)  # closing leaves it open for as long as the files on it

    def _say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Run a mail server on a free port of this machine."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        server.daemon_threads = True
        told = MailServer(server.server_address[1])
        server.told = told  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield told
        server.shutdown()
