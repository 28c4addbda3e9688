"""The client of protocol/client-guide.md, as the page has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from Support.daemon import PROJECT, Daemon, clean_environment, program
from Support.pages import programs

GUIDE = PROJECT / "protocol" / "client-guide.md"
ORIGIN = PROJECT / "clients" / "python" / "demo" / "protected_origin.py"


@pytest.fixture
def client(tmp_path: Path) -> Path:
    """The pieces of the page, put together."""
    pieces = programs(GUIDE, "python")
    assert len(pieces) == 8
    path = tmp_path / "client.py"
    path.write_text("\n".join(pieces))
    return path


@pytest.fixture
def origin() -> Iterator[str]:
    with subprocess.Popen([sys.executable, ORIGIN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def run(client: Path, environment: dict[str, str], *urls: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, client, *urls],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_client_of_the_guide_is_asked_once(client: Path, origin: str, daemon: Daemon) -> None:
    environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
    first = run(client, environment, f"{origin}/digest/a", f"{origin}/digest/b")
    assert first.stdout == "200 digest: welcome, reader\n" * 2
    assert first.stderr == f'asked: {origin} "digest demo"\n'
    later = run(client, environment, f"{origin}/digest/c")
    assert (later.stdout, later.stderr) == ("200 digest: welcome, reader\n", "")


def test_the_client_of_the_guide_starts_a_daemon_at_the_default_path_only(
    client: Path, origin: str, tmp_path: Path
) -> None:
    environment = clean_environment(tmp_path)
    environment["PATH"] = f"{program().parent}{os.pathsep}{environment['PATH']}"
    elsewhere = run(client, {**environment, "WATCHWORD_SOCKET": str(tmp_path / "none")}, f"{origin}/open/a")
    assert "FileNotFoundError" in elsewhere.stderr
    forbidden = run(client, {**environment, "WATCHWORD_NO_START": "1"}, f"{origin}/open/a")
    assert "FileNotFoundError" in forbidden.stderr
    try:
        started = run(client, environment, f"{origin}/open/a")
        assert (started.stdout[:4], started.stderr) == ("200 ", "")
    finally:
        stop(tmp_path / "watchword" / "watchword.sock", environment)


def stop(socket: Path, environment: dict[str, str]) -> None:
    command = [str(program("watchword")), "shutdown", "--socket", str(socket)]
    subprocess.run(command, env=environment, capture_output=True, timeout=60, check=True)
