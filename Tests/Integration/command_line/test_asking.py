"""Who is asked for a password, how, and how it is answered from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, FAILED, OK, USAGE, Command, complaint
from Integration.sentinels import MARK, PASSWORD, TOKEN, USER, WRONG_PASSWORD, traces_in
from Integration.wire import Json, Peer
from Support.daemon import Daemon, program
from Support.guards import BasicGuard, BearerGuard, DigestGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, challenged, redirect, reply


def test_askpass_answers_and_the_next_fetch_is_not_asked(
    watchword: Command, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    answers = askpass(USER, PASSWORD)
    done = watchword("fetch", "--askpass", answers, staff)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)
    prompts = (tmp_path / "prompts").read_text()
    assert "staff" in prompts
    done = watchword("fetch", staff)
    assert done.stdout == OK_BODY
    assert (tmp_path / "prompts").read_text() == prompts


def test_a_user_on_the_command_line_leaves_the_password_to_ask(
    watchword: Command, staff: str, askpass: Callable[..., str], tmp_path: Path
) -> None:
    done = watchword("fetch", "-u", USER, "--askpass", askpass(PASSWORD), staff)
    assert done.stdout == OK_BODY
    assert len((tmp_path / "prompts").read_text().splitlines()) == 1


def test_a_wrong_answer_is_asked_again(watchword: Command, staff: str, askpass: Callable[..., str]) -> None:
    answers = askpass(WRONG_PASSWORD, PASSWORD)
    done = watchword("fetch", "-u", USER, "--askpass", answers, staff)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)


@pytest.mark.parametrize("method", ["digest", "bearer"])
def test_other_methods_ask_as_well(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str], method: str
) -> None:
    if method == "digest":
        url = origin.serve("/", guarded(DigestGuard("r", USER, PASSWORD)))
        answers = askpass(USER, PASSWORD)
    else:
        url = origin.serve("/", guarded(BearerGuard("r", TOKEN)))
        answers = askpass(TOKEN)
    assert watchword("fetch", "--askpass", answers, url).stdout == OK_BODY


def test_a_descriptor_and_a_file_answer_without_a_terminal(
    watchword: Command, staff: str, origin: ScriptedOrigin, tmp_path: Path
) -> None:
    url = staff.replace("://", f"://{USER}@")
    for given in (["-u", USER, staff], [url]):
        done = watchword("fetch", "--private", "--password-fd", "0", *given, send=PASSWORD.encode() + b"\n")
        assert (done.returncode, done.stdout) == (OK, OK_BODY), done.stderr
    wrong = watchword("fetch", "--private", "--password-fd", "0", "-u", USER, staff, send=b"wrong\n")
    assert (wrong.returncode, wrong.stdout) == (AUTHENTICATION, b"")
    assert complaint(wrong).startswith(
        "watchword: the server has refused the secret that the command was given\n"
    )
    (tmp_path / "token").write_text(TOKEN + "\n")
    api = origin.serve("/api", guarded(BearerGuard("r", TOKEN)))
    assert watchword("fetch", "--oauth2-bearer", f"@{tmp_path}/token", api).stdout == OK_BODY
    assert watchword("fetch", "--basic", "-u", USER, "--password-fd", "0", api, send=b"x\n").returncode == (
        AUTHENTICATION
    )


@pytest.mark.parametrize("method", ["basic", "digest", "bearer"])
def test_what_the_options_give_is_not_for_a_server_that_a_redirect_leads_to(
    watchword: Command, origins: Callable[..., ScriptedOrigin], tmp_path: Path, method: str
) -> None:
    guards: dict[str, Guard] = {
        "basic": BasicGuard("r", USER, PASSWORD),
        "digest": DigestGuard("r", USER, PASSWORD),
        "bearer": BearerGuard("r", TOKEN),
    }
    home, other = origins(), origins()
    there = other.serve("/there", guarded(guards[method]))
    start = home.serve("/start", redirect(there))
    (tmp_path / "token").write_text(TOKEN + "\n")
    given = ["-u", USER, "--password-fd", "0"]
    if method == "bearer":
        given = ["--oauth2-bearer", f"@{tmp_path}/token"]
    done = watchword("fetch", "--private", "-L", *given, start, send=PASSWORD.encode() + b"\n")
    assert done.returncode == AUTHENTICATION
    assert complaint(done).splitlines() == [
        f"watchword: the server answered 401 for {there}",
        f"hint: what the options give is for {home.url}, and a redirect led to another server",
    ]
    assert [request.authorization for request in other.requests] == [None]
    # A redirect to itself, and back, is none to another server.
    home.serve("/round", redirect(other.serve("/back", redirect(home.url + "/end"))))
    home.serve("/end", guarded(guards[method]))
    done = watchword("fetch", "--private", "-L", *given, home.url + "/round", send=PASSWORD.encode() + b"\n")
    assert (done.returncode, done.stdout) == (OK, OK_BODY), done.stderr


def test_without_a_terminal_no_prompt_appears(watchword: Command, staff: str) -> None:
    done = watchword("fetch", staff)
    assert (done.returncode, done.stdout) == (AUTHENTICATION, b"")


def test_a_person_is_asked_without_echo(watchword: Command, staff: str) -> None:
    terminal = watchword.on_terminal("fetch", staff)
    shown = terminal.read_until(b"User")
    assert b"staff" in shown
    assert staff.removesuffix("/staff").encode() in shown
    terminal.type(USER)
    terminal.read_until(b"Password")
    terminal.type(PASSWORD)
    assert terminal.end() == OK
    assert OK_BODY.strip() in terminal.screen
    assert USER.encode() in terminal.screen
    assert traces_in(terminal.screen) == []


def test_a_person_can_interrupt(watchword: Command, staff: str) -> None:
    terminal = watchword.on_terminal("fetch", staff)
    terminal.read_until(b"User")
    terminal.press(b"\x03")
    assert terminal.end() != OK
    settings = watchword("challenges")
    assert staff.encode() not in settings.stdout


def test_control_characters_of_a_server_are_escaped(watchword: Command, origin: ScriptedOrigin) -> None:
    # Those below a space, save the tab, make a field malformed and no challenge at all; the others are text.
    url = origin.serve("/", challenged('Basic realm="evil\t\xc2\x9b31m"'))
    terminal = watchword.on_terminal("fetch", url)
    terminal.read_until(b"User")
    assert b"\t" not in terminal.screen
    assert b"\x9b" not in terminal.screen
    assert rb"\u{9b}" in terminal.screen
    terminal.press(b"\x03")
    terminal.end()


def test_sessions_are_apart(watchword: Command, staff: str, askpass: Callable[..., str]) -> None:
    answers = askpass(USER, PASSWORD)
    assert watchword("fetch", "--session", "one", "--askpass", answers, staff).stdout == OK_BODY
    assert watchword("fetch", "--session", "two", "--deliver-401", staff).stdout == b"who goes there?"
    assert watchword("fetch", "--session", "one", staff).stdout == OK_BODY


def test_a_challenge_is_answered_from_another_terminal(
    watchword: Command, connect: Callable[..., Peer], staff: str, askpass: Callable[..., str]
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    challenge = peer.challenge()["challenge"]
    listed = watchword("challenges", "--session", "s")
    assert challenge.encode() in listed.stdout
    assert b"staff" in listed.stdout
    done = watchword("answer", challenge, "-u", USER, SSH_ASKPASS="", WATCHWORD_ASKPASS=askpass(PASSWORD))
    assert done.returncode == OK, done.stderr
    assert peer.result(fetch)["status"] == 200
    assert watchword("answer", challenge, "-u", USER, WATCHWORD_ASKPASS=askpass(PASSWORD)).returncode != OK


def test_a_challenge_is_answered_on_a_terminal(
    watchword: Command, connect: Callable[..., Peer], staff: str
) -> None:
    peer = connect()
    peer.open("s", tasks=["*"])
    fetch = peer.start_fetch("s", staff)
    terminal = watchword.on_terminal("answer", peer.challenge()["challenge"])
    terminal.read_until(b"User")
    terminal.type(USER)
    terminal.read_until(b"Password")
    terminal.type(PASSWORD)
    assert terminal.end() == OK
    assert traces_in(terminal.screen) == []
    assert peer.result(fetch)["status"] == 200


def test_secrets_are_never_in_arguments(watchword: Command, staff: str) -> None:
    """A password after the colon, as curl takes it, is refused: other processes could read it."""
    done = watchword("fetch", "-u", f"{USER}:{MARK}", staff)
    assert done.returncode == USAGE
    complaint(done)


def test_a_prompt_before_a_challenge_tells_the_way(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, askpass: Callable[..., str], tmp_path: Path
) -> None:
    configuration = {
        "headers": [["Host", "elsewhere.test"]],
        "addresses": {"resolve": {"proxy.test:3128": "127.0.0.1"}},
    }
    peer.open("s", configuration=configuration)
    answers = askpass(PASSWORD, PASSWORD)
    for arguments in ([origin.url], ["--proxy", "http://proxy.test:3128"]):
        kept = ["--session", "s", "-u", USER, "--askpass", answers, *arguments]
        assert watchword("credentials", "set", *kept).returncode == OK
    ways = "addresses of the session, over cleartext"
    assert (tmp_path / "prompts").read_text().splitlines() == [
        f"{origin.url} (default, to elsewhere.test, {ways}): Password for {USER}: ",
        f"http://proxy.test:3128 (default, proxy, {ways}): Password for {USER}: ",
    ]


def test_a_secret_that_a_script_gives_tells_the_way(
    watchword: Command, peer: Peer, origin: ScriptedOrigin
) -> None:
    origin.serve("/x", challenged('Basic realm="r"'), reply())
    addresses = {"resolve": {"other.test:80": "127.0.0.1"}}
    peer.open("s", configuration={"headers": [["Host", "elsewhere.test"]], "addresses": addresses})
    given = ["--session", "s", "-u", USER, "--password-fd", "0", origin.url + "/x"]
    for command in (["fetch"], ["credentials", "set"]):
        done = watchword(*command, *given, send=PASSWORD.encode())
        assert done.returncode == OK
        assert done.stderr.splitlines() == [
            b"watchword: careful: to elsewhere.test, which a Host field names",
            b"watchword: careful: its address was set in the session",
        ]


@pytest.mark.parametrize("is_fetch", [False, True])
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"headers": [["Host", "elsewhere.test"]]}),
        (
            {"addresses": {"resolve": {"other.test:80": "127.0.0.1"}}},
            {"addresses": {"resolve": {"other.test:80": "127.0.0.2"}}},
        ),
    ],
    ids=["Host", "address"],
)
def test_a_way_that_changes_during_the_prompt_gets_nothing(
    watchword: Command,
    peer: Peer,
    daemon: Daemon,
    origin: ScriptedOrigin,
    tmp_path: Path,
    before: Json,
    after: Json,
    is_fetch: bool,
) -> None:
    peer.open("s", configuration=before)
    change = {"session": "s", "configuration": after}
    askpass = tmp_path / "askpass"
    askpass.write_text(
        f"#!/bin/sh\n'{program('watchword')}' call --socket '{daemon.socket}' session/configure "
        f"'{json.dumps(change)}' >/dev/null\necho {PASSWORD}\n"
    )
    askpass.chmod(0o700)
    arguments = ["--session", "s", "-u", USER, "--askpass", str(askpass), origin.url + "/x"]
    done = watchword(*(["fetch", "--preemptive"] if is_fetch else ["credentials", "set"]), *arguments)
    assert done.returncode == FAILED
    assert "changed during the prompt; nothing was stored" in complaint(done)
    assert peer.call("credential/list", {"session": "s"})["credentials"] == []
    assert origin.requests == []
