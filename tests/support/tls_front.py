"""Plays the production proxy: TLS, and headers with the client's address and scheme; http and https on one port."""

from __future__ import annotations

import datetime as dt
import http.client
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import MSG_PEEK, socket
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "localhost"
PATIENCE = 20
TLS_HANDSHAKE = b"\x16"
BETWEEN_TWO = {"connection", "keep-alive", "transfer-encoding", "content-length"}


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Write a self-signed certificate for HOST, valid for an hour, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, private = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    private.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    return certificate, private


class Handler(BaseHTTPRequestHandler):
    """Passes a request on, and its answer back."""

    server: Front

    def pass_on(self) -> None:
        """Pass one request without a body to the site, and its answer back."""
        scheme = "https" if isinstance(self.connection, ssl.SSLSocket) else "http"
        headers = {name: value for name, value in self.headers.items() if name.lower() not in BETWEEN_TWO}
        headers |= {"X-Forwarded-Proto": scheme, "X-Forwarded-For": str(self.client_address[0])}
        site = http.client.HTTPConnection("127.0.0.1", self.server.behind, timeout=PATIENCE)
        try:
            site.request(self.command, self.path, headers=headers)
            answer = site.getresponse()
            body = answer.read()
        finally:
            site.close()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in BETWEEN_TWO:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_HEAD = do_OPTIONS = pass_on  # noqa: N815 - the names that http.server looks for

    def log_message(self, *_: Any) -> None:
        """Log nothing: the site keeps its own log."""


class Front(ThreadingHTTPServer):
    """Listens on one port; the first byte of a connection says whether it is TLS."""

    daemon_threads = True

    def __init__(self, port: int, behind: int, context: ssl.SSLContext) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.behind, self.context = behind, context

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Answer one connection, over TLS if it begins with TLS."""
        plain: socket = request
        plain.settimeout(PATIENCE)
        if plain.recv(1, MSG_PEEK) != TLS_HANDSHAKE:
            Handler(plain, client_address, self)
            return
        with self.context.wrap_socket(plain, server_side=True) as secure:
            Handler(secure, client_address, self)


@contextmanager
def tls_front(port: int, behind: int, folder: Path) -> Iterator[Path]:
    """Run a front on this port for the site behind it; yields the certificate to trust."""
    certificate, key = make_certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with Front(port, behind, context) as front:
        thread = threading.Thread(target=front.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield certificate
        finally:
            front.shutdown()
            thread.join()
