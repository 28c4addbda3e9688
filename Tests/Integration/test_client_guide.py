"""The client of protocol/client-guide.md, as the page has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.wire import PATIENCE
from Support.daemon import PROJECT, Daemon, clean_environment, program
from Support.guards import BasicGuard, guarded
from Support.pages import programs
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect

GUIDE = PROJECT / "protocol" / "client-guide.md"
ORIGIN = PROJECT / "clients" / "python" / "demo" / "protected_origin.py"


@pytest.fixture
def client(tmp_path: Path, origin: str) -> Path:
    """The pieces of the page, put together, with a password for this origin."""
    pieces = programs(GUIDE, "python")
    assert len(pieces) == 9
    path = tmp_path / "client.py"
    path.write_text("\n".join(pieces).replace("http://127.0.0.1:8401", origin))
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


def test_the_password_of_the_guide_goes_to_its_own_origin_only(
    client: Path, origin: str, daemon: Daemon, origins: Callable[..., ScriptedOrigin]
) -> None:
    environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
    other = origins()
    asking = other.serve("/", guarded(BasicGuard("staff", "reader", "open sesame")))
    led = run(client, environment, other.serve("/led", redirect(f"{origin}/digest/a")), asking)
    assert led.stdout.startswith("200 digest: welcome, reader\n401 ")
    assert asking.rstrip("/") not in led.stderr
    assert [request.authorization for request in other.requests] == [None, None]


def test_an_answer_of_the_guide_that_is_refused_ends_the_fetch(
    client: Path, origin: str, daemon: Daemon
) -> None:
    """It does not wait for the deadline of the challenge."""
    environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
    client.write_text(client.read_text().replace('"user": "reader"', '"user": "rea:der"'))
    ended = run(client, environment, f"{origin}/basic/a")
    assert "Refused" in ended.stderr and "cancelled" in ended.stderr


@pytest.mark.parametrize("stop", ["restart", "shutdown"])
def test_the_client_of_the_guide_goes_on_with_the_next_daemon(
    client: Path, origin: str, daemon: Daemon, stop: str
) -> None:
    environment = {**clean_environment(daemon.directory), "WATCHWORD_SOCKET": str(daemon.socket)}
    program = f"""
client = Client()
client.open("guide")
print(client.fetch({origin!r} + "/digest/a")[0])
Client().call("server/{stop}")
client.lines.read()
print("ended")
sys.stdin.readline()
print(client.fetch({origin!r} + "/digest/b")[0])
lost, unsent, post = ConnectionResetError(), BrokenPipeError(), {{"method": "POST"}}
print(may_repeat(lost, {{}}), may_repeat(lost, post), may_repeat(unsent, post))
"""
    text = client.read_text()
    client.write_text(text[: text.index('if __name__ == "__main__"')] + program)
    command = [sys.executable, "-u", str(client)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == ["200\n", "ended\n"]
        if stop == "restart":
            daemon.follow()
        else:
            daemon.process.wait(int(PATIENCE))
            daemon.start()
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.read() == "200\nTrue False True\n"


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
