"""`watchword status --watch` on a terminal: what it draws, and what its keys do."""

from __future__ import annotations

import os
import signal
import subprocess
import termios
from collections.abc import Callable, Iterator

import pytest

from Integration.command_line.scene import OK, Command
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer, password
from Support.daemon import Daemon, program
from Support.screen import Screen
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, challenged, reply

Watch = Callable[..., Screen]
KEYS = "q quit   a answer   s sort"
#: Of a session in the table.
FIRST_COLUMN = slice(0, 12)


@pytest.fixture
def watch(watchword: Command) -> Iterator[Watch]:
    screens = []

    def make(*options: str, rows: int = 24, columns: int = 80, **environment: str) -> Screen:
        command = [str(program("watchword")), "status", "--watch", *options]
        screens.append(Screen(command, {**watchword.environment, **environment}, rows, columns))
        return screens[-1]

    yield make
    for screen in screens:
        watchword.shown += screen.screen


def sessions(lines: list[str]) -> list[str]:
    """The names in the table, from its top."""
    titles = next(place for place, line in enumerate(lines) if line.startswith("session "))
    names = [line.split()[0] for line in lines[titles + 1 :] if line and not line[0].isdigit()]
    return names[:-1]


def many(peer: Peer, count: int) -> None:
    for number in range(count):
        peer.open(f"s{number:02}")


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (40, 120), (12, 60)])
def test_it_fits_its_window(watch: Watch, peer: Peer, rows: int, columns: int) -> None:
    many(peer, 50)
    screen = watch(rows=rows, columns=columns)
    lines = screen.wait_until(lambda lines: lines[-1].startswith(KEYS) and "50 sessions" in lines[-2])
    assert len(lines) == rows
    assert lines[0].startswith("watchwordd ")
    assert b"\n\n" not in screen.screen.replace(b"\r", b""), "no line has gone on in the next one"
    screen.press(b"q")
    assert screen.end() == OK


def test_it_follows_the_size_of_the_window(watch: Watch, peer: Peer) -> None:
    many(peer, 50)
    screen = watch()
    few = len(sessions(screen.wait_for("50 sessions")))
    screen.resize(40, 100)
    lines = screen.wait_until(lambda lines: lines[39].startswith(KEYS))
    assert len(sessions(lines)) == few + 16
    screen.press(b"q")
    assert screen.end() == OK


def test_challenges_come_first(watch: Watch, peer: Peer, staff: str) -> None:
    many(peer, 30)
    peer.open("asking", tasks=["*"])
    screen = watch()
    screen.wait_for("31 sessions")
    fetch = peer.start_fetch("asking", staff)
    lines = screen.wait_for("1 challenge pending: a answers one")
    place = next(place for place, line in enumerate(lines) if "pending" in line)
    assert place < 4 and staff.rsplit("/", 1)[0] in lines[place + 1]
    assert f"session asking, pid {os.getpid()} python" in lines[place + 2]
    assert " waits, for " in lines[place + 2]
    assert sessions(lines)[0] == "asking", "the busiest"
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    screen.wait_until(lambda lines: not any("pending" in line for line in lines))
    screen.press(b"q")
    assert screen.end() == OK


def test_rates_and_durations_of_the_last_seconds(watch: Watch, peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(body=OK_BODY))
    screen = watch()
    lines = screen.wait_for("fetches          0.0/s")
    assert any(line.startswith("latency p50          -") for line in lines)
    for _ in range(40):
        peer.fetch("default", url)

    def counted(lines: list[str]) -> bool:
        rate = next(line for line in lines if line.startswith("fetches "))
        half = next(line for line in lines if line.startswith("latency p50 "))
        return not rate.startswith("fetches          0.0/s") and "█" in rate and half.split()[3] == "ms"

    screen.wait_until(counted)
    screen.wait_for("fetches          0.0/s"), "they are forgotten"
    screen.press(b"q")
    assert screen.end() == OK


