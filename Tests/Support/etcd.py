"""A cluster of etcd on the loopback interface."""

from __future__ import annotations

import base64
import json
import os
import signal
import ssl
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from Support import loopback
from Support.certificates import Authority
from Support.child_process import ChildProcess


def encoded(text: str | bytes) -> str:
    return base64.b64encode(text.encode() if isinstance(text, str) else text).decode()


class Member:
    """One server of a cluster."""

    def __init__(self, cluster: Etcd, name: str, client_port: int, peer_port: int) -> None:
        self.cluster = cluster
        self.name = name
        self.client_port = client_port
        self.peer_port = peer_port
        self.process: ChildProcess | None = None
        self.is_paused = False

    @property
    def url(self) -> str:
        return f"{self.cluster.scheme}://{loopback.HOST}:{self.client_port}"

    @property
    def peer_url(self) -> str:
        return f"http://{loopback.HOST}:{self.peer_port}"

    def start(self) -> None:
        """Starts it (again); it may wait for the others before it serves."""
        command = [
            "etcd",
            *("--name", self.name, "--data-dir", str(self.cluster.directory / self.name)),
            *("--listen-client-urls", self.url, "--advertise-client-urls", self.url),
            *("--listen-peer-urls", self.peer_url, "--initial-advertise-peer-urls", self.peer_url),
            *("--initial-cluster", self.cluster.peers, "--initial-cluster-token", "watchword"),
            *("--logger", "zap", "--log-outputs", "stderr"),
            *self.cluster.tls_options,
        ]
        environment = {**os.environ, "GOMAXPROCS": "1"}
        self.process = ChildProcess(command, self.cluster.directory / f"{self.name}.log", environment)

    def wait(self) -> None:
        assert self.process
        self.process.wait_until(self.is_ready, seconds=60)

    def is_ready(self) -> bool:
        try:
            self.call("maintenance/status", {})
        except urllib.error.HTTPError:
            # It asks for a user.
            return True
        except OSError:
            return False
        return True

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
            self.process, self.is_paused = None, False

    def pause(self) -> None:
        """Its kernel still takes what is sent; it says nothing any more."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)
        self.is_paused = True

    def call(self, method: str, body: dict[str, Any], token: str | None = None) -> dict[str, Any]:
        """A request of the JSON gateway, with the cluster's own client certificate."""
        headers = {"Content-Type": "application/json", **({"Authorization": token} if token else {})}
        request = urllib.request.Request(f"{self.url}/v3/{method}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=10, context=self.cluster.context) as response:
            answer: dict[str, Any] = json.load(response)
        return answer


class Etcd:
    """Members that form one cluster, and requests to the first of them that runs."""

    def __init__(self, directory: Path, members: int = 1, authority: Authority | None = None) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.directory = directory
        self.scheme = "http"
        self.tls_options: list[str] = []
        self.context: ssl.SSLContext | None = None
        self.token: str | None = None
        if authority:
            self.use_tls(authority)
        ports = loopback.free_ports(2 * members)
        self.members = [
            Member(self, f"m{number}", ports[2 * number], ports[2 * number + 1]) for number in range(members)
        ]
        for member in self.members:
            member.start()
        for member in self.members:
            member.wait()

    def use_tls(self, authority: Authority) -> None:
        """Members want a client certificate of this authority, and have certificates of it."""
        # The gateway of a member is a client of the same member, with the same certificate.
        server = authority.issue(
            "etcd", f"IP:{loopback.HOST}", extensions="extendedKeyUsage=serverAuth,clientAuth\n"
        )
        self.scheme = "https"
        self.tls_options = [
            *("--cert-file", str(server.certificate), "--key-file", str(server.key)),
            *("--trusted-ca-file", str(authority.certificate), "--client-cert-auth"),
        ]
        self.context = ssl.create_default_context(cafile=str(authority.certificate))
        self.context.load_cert_chain(server.certificate, server.key)

    @property
    def peers(self) -> str:
        return ",".join(f"{member.name}={member.peer_url}" for member in self.members)

    @property
    def endpoints(self) -> list[str]:
        return [member.url for member in self.members]

    def call(self, method: str, body: dict[str, Any]) -> dict[str, Any]:
        running = [member for member in self.members if member.process]
        return running[0].call(method, body, self.token)

    def put(self, key: str | bytes, value: str | bytes) -> None:
        self.call("kv/put", {"key": encoded(key), "value": encoded(value)})

    def records(self, prefix: str) -> dict[bytes, bytes]:
        """Every key that begins with the prefix, with its value."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        found = self.call("kv/range", {"key": encoded(prefix), "range_end": encoded(end)}).get("kvs", [])
        return {base64.b64decode(one["key"]): base64.b64decode(one.get("value", "")) for one in found}

    def compact(self) -> None:
        """Only the newest state is kept."""
        revision = self.call("kv/range", {"key": encoded("x")})["header"]["revision"]
        self.call("kv/compaction", {"revision": revision, "physical": True})

    def files(self) -> list[bytes]:
        """Everything on the disk."""
        return [path.read_bytes() for path in self.directory.rglob("*") if path.is_file()]

    def stop(self) -> None:
        # A paused member takes no other signal, and the rest waits for it.
        is_paused = any(member.is_paused for member in self.members)
        for member in self.members:
            member.end(signal.SIGKILL if is_paused else signal.SIGTERM)
