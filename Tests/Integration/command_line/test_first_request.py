"""`--preemptive`: what goes with the first request, for servers that never ask."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import OK, STATUS, USAGE, Command, complaint
from Integration.sentinels import OTHER_PASSWORD, OTHER_USER, PASSWORD, TOKEN, USER, WRONG_PASSWORD
from Support.exchange import Exchange
from Support.guards import BasicGuard, BearerGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply


def silent(origin: ScriptedOrigin, path: str, guard: Guard) -> str:
    """A page of a server that denies it to whoever has no credential, and never asks."""

    async def script(exchange: Exchange) -> None:
        await exchange.respond(200 if guard.passes(exchange.request) else 404, [], OK_BODY)

    return origin.serve(path, script)


def test_a_credential_is_set_once_for_a_server_that_never_asks(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str]
) -> None:
    url = silent(origin, "/job/nightly/log", BasicGuard("staff", USER, PASSWORD))
    job = f"{origin.url}/job/nightly/"
    done = watchword("credentials", "set", "--preemptive", "-u", USER, "--askpass", askpass(PASSWORD), job)
    assert (done.returncode, done.stderr) == (OK, b"")
    assert watchword("fetch", "-f", url).stdout == OK_BODY
    assert "sent with the first request" in watchword("credentials").stdout.decode()
    assert "sent unasked" in watchword("explain", url).stdout.decode()
    # Outside of the directory it is neither sent nor offered.
    silent(origin, "/job/other", BasicGuard("staff", USER, PASSWORD))
    watchword("fetch", origin.url + "/job/other")
    assert origin.requests[-1].authorization is None


def test_a_credential_that_a_server_did_not_ask_for_is_hinted_at(
    watchword: Command, origin: ScriptedOrigin
) -> None:
    url = silent(origin, "/x", BasicGuard("staff", USER, PASSWORD))
    assert b"--preemptive" not in watchword("fetch", "-f", url).stderr
    command = ("-u", USER, "--method", "basic", "--password-fd", "0", origin.url)
    watchword("credentials", "set", *command, send=PASSWORD.encode())
    done = watchword("fetch", "-f", url)
    assert done.returncode == STATUS
    assert "watchword credentials set --preemptive" in done.stderr.decode()
    watchword("credentials", "set", "--preemptive", *command, send=PASSWORD.encode())
    assert watchword("fetch", "-f", url).stdout == OK_BODY


def test_a_token_of_a_descriptor_is_set(watchword: Command, origin: ScriptedOrigin) -> None:
    url = silent(origin, "/api/x", BearerGuard("r", TOKEN))
    done = watchword(
        *("credentials", "set", "--preemptive", "--token-fd", "0", f"{origin.url}/api/"), send=TOKEN.encode()
    )
    assert (done.returncode, done.stderr) == (OK, b"")
    assert watchword("fetch", "-f", url).stdout == OK_BODY


def test_tokens_for_two_directories_are_set_one_after_the_other(
    watchword: Command, origin: ScriptedOrigin
) -> None:
    origin.serve("/*", reply())
    for name in ("one", "two"):
        directory = f"{origin.url}/{name}/"
        token = (TOKEN + name).encode()
        done = watchword("credentials", "set", "--preemptive", "--token-fd", "0", directory, send=token)
        assert (done.returncode, done.stderr) == (OK, b"")
    for name in ("one", "two"):
        watchword("fetch", f"{origin.url}/{name}/x")
        assert origin.requests[-1].authorization == f"Bearer {TOKEN}{name}"


def test_another_user_takes_the_place_of_the_default_one(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str]
) -> None:
    url = silent(origin, "/x", BasicGuard("staff", OTHER_USER, OTHER_PASSWORD))
    set_first = ("credentials", "set", "--preemptive")
    watchword(*set_first, "-u", USER, "--askpass", askpass(PASSWORD), origin.url)
    done = watchword(
        *(*set_first, "-u", OTHER_USER, "--password-fd", "0", origin.url), send=OTHER_PASSWORD.encode()
    )
    assert (done.returncode, done.stderr) == (OK, b"")
    assert watchword("fetch", "-f", url).stdout == OK_BODY


def test_a_fetch_sends_it_at_once_and_the_next_one_does_not_ask(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str], tmp_path: Path
) -> None:
    url = silent(origin, "/job/x", BasicGuard("staff", USER, PASSWORD))
    done = watchword("fetch", "-f", "-u", USER, "--preemptive", "--askpass", askpass(PASSWORD), url)
    assert (done.returncode, done.stdout, done.stderr) == (OK, OK_BODY, b"")
    again = watchword("fetch", "-f", "-u", USER, "--preemptive", "--askpass", askpass(), url)
    assert again.stdout == OK_BODY
    assert len((tmp_path / "prompts").read_text().splitlines()) == 1
    assert len(origin.requests) == 2


def test_a_given_password_takes_the_place_of_the_one_before(
    watchword: Command, origin: ScriptedOrigin
) -> None:
    url = silent(origin, "/job/x", BasicGuard("staff", USER, PASSWORD))
    command = ("fetch", "-u", USER, "--preemptive", "--password-fd", "0", url)
    watchword(*command, send=WRONG_PASSWORD.encode())
    assert watchword(*command, send=PASSWORD.encode()).returncode == OK
    assert watchword("fetch", "-f", url).stdout == OK_BODY


def test_a_refused_one_is_asked_for(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str], tmp_path: Path
) -> None:
    url = origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    answers = askpass(WRONG_PASSWORD, PASSWORD)
    done = watchword("fetch", "-u", USER, "--preemptive", "--askpass", answers, url)
    assert (done.returncode, done.stdout) == (OK, OK_BODY)
    assert len((tmp_path / "prompts").read_text().splitlines()) == 2


def test_what_is_not_sent_over_cleartext_is_said(watchword: Command, askpass: Callable[..., str]) -> None:
    done = watchword(
        *("credentials", "set", "--preemptive", "-u", USER, "--askpass", askpass(PASSWORD)),
        "http://far.example/",
    )
    assert done.returncode == OK
    assert "nothing goes with the first request to http://far.example:80" in done.stderr.decode()


@pytest.mark.parametrize(
    "options",
    [
        ("fetch", "--preemptive"),
        ("fetch", "--preemptive", "-u", USER, "--persistence", "none"),
        ("fetch", "--preemptive", "-u", USER, "--digest"),
        ("credentials", "set", "--preemptive", "-u", USER, "--method", "digest"),
        ("credentials", "set", "--preemptive", "-u", USER, "--proxy"),
    ],
)
def test_what_does_not_fit_is_an_error_of_usage(
    watchword: Command, origin: ScriptedOrigin, options: tuple[str, ...]
) -> None:
    done = watchword(*options, origin.serve("/", reply()))
    assert done.returncode == USAGE
    assert "--preemptive" in complaint(done)
    assert origin.requests == []