def test_what_happened_meanwhile_is_spread_over_its_seconds(
    watch: Watch, peer: Peer, origin: ScriptedOrigin, staff: str
) -> None:
    url = origin.serve("/", reply(body=OK_BODY))
    peer.open("s", tasks=["*"])
    waiting = peer.start_fetch("s", staff)
    screen = watch()
    screen.wait_for("1 challenge pending")
    screen.press(b"a")
    screen.read_until(b"User:")
    begin = uptime = peer.call("status")["uptimeSeconds"]
    while uptime < begin + 4:
        peer.fetch("default", url)
        uptime = peer.call("status")["uptimeSeconds"]
    screen.type(USER)
    screen.read_until(b"Password for")
    screen.type(PASSWORD)
    assert peer.result(waiting)["status"] == 200

    def is_spread(lines: list[str]) -> bool:
        bars = [line[24:].split() for line in lines if line.startswith("fetches ")]
        return any(len(bar) >= 4 for bar in bars[0]) if bars else False

    screen.wait_until(is_spread)
    screen.press(b"q")
    assert screen.end() == OK


def test_bytes_of_the_last_seconds(watch: Watch, peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(body=b"x" * 300_000))
    screen = watch()
    screen.wait_for("bytes            0 B/s")
    peer.fetch("default", url)
    screen.wait_until(
        lambda lines: any(line.startswith("bytes ") and "KiB/s" in line and "█" in line for line in lines)
    )
    screen.press(b"q")
    assert screen.end() == OK


def test_another_terminal_shows_ascii_only(watch: Watch, peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/", reply(body=OK_BODY))
    screen = watch(LANG="C", LC_ALL="C")
    screen.wait_for("fetches ")
    peer.fetch("default", url)
    screen.wait_until(lambda lines: any(line.startswith("fetches ") and "@" in line for line in lines))
    screen.press(b"q")
    assert screen.end() == OK
    assert screen.screen.isascii()


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        ([b"j"], "s01"),
        ([b"\x1b[B", b"\x1bOB"], "s02"),
        ([b"\x1b", b"[", b"B"], "s01"),
        ([b"jjj\x1b[A"], "s02"),
        ([b"G", b"g"], "s00"),
        ([b"\x1b[F", b"\x1b[H"], "s00"),
        ([b"k", b"\x1b[5~"], "s00"),
        ([b"\x1b[9;9R", b"\xff\x00x", b"j"], "s01"),
    ],
)
def test_keys_scroll(watch: Watch, peer: Peer, keys: list[bytes], first: str) -> None:
    many(peer, 30)
    screen = watch()
    screen.wait_for("30 sessions")
    for key in keys:
        screen.press(key)
    screen.wait_until(lambda lines: sessions(lines)[0] == first)
    screen.press(b"q")
    assert screen.end() == OK


def test_a_page_and_the_end(watch: Watch, peer: Peer) -> None:
    many(peer, 30)
    screen = watch()
    shown = sessions(screen.wait_for("30 sessions"))
    screen.press(b" ")
    screen.wait_until(lambda lines: sessions(lines)[0] == f"s{len(shown):02}")
    screen.press(b"G")
    lines = screen.wait_for(f"{31 - len(shown)} to 30 of 30, by busiest")
    assert sessions(lines)[-1] == "s29" and len(sessions(lines)) == len(shown)
    screen.press(b"q")
    assert screen.end() == OK


def test_the_order_is_chosen(watch: Watch, peer: Peer, staff: str, connect: Callable[..., Peer]) -> None:
    for name in ("busy", "a-first", "known"):
        peer.open(name, tasks=["*"])
    fetch = peer.start_fetch("known", staff)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    asking = peer.start_fetch("busy", staff)
    challenge = peer.challenge()
    screen = watch()
    screen.wait_until(
        lambda lines: any(line.startswith("busy") for line in lines) and sessions(lines)[0] == "busy"
    )
    for order, first in (("name", "a-first"), ("credentials", "known"), ("connections", "busy")):
        screen.press(b"s")
        lines = screen.wait_for(f"by {order}")
        assert sessions(lines)[0] == first, order
    peer.answer(challenge, None)
    peer.result(asking)
    screen.press(b"q")
    assert screen.end() == OK


def test_a_challenge_is_answered_from_the_screen(watch: Watch, peer: Peer, staff: str) -> None:
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    screen = watch()
    screen.wait_for("1 challenge pending")
    screen.press(b"a")
    screen.read_until(b"User:")
    screen.type(USER)
    screen.read_until(b"Password for")
    screen.type(PASSWORD)
    assert peer.result(fetch)["status"] == 200
    screen.wait_until(
        lambda lines: lines[-1].startswith(KEYS) and not any("pending" in line for line in lines)
    )
    screen.press(b"q")
    assert screen.end() == OK


