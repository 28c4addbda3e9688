"""A 401 that comes although a credential is kept has a hint why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from Integration.command_line.scene import AUTHENTICATION, Command
from Integration.credentials.scene import put, space
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, password
from Support.daemon import program
from Support.scripted_origin import ScriptedOrigin

REFUSED = "watchword: the server answered 401\n"
LIMITS = "its limits do not allow this URL or method"
WAY = "not given over these roots, addresses, proxies or accepted certificates, or to this Host"


def keep(peer: Peer, origin: ScriptedOrigin, persistence: str = "forSession", **limits: Json) -> None:
    session = peer.open("reports", configuration={"credentialStorage": "shared"})
    credential = password(USER, PASSWORD, persistence)
    put(peer, session, space(origin), {**credential, "limits": limits} if limits else credential)


@pytest.mark.parametrize("persistence", ["forSession", "permanent"])
def test_limits_that_keep_a_credential_from_a_fetch_are_named(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, staff: str, persistence: str
) -> None:
    keep(peer, origin, persistence, pathPrefixes=["/elsewhere"])
    fetch = ("fetch", "--no-ask", "--session", "reports")
    see = f"see watchword explain --session reports {staff}"
    hint = f"hint: a kept credential was passed over ({LIMITS}); {see}\n"
    for options in ([], ["-f"]):
        done = watchword(*fetch, *options, staff)
        assert (done.returncode, done.stderr.decode()) == (AUTHENTICATION, REFUSED + hint)
    assert watchword(*fetch, "-s", staff).stderr == b""
    assert b"passed over" not in watchword(*fetch, "-H", "Authorization: Basic eDp4", staff).stderr
    explained = watchword("explain", "--session", "reports", staff).stdout.decode()
    kept = "session" if persistence == "forSession" else persistence
    assert f'passed over {USER}, basic "staff", from {kept}: {LIMITS}\n' in explained


def test_a_way_that_a_credential_was_not_given_over_is_named(
    watchword: Command, peer: Peer, origin: ScriptedOrigin, staff: str
) -> None:
    keep(peer, origin, "permanent")
    resolve = f"127.0.0.1:{origin.port}:127.0.0.1"
    done = watchword("fetch", "--no-ask", "--resolve", resolve, staff)
    assert (
        done.stderr.decode()
        == f"{REFUSED}hint: a kept credential was passed over ({WAY}); see watchword explain {staff}\n"
    )
    assert watchword("fetch", "--no-ask", staff).stderr == b""


def test_without_a_kept_credential_there_is_no_such_hint(watchword: Command, staff: str) -> None:
    done = watchword("fetch", "--no-ask", staff)
    hint = "hint: the server wants a credential, and --no-ask forbids to ask for one\n"
    assert done.stderr.decode() == REFUSED + hint


def test_a_restricted_command_says_who_can_look(
    watchword: Command, connect: Callable[..., Peer], origin: ScriptedOrigin, staff: str
) -> None:
    keep(connect(), origin, pathPrefixes=["/elsewhere"])
    run = ("run", "--session", "reports", "--allow", f"GET {origin.url}/*", "--")
    done = watchword(*run, str(program("watchword")), "fetch", "--no-ask", staff)
    assert (
        f"hint: this connection is restricted; outside of it watchword explain {staff} says"
        in done.stderr.decode()
    )
