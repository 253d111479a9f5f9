"""Runs the installed nginx with the files of deploy/nginx, on free ports and with a self-signed certificate."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

from tests.support.subprocesses import BASE, free_port, wait_until
from tests.support.tls_front import make_certificate

FILES = BASE / "deploy" / "nginx"
AROUND = """
daemon off;
master_process on;
worker_processes 1;
error_log {folder}/error.log notice;
pid {folder}/pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {user}include {folder}/courseiva.conf;
}}
"""


def find_nginx() -> str:
    """Return the path of nginx, which Debian puts outside an ordinary user's PATH."""
    return shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin") or ""


class Nginx:
    """A running nginx. ``port`` speaks TLS, ``plain`` doesn't."""

    def __init__(self, folder: Path, upstream: str, ports: dict[str, int]) -> None:
        self.folder, self.upstream, self.ports = folder, upstream, ports
        self.port, self.plain = free_port(), free_port()
        certificate, key = make_certificate(folder)
        site = (FILES / "courseiva.conf").read_text()
        for old, new in {
            "/etc/nginx/courseiva/fullchain.pem": str(certificate),
            "/etc/nginx/courseiva/privkey.pem": str(key),
            "/etc/nginx/courseiva-upstream.conf": f"{folder}/upstream.conf",
            "learn.example.org": "localhost",
            "listen 443": f"listen 127.0.0.1:{self.port}",
            "listen 80": f"listen 127.0.0.1:{self.plain}",
            "    listen [::]:443 ssl http2;\n": "",
            "    listen [::]:80;\n": "",
        }.items():
            assert old in site, old
            site = site.replace(old, new)
        (folder / "courseiva.conf").write_text(site)
        (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=""))
        self.write_upstream()
        self.process: subprocess.Popen[bytes] | None = None

    def write_upstream(self, down: str = "") -> None:
        """Write the upstream's file, with one server marked as down."""
        text = (FILES / self.upstream).read_text()
        for name, port in self.ports.items():
            assert f"{name}:8000" in text
            marked = " down" if name == down else ""
            lines = [
                line.replace(f"server {name}:8000", f"server 127.0.0.1:{port}").replace(";", f"{marked};")
                if f"server {name}:8000" in line
                else line
                for line in text.splitlines()
            ]
            text = "\n".join(lines)
        (self.folder / "upstream.conf").write_text(text)

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [find_nginx(), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
        assert wait_until(self._is_up, 10), (self.folder / "error.log").read_text()

    def reload(self, down: str = "") -> None:
        """Reload the upstream's file as systemctl does; returns once the old worker accepts no more requests."""
        assert self.process
        old = self._workers()
        self.write_upstream(down)
        self.process.send_signal(signal.SIGHUP)
        assert wait_until(lambda: bool(self._workers() - old), 10)

    def drained(self) -> bool:
        """Return whether the workers from before the last reload have ended."""
        return len(self._workers()) == 1

    def stop(self) -> None:
        """Stop nginx."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(10)

    def _workers(self) -> set[str]:
        assert self.process
        return set(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split())

    def _is_up(self) -> bool:
        return (self.folder / "pid").exists() and bool((self.folder / "pid").read_text().strip())
