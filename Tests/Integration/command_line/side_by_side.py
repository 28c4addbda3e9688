"""curl and the command side by side: each in a folder of its own, with a server of its own."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from Integration.command_line.scene import Command
from Integration.wire import PATIENCE
from Support.exchange import Request
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import raw, redirect, reply

#: Fields that name the program, or that a server ignores; and the expectation of small bodies.
PASSED_OVER = {"user-agent", "accept", "host", "expect", "content-length"}
FILES = {"up.txt": "upload text", "q3.csv": "a;b\n", "page.html": "<p>", "format": "%{http_code}\n.\n"}
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"


COOKIES = (
    "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tkept\tyes\n"
    "127.0.0.1\tFALSE\t/elsewhere\tFALSE\t0\tother\tno\n"
)
OPTIONS = '# options\nheader = "X-A: b"\nuser-agent: "me/1"\n-d a=b\n'


@dataclass
class Run:
    code: int
    output: str
    files: dict[str, str]
    requests: list[tuple[object, ...]]
    errors: str = field(default="", compare=False)


def seen(request: Request) -> tuple[object, ...]:
    fields = sorted((n.lower(), v) for n, v in request.headers if n.lower() not in PASSED_OVER)
    body = request.body.decode()
    for _, value in fields:
        if found := re.search("boundary=(.*)", value):
            return (
                request.method,
                request.target,
                [(n, v.replace(found[1], "LIMIT")) for n, v in fields],
                body.replace(found[1], "LIMIT"),
            )
    return request.method, request.target, fields, body


def pages(origin: ScriptedOrigin) -> None:
    origin.serve("/f", reply(body=b"hello", headers=[("Content-Type", "text/plain"), ("X-F", "2")]))
    origin.serve("/g", reply(body=b"other"))
    origin.serve("/deep/r", redirect("../f?x", headers=[("X-R", "1")]))
    origin.serve("/no", reply(404, b"not here", headers=[("X-N", "3")]))
    origin.serve("/chunked", raw(CHUNKED))
    origin.serve("/busy", reply(503, b"busy", [("Retry-After", "0")]), reply(body=b"free"))
    origin.serve("/empty", raw(b""))
    origin.serve("/cut", raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234"))
    origin.serve("/folder/*", reply(body=b"stored"))
    origin.serve("/api/*", reply(body=b'{"a":1}', headers=[("Content-Type", "application/json")]))
    origin.serve(
        "/named", reply(body=b"a;b", headers=[("Content-Disposition", 'attachment; filename="n.csv"')])
    )
    origin.serve("/asset", redirect("/named"))
    origin.serve("/login", redirect("/api/me", headers=[("Set-Cookie", "s=1; Path=/")]))
    origin.serve("/old", reply(body=b"old", headers=[("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]))
    origin.serve("/same", reply(304))


def without_comments(text: str) -> str:
    """A file of cookies names the program that wrote it."""
    mark = "# Netscape HTTP Cookie File\n"
    before, found, jar = text.partition(mark)
    lines = [line for line in jar.splitlines() if line and not line.startswith("# ")]
    return f"{before}{found}" + "".join(f"{line}\n" for line in sorted(lines))


@pytest.fixture
def both(
    watchword: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[Run, Run]]:
    """Runs curl, then the command, each in a folder of its own with a server of its own."""

    def run(arguments: list[str], send: bytes) -> tuple[Run, Run]:
        runs = []
        for name in ("curl", "watchword"):
            folder = tmp_path / name
            folder.mkdir()
            for file, text in {**FILES, "jar": COOKIES, "curlrc": OPTIONS}.items():
                (folder / file).write_text(text)
            monkeypatch.chdir(folder)
            origin = ScriptedOrigin()
            pages(origin)
            filled = [
                word.replace("HOST", origin.url).replace("PORT", str(origin.port)) for word in arguments
            ]
            if name == "curl":
                done = subprocess.run(
                    ["curl", "-sS", *filled],
                    input=send,
                    capture_output=True,
                    timeout=PATIENCE,
                    env={"PATH": os.environ["PATH"], "HOME": str(folder)},
                )
            else:
                done = watchword("fetch", "-sS", "--private", *filled, send=send)
            known = {*FILES, "curlrc"}
            files = {f.name: f.read_text() for f in folder.iterdir() if f.name not in known}
            texts = [
                without_comments(text)
                for text in (done.stdout.decode(), *(files[name] for name in sorted(files)))
            ]
            output, *contents = [
                # The reason phrase is left out (RFC 9112 §4).
                re.sub(r"(HTTP/1.1 \d+) ?\w*( Found)?", r"\1", text).replace(str(origin.port), "PORT")
                for text in texts
            ]
            requests = [seen(request) for request in origin.requests]
            if "-Z" in arguments:
                requests.sort()
            files = dict(zip(sorted(files), contents, strict=True))
            runs.append(Run(done.returncode, output, files, requests, done.stderr.decode()))
            origin.stop()
        return runs[0], runs[1]

    return run
