"""An authorization server and its protected page, behind waitress."""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

from Support import loopback
from Support.child_process import ChildProcess


class OAuthServer:
    """`/token` issues tokens for `/page`: to `CLIENT` with its secret, and to `native` for refresh tokens."""

    CLIENT = "builds:1/a"

    def __init__(self, directory: Path, mark: str) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        (self.port,) = loopback.free_ports(1)
        self.directory = directory
        # Basic and forms mean something else by these; Authlib reads a plus sign in Basic as one.
        self.secret = f"{mark}.client%+&=:secret"
        self.refresh_token = f"{mark}.refresh%+&= first"
        self.mark = mark
        self.start()

    def start(self) -> None:
        """Starts it (again) on the same port; it forgets everything it has issued."""
        environment = {
            **os.environ,
            "AUTHLIB_INSECURE_TRANSPORT": "1",
            "OAUTH_SECRET": self.secret,
            "OAUTH_REFRESH": self.refresh_token,
            "OAUTH_MARK": self.mark,
        }
        self.process = ChildProcess(
            [
                sys.executable,
                "-m",
                "waitress",
                f"--listen={loopback.HOST}:{self.port}",
                "--threads=16",
                "Support.oauth_app:app",
            ],
            self.directory / "oauth.log",
            environment,
        )
        self.process.wait_until(lambda: loopback.accepts(self.port), seconds=60)

    def forget(self) -> None:
        """Nothing is left of an earlier test, which may have stopped it."""
        if self.process.running:
            self.control(forget=True)
        else:
            self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def control(self, **order: Any) -> dict[str, Any]:
        message = urllib.request.Request(
            self.url + "/control", json.dumps(order).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(message) as reply:
            answer: dict[str, Any] = json.loads(reply.read())
            return answer

    def stop(self) -> None:
        self.process.stop()
