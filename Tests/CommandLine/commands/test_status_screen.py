"""`watchword status --watch` on a terminal, beside a daemon that says much, little or nothing."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from CommandLine.commands.scene import STATUS
from CommandLine.conftest import PATIENCE, Command
from Support.daemon import program
from Support.fake_daemon import Conversation, FakeDaemon, Message, a_challenge
from Support.screen import Screen
from Support.terminal import Terminal

Watch = Callable[..., Screen]
KEYS = "q quit   a answer   s sort"
DRAWN = b"\x1b[H"


class News:
    """What the daemon sends once the command has subscribed."""

    def __init__(self, daemon: FakeDaemon) -> None:
        self._subscribed = threading.Event()
        self._conversation: Conversation | None = None
        daemon.answers["status/subscribe"] = self._subscribe

    def _subscribe(self, conversation: Conversation, message: Message) -> Message:
        self._conversation = conversation
        self._subscribed.set()
        return {"subscribed": True}

    def send(self, snapshot: Message) -> None:
        assert self._subscribed.wait(PATIENCE) and self._conversation
        self._conversation.notify("status/didChange", snapshot)


@pytest.fixture
def news(daemon: FakeDaemon) -> News:
    return News(daemon)


@pytest.fixture
def shown(daemon: FakeDaemon, news: News) -> Callable[[Message], None]:
    """Sets the first snapshot."""

    def show(snapshot: Message) -> None:
        daemon.answers["status"] = lambda conversation, message: snapshot

    return show


@pytest.fixture
def watch(watchword: Command, news: News) -> Iterator[Watch]:
    def make(*options: str, rows: int = 24, columns: int = 80, **environment: str) -> Screen:
        command = [str(program("watchword")), "status", "--watch", *options]
        return Screen(command, {**watchword.environment, **environment}, rows, columns)

    yield make


def quit_with(screen: Screen, key: bytes = b"q") -> None:
    screen.press(key)
    assert screen.end() == 0


def crowd(count: int, challenges: int = 0, **members: Any) -> Message:
    """So many sessions; the first ones have a challenge each."""
    sessions = STATUS["sessions"]
    assert isinstance(sessions, list)
    named = [
        {**sessions[0], "session": f"s{number:05}", "tasks": 0, "pendingChallenges": int(number < challenges)}
        for number in range(count)
    ]
    pending = [a_challenge(challenge=f"c{number}", session=f"s{number:05}") for number in range(challenges)]
    return {**STATUS, "sessions": named, "challenges": pending, **members}


def without_challenges(snapshot: Message) -> Message:
    """As the daemon tells one that does not hold the sessions: it counts them, and does not show them."""
    return {**snapshot, "challenges": []}


def names(lines: list[str]) -> list[str]:
    return [line.split()[0] for line in lines if line.startswith("s0")]


@pytest.mark.parametrize(("rows", "columns"), [(10, 40), (16, 60), (24, 80), (50, 200)])
@pytest.mark.parametrize("challenges", [0, 1, 9])
@pytest.mark.parametrize("locked", [False, True])
def test_every_window_shows_sessions_and_challenges(
    watch: Watch,
    shown: Callable[[Message], None],
    rows: int,
    columns: int,
    challenges: int,
    locked: bool,
) -> None:
    shown(crowd(60, challenges, locked=locked))
    screen = watch(rows=rows, columns=columns)
    lines = screen.wait_until(lambda lines: lines[-1].startswith("q quit"))
    assert lines[0].startswith("watchwordd 9.8.7")
    assert names(lines), lines
    assert lines[-2].startswith("60 sessions")
    assert ("the agent is locked: watchword unlock" in lines) == locked
    pending = f"{challenges} challenge{'s' * (challenges > 1)} pending: a answers one"
    assert (pending in lines) == (challenges > 0)
    assert any(line.startswith("c0  https://intranet.example") for line in lines) == (challenges > 0)
    # The last column stays empty: behind it a terminal clears the letter that it is to keep.
    assert max(map(len, lines)) < columns
    quit_with(screen)


def test_few_rows_keep_what_says_most(watch: Watch, shown: Callable[[Message], None]) -> None:
    shown(crowd(60))
    screen = watch(rows=10, columns=40)
    lines = screen.wait_for("fetches ")
    assert not any(line.startswith("challenges ") for line in lines)
    screen.resize(24, 80)
    lines = screen.wait_for("challenges ")
    for name in ("fetches", "bytes", "failures", "latency p50", "latency p90", "latency p99"):
        assert any(line.startswith(f"{name} ") for line in lines), name
    quit_with(screen)


@pytest.mark.parametrize(("variable", "is_plain"), [({}, False), ({"NO_COLOR": "1"}, True)])
def test_letters_are_bold_unless_no_color_is_wanted(
    watch: Watch, shown: Callable[[Message], None], variable: dict[str, str], is_plain: bool
) -> None:
    shown(crowd(1))
    screen = watch(**variable)
    screen.wait_for(KEYS)
    quit_with(screen)
    assert (b"\x1b[1m" not in screen.screen and b"\x1b[7m" not in screen.screen) == is_plain


@pytest.mark.parametrize("form", ["--all", "--limits"])
def test_another_form_is_drawn_over_the_one_before(
    watch: Watch, news: News, shown: Callable[[Message], None], form: str
) -> None:
    shown({**STATUS, "limits": {"messageBytes": 11}})
    screen = watch(form)
    screen.wait_for("messageBytes  11")
    news.send({**STATUS, "limits": {"messageBytes": 2}})
    screen.wait_for("messageBytes  2")
    assert not any("messageBytes  11" in line or "messageBytes  21" in line for line in screen.lines)
    screen.press(b"\x03")
    assert screen.end() == -signal.SIGINT
    assert b"\x1b[2J" not in screen.screen, "an empty screen flickers"


def test_a_line_that_fills_its_row_keeps_its_end(watch: Watch, shown: Callable[[Message], None]) -> None:
    shown({**STATUS, "limits": {"m" * 75: 7, "m" * 74: 8}})
    screen = watch("--limits")
    screen.wait_for("m   8")
    screen.press(b"\x03")
    assert screen.end() == -signal.SIGINT
    assert b"m  7\r" in screen.screen and b"m   8\x1b[K" not in screen.screen


@pytest.mark.parametrize("options", [[], ["--all"], ["--limits"]])
def test_an_unknown_terminal_gets_plain_text(
    watchword: Command, news: News, shown: Callable[[Message], None], options: list[str]
) -> None:
    shown(STATUS)
    environment = {name: value for name, value in watchword.environment.items() if name != "TERM"}
    terminal = Terminal([str(watchword.program), "status", "--watch", *options], environment)
    word = b"messageBytes" if options else b"pid 1234"
    terminal.read_until(word)
    news.send({**STATUS, "pid": 5678})
    terminal.read_until(word if options else b"pid 5678", times=2 if options else 1)
    terminal.press(b"\x03")
    assert terminal.end() == -signal.SIGINT
    assert b"\x1b" not in terminal.screen


def test_a_large_snapshot_is_drawn_once_it_is_whole(
    watch: Watch, news: News, shown: Callable[[Message], None]
) -> None:
    shown(crowd(1))
    screen = watch()
    screen.wait_for("1 session,")
    before = screen.screen.count(DRAWN)
    # It takes more than a hundred receptions.
    news.send(crowd(10_000))
    screen.wait_for("10000 sessions")
    assert screen.screen.count(DRAWN) - before < 50
    screen.press(b"G")
    assert names(screen.wait_for("to 10000 of 10000"))[-1] == "s09999"
    quit_with(screen)


@pytest.mark.parametrize("end", [signal.SIGTERM, b"q"])
def test_a_daemon_that_does_not_answer_stops_no_key_and_no_signal(
    watch: Watch,
    daemon: FakeDaemon,
    news: News,
    shown: Callable[[Message], None],
    end: signal.Signals | bytes,
) -> None:
    asked, released = threading.Event(), threading.Event()

    def hang(conversation: Conversation, message: Message) -> Message:
        asked.set()
        assert released.wait(PATIENCE)
        return {"challenges": []}

    daemon.answers["challenge/list"] = hang
    shown(crowd(40))
    screen = watch()
    screen.wait_for("40 sessions")
    news.send(without_challenges(crowd(40, 1)))
    try:
        assert asked.wait(PATIENCE)
        screen.press(b"j")
        screen.wait_until(lambda lines: "s00000" not in names(lines) and "s00001" in names(lines))
        if isinstance(end, bytes):
            quit_with(screen, end)
        else:
            os.kill(screen.pid, end)
            assert screen.end() == -end
        assert b"\x1b[?1049l" in screen.screen
    finally:
        released.set()


def test_a_hidden_challenge_is_shown(
    watch: Watch, daemon: FakeDaemon, news: News, shown: Callable[[Message], None]
) -> None:
    daemon.answers["challenge/list"] = lambda conversation, message: {"challenges": []}
    shown(crowd(3))
    screen = watch()
    screen.wait_for("3 sessions")
    shown(crowd(3, 1))
    news.send(without_challenges(crowd(3, 1)))
    screen.wait_for("c0  https://intranet.example")
    assert daemon.parameters("challenge/list")["session"] == "s00000"
    quit_with(screen)


def test_a_sequence_may_come_slowly(watch: Watch, shown: Callable[[Message], None]) -> None:
    shown(crowd(60))
    screen = watch()
    screen.wait_for("60 sessions")
    for piece in (b"\x1b", b"[", b"B"):
        drawn = screen.screen.count(DRAWN)
        screen.press(piece)
        screen.read_until(DRAWN, times=drawn + 2)
    screen.wait_until(lambda lines: names(lines)[0] == "s00001")
    quit_with(screen)


@pytest.mark.parametrize("keys", [b"\x1bq", b"\x1b\x03", b"\x1b[\x03", b"\x1b\x1bq"])
def test_an_escape_key_hides_no_other_key(
    watch: Watch, shown: Callable[[Message], None], keys: bytes
) -> None:
    shown(crowd(1))
    screen = watch()
    screen.wait_for(KEYS)
    quit_with(screen, keys)


def test_the_uptime_goes_on_without_news(watch: Watch, shown: Callable[[Message], None]) -> None:
    shown(crowd(1, uptimeSeconds=1))
    screen = watch()
    screen.wait_for("up 3 s")
    quit_with(screen)


def test_each_challenge_has_its_own_time_and_who_is_asked(
    watch: Watch, shown: Callable[[Message], None]
) -> None:
    waiting = crowd(5, 3)
    first, second, third = waiting["challenges"]
    first.update(waitedSeconds=90.5, asked=[4712, 4713])
    second.update(waitedSeconds=3, asked=[second["waiters"][0]["pid"]])
    third.update(waitedSeconds=0, asked=[])
    shown(waiting)
    screen = watch()
    lines = screen.wait_for("3 challenges pending")
    assert any("waits, for 1 min 3" in line and "pid 4713 is asked" in line for line in lines)
    assert any("waits, for 3" in line and "asked" not in line for line in lines)
    assert any("nobody is asked" in line for line in lines)
    quit_with(screen)


def test_short_durations_are_told(watch: Watch, news: News, shown: Callable[[Message], None]) -> None:
    bounds = [0.001, 0.01, 0.1, 1]
    shown(crowd(1, taskSeconds={"bounds": bounds, "counts": [0] * 5, "sum": 0}))
    screen = watch()
    screen.wait_for("latency p50")
    news.send(crowd(1, taskSeconds={"bounds": bounds, "counts": [98, 0, 2, 0, 0], "sum": 0.2}))

    def told(lines: list[str]) -> bool:
        value = {line[:11]: line[11:].split()[:2] for line in lines if line.startswith("latency")}
        return (
            value["latency p50"] == ["0.5", "ms"]
            and value["latency p90"] == ["0.9", "ms"]
            and value["latency p99"] == ["55", "ms"]
        )

    screen.wait_until(told)
    quit_with(screen)


def test_counters_of_any_size_are_shown(watch: Watch, news: News, shown: Callable[[Message], None]) -> None:
    largest = 2**63 - 1
    shown(crowd(1, counters={"fetches.succeeded": 0, "fetches.failed": 0, "bytes.received": 0}))
    screen = watch()
    screen.wait_for("fetches ")
    news.send(
        crowd(
            1,
            counters={
                "fetches.succeeded": largest,
                "fetches.failed": largest,
                "bytes.received": largest,
                "bytes.sent": largest,
            },
        )
    )
    screen.wait_until(lambda lines: any(line.startswith("bytes ") and "iB/s" in line for line in lines))
    quit_with(screen)
