"""Who is asked, who else may answer, and what happens when they leave (challenges.md 2.2 and 3)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, kind_of, password, pause, wait_for_waiters
from Support.daemon import PROJECT, Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin

pytestmark = pytest.mark.threads

Connect = Callable[..., Peer]


@pytest.fixture
def staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))


def test_the_connection_of_the_task_is_asked_first(connect: Connect, staff: str) -> None:
    delegate, own = connect(), connect()
    delegate.open("s", session=["*"])
    own.open("s", tasks=["basic"])
    fetch = own.start_fetch("s", staff)
    own.answer(own.challenge(), password(USER, PASSWORD))
    assert own.result(fetch)["status"] == 200
    delegate.nothing_asked()


def test_then_the_connections_of_other_waiters(connect: Connect, staff: str) -> None:
    delegate, silent, taker = connect(), connect(), connect()
    delegate.open("s", session=["basic"])
    silent.open("s")
    taker.open("s", tasks=["basic"])
    first = silent.start_fetch("s", staff)
    challenge = delegate.challenge()
    second = taker.start_fetch("s", staff)
    wait_for_waiters(delegate, challenge, 2)
    delegate.close()
    again = taker.challenge()
    assert again["challenge"] == challenge["challenge"]
    assert again["deadline"] == challenge["deadline"]
    taker.answer(again, password(USER, PASSWORD))
    assert silent.result(first)["status"] == 200
    assert taker.result(second)["status"] == 200


def test_then_the_delegates_of_the_session_in_the_order_they_came(connect: Connect, staff: str) -> None:
    first, second, caller = connect(), connect(), connect()
    first.open("s", session=["basic"])
    second.open("s", session=["basic"])
    fetch = caller.start_fetch("s", staff)
    challenge = first.challenge()
    second.nothing_asked()
    first.close()
    assert second.challenge()["challenge"] == challenge["challenge"]
    second.answer(challenge, password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200


def test_a_session_delegate_without_basic_never_gets_one(connect: Connect, staff: str) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["serverTrust", "clientCertificate", "negotiate", "ntlm"])
    assert caller.fetch("s", staff)["status"] == 401
    delegate.nothing_asked()


def test_a_connection_is_not_asked_about_the_tasks_of_others(connect: Connect, staff: str) -> None:
    bystander, caller = connect(), connect()
    bystander.open("s", tasks=["*"])
    assert caller.fetch("s", staff)["status"] == 401
    bystander.nothing_asked()


def kill_delegate(daemon: Daemon) -> subprocess.Popen[str]:
    """A delegate in a process of its own, registered and ready to be killed."""
    program = (
        "import sys; from pathlib import Path; from Integration.wire import Peer\n"
        "peer = Peer(Path(sys.argv[1])); peer.open('s', session=['*']); print('ready', flush=True)\n"
        "print(peer.challenge(60)['challenge'], flush=True); sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(daemon.socket)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=PROJECT / "Tests",
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def test_a_killed_delegate_hands_the_challenge_to_the_next(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    victim = kill_delegate(daemon)
    heir, caller = connect(), connect()
    heir.open("s", session=["*"])
    fetch = caller.start_fetch("s", staff)
    assert victim.stdout is not None
    asked = victim.stdout.readline().strip()
    os.kill(victim.pid, signal.SIGKILL)
    challenge = heir.challenge()
    assert challenge["challenge"] == asked
    heir.answer(challenge, password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200
    victim.communicate()


def test_a_killed_delegate_with_no_heir_means_default_handling(
    daemon: Daemon, connect: Connect, staff: str
) -> None:
    victim = kill_delegate(daemon)
    caller = connect()
    fetch = caller.start_fetch("s", staff)
    assert victim.stdout is not None
    victim.stdout.readline()
    os.kill(victim.pid, signal.SIGKILL)
    assert caller.result(fetch)["status"] == 401
    victim.communicate()


def test_a_delegate_that_steps_back_hands_the_challenge_on(connect: Connect, staff: str) -> None:
    first, second, caller = connect(), connect(), connect()
    first.open("s", session=["*"])
    second.open("s", session=["*"])
    fetch = caller.start_fetch("s", staff)
    challenge = first.challenge()
    first.open("s", session=["digest"])
    second.answer(second.challenge(), password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200
    assert kind_of(first.answer, challenge, None) == "challengeNotPending"


def test_a_delegate_that_closes_the_session_hands_the_challenge_on(connect: Connect, staff: str) -> None:
    first, second, caller = connect(), connect(), connect()
    first.open("s", session=["*"])
    second.open("s", session=["*"])
    fetch = caller.start_fetch("s", staff)
    first.challenge()
    first.call("session/close", {"session": "s"})
    second.answer(second.challenge(), password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200


UNANSWERED: list[tuple[Json, str | int]] = [
    ({}, "userCancelledAuthentication"),
    ({"unanswered": "cancel"}, "userCancelledAuthentication"),
    ({"unanswered": "performDefaultHandling"}, 401),
    ({"unanswered": "deliver"}, 401),
]


@pytest.mark.parametrize(("members", "outcome"), UNANSWERED)
def test_the_deadline_answers(peer: Peer, staff: str, members: Json, outcome: str | int) -> None:
    configuration = {"challenges": {"deadlineSeconds": 0.3, **members}}
    session = peer.open(tasks=["*"], configuration=configuration)
    fetch = peer.start_fetch(session, staff)
    challenge = peer.challenge()
    settled = peer.notification("challenge/didSettle")
    assert (settled["challenge"], settled["outcome"]) == (challenge["challenge"], "deadline")
    if isinstance(outcome, str):
        assert kind_of(peer.result, fetch) == outcome
    else:
        assert peer.result(fetch)["status"] == outcome
    assert kind_of(peer.answer, challenge, password(USER, PASSWORD)) == "challengeNotPending"


def test_a_delegate_that_never_answers_does_not_hold_the_task_for_ever(connect: Connect, staff: str) -> None:
    deaf, caller = connect(), connect()
    deaf.open("s", session=["*"], configuration={"challenges": {"deadlineSeconds": 0.3}})
    fetch = caller.start_fetch("s", staff)
    assert kind_of(caller.result, fetch) == "userCancelledAuthentication"


def test_a_challenge_whose_last_waiter_left_is_withdrawn(connect: Connect, staff: str) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["*"])
    caller.start_fetch("s", staff)
    challenge = delegate.challenge()
    caller.close()
    settled = delegate.notification("challenge/didSettle")
    assert settled["challenge"] == challenge["challenge"]
    assert (settled["outcome"], settled["disposition"]) == ("withdrawn", None)
    assert kind_of(delegate.answer, challenge, None) == "challengeNotPending"
    assert delegate.call("challenge/list", {"session": "s"})["challenges"] == []


def test_a_cancelled_task_withdraws_its_challenge(connect: Connect, staff: str) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["*"])
    fetch = caller.start_fetch("s", staff, task="t")
    delegate.challenge()
    caller.call("task/cancel", {"task": "t"})
    assert kind_of(caller.result, fetch) == "taskCancelled"
    assert delegate.notification("challenge/didSettle")["outcome"] == "withdrawn"


def test_the_asking_connection_that_dies_loses_its_task_and_its_challenge(
    connect: Connect, staff: str
) -> None:
    caller, observer = connect(), connect()
    caller.open("s", tasks=["*"])
    observer.open("s")
    caller.start_fetch("s", staff)
    caller.challenge()
    assert len(observer.call("challenge/list", {"session": "s"})["challenges"]) == 1
    caller.close()
    while observer.call("task/list", {"session": "s"})["tasks"]:
        pause()
    assert observer.call("challenge/list", {"session": "s"})["challenges"] == []


def test_after_the_end_of_input_a_connection_is_not_asked(connect: Connect, staff: str) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    peer.half_close()
    assert peer.result(fetch)["status"] == 401
    peer.wait_for_end()


def test_a_half_closed_connection_hands_its_challenge_to_a_delegate(connect: Connect, staff: str) -> None:
    delegate, peer = connect(), connect()
    delegate.open("s", session=["*"])
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    peer.challenge()
    peer.half_close()
    delegate.answer(delegate.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    peer.wait_for_end()


def test_a_person_who_opened_the_session_can_answer(connect: Connect, staff: str) -> None:
    caller, person = connect(), connect()
    caller.open("s", tasks=["*"])
    person.open("s")
    fetch = caller.start_fetch("s", staff)
    challenge = caller.challenge()
    listed = person.call("challenge/list", {"session": "s"})["challenges"]
    assert [entry["challenge"] for entry in listed] == [challenge["challenge"]]
    described = person.call("challenge/describe", {"challenge": challenge["challenge"]})
    assert described["challenge"] == challenge["challenge"]
    person.answer(challenge, password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200
    settled = caller.notification("challenge/didSettle")
    assert (settled["outcome"], settled["disposition"]) == ("answered", "useCredential")


def test_a_connection_that_did_not_open_the_session_sees_no_challenge(connect: Connect, staff: str) -> None:
    caller, stranger = connect(), connect()
    caller.open("s", tasks=["*"])
    stranger.open("other")
    fetch = caller.start_fetch("s", staff)
    challenge = caller.challenge()
    assert kind_of(stranger.answer, challenge, password(USER, PASSWORD)) == "challengeNotPending"
    assert stranger.call("challenge/list", {"session": "other"})["challenges"] == []
    assert stranger.call("status")["challenges"] == []
    caller.answer(challenge, password(USER, PASSWORD))
    assert caller.result(fetch)["status"] == 200


def test_only_the_connection_of_the_task_sees_the_query(connect: Connect, staff: str) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["*"])
    caller.open("s")
    fetch = caller.start_fetch("s", staff + "?key=value")
    challenge = delegate.challenge()
    assert challenge["url"] == staff
    own = caller.call("challenge/describe", {"challenge": challenge["challenge"]})
    assert own["url"] == staff + "?key=value"
    delegate.answer(challenge, None)
    caller.result(fetch)


def test_waiters_name_their_processes(connect: Connect, staff: str, origin: ScriptedOrigin) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["*"])
    fetches = [caller.start_fetch("s", staff, task=name) for name in ("a", "b")]
    identifier = delegate.challenge()["challenge"]
    origin.wait_for_requests(2)

    def waiters() -> Json:
        return delegate.call("challenge/describe", {"challenge": identifier})["waiters"]

    while len(waiters()) < 2:
        pause()
    assert {waiter["task"] for waiter in waiters()} == {"a", "b"}
    assert {waiter["pid"] for waiter in waiters()} == {os.getpid()}
    assert {waiter["uid"] for waiter in waiters()} == {os.getuid()}
    delegate.answer({"challenge": identifier}, None)
    assert [caller.result(fetch)["status"] for fetch in fetches] == [401, 401]


def test_a_detached_task_outlives_its_connection_and_its_challenge(connect: Connect, staff: str) -> None:
    delegate, caller = connect(), connect()
    delegate.open("s", session=["*"])
    caller.call("task/start", {"session": "s", "url": staff, "task": "d", "detached": True})
    challenge = delegate.challenge()
    caller.close()
    delegate.answer(challenge, password(USER, PASSWORD))
    while delegate.call("task/describe", {"task": "d"})["state"] != "finished":
        pause()
    assert delegate.call("task/describe", {"task": "d"})["result"]["status"] == 200