def test_why_nothing_was_answered_can_be_read(watch: Watch, peer: Peer) -> None:
    screen = watch()
    screen.wait_for(KEYS)
    screen.press(b"a")
    screen.read_until(b"no challenge is pending")
    screen.read_until(b"press Enter to go on ")
    screen.type("")
    screen.read_until(b"\x1b[?1049h", times=2)
    screen.wait_for(KEYS)
    screen.press(b"q")
    assert screen.end() == OK


@pytest.mark.parametrize("key", [b"q", b"\x03", b"\x04"])
def test_the_terminal_is_as_it_was(watch: Watch, peer: Peer, key: bytes) -> None:
    screen = watch()
    screen.wait_for(KEYS)
    assert not termios.tcgetattr(screen.descriptor)[3] & termios.ICANON
    screen.press(key)
    screen.read_until(b"\x1b[?1049l")
    assert screen.screen.count(b"\x1b[?25h") == screen.screen.count(b"\x1b[?25l") == 1
    assert termios.tcgetattr(screen.descriptor) == screen.modes
    assert screen.end() == OK


def test_a_signal_leaves_the_screen_first(watch: Watch, peer: Peer) -> None:
    screen = watch()
    screen.wait_for(KEYS)
    os.kill(screen.pid, signal.SIGTERM)
    screen.read_until(b"\x1b[?1049l")
    assert termios.tcgetattr(screen.descriptor) == screen.modes
    assert screen.end() == -signal.SIGTERM


def test_it_stops_and_goes_on(watch: Watch, peer: Peer) -> None:
    screen = watch()
    screen.wait_for(KEYS)
    screen.press(b"\x1a")
    screen.read_until(b"\x1b[?1049l")
    # The test's session has no shell, so that the kernel discards the stop: it is as if it had gone on.
    os.kill(screen.pid, signal.SIGCONT)
    screen.read_until(b"\x1b[?1049h", times=2)
    screen.press(b"q")
    assert screen.end() == OK


def test_a_daemon_that_ends_ends_it(watch: Watch, daemon: Daemon) -> None:
    screen = watch()
    screen.wait_for(KEYS)
    os.kill(daemon.pid, signal.SIGKILL)
    daemon.process.wait()
    assert screen.end() == 1
    assert screen.screen.index(b"\x1b[?1049l") < screen.screen.index(b"the daemon closed the connection")
    daemon.start()


@pytest.mark.parametrize("options", [(), ("--all",)])
def test_a_terminal_without_a_cursor_gets_plain_text(
    watch: Watch, peer: Peer, options: tuple[str, ...]
) -> None:
    screen = watch(*options, TERM="dumb")
    screen.read_until(b"no sessions")
    peer.open("new")
    screen.read_until(b"new ")
    screen.press(b"\x03")
    assert screen.end() == -signal.SIGINT
    assert b"\x1b" not in screen.screen


def test_a_pipe_gets_plain_text(watchword: Command, peer: Peer) -> None:
    process = subprocess.Popen(
        [str(program("watchword")), "status", "--watch"],
        stdout=subprocess.PIPE,
        env={**watchword.environment, "TERM": "xterm"},
    )
    assert process.stdout
    assert process.stdout.readline().startswith(b"watchwordd ")
    peer.open("new")
    while not (line := process.stdout.readline()).startswith(b"new "):
        assert b"\x1b" not in line
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_servers_text_cannot_change_the_screen(watch: Watch, peer: Peer, origin: ScriptedOrigin) -> None:
    wide = ("\u4e2d" * 60).encode().decode("latin-1")
    url = origin.serve("/", challenged(f'Basic realm="{wide}"'))
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", url)
    challenge = peer.challenge()
    screen = watch()
    lines = screen.wait_for("1 challenge pending")
    assert len(lines) == 24 and lines[-1].startswith(KEYS) and lines[0].startswith("watchwordd ")
    assert any("\u4e2d\u4e2d" in line for line in lines)
    peer.answer(challenge, None)
    peer.result(fetch)
    screen.press(b"q")
    assert screen.end() == OK
