"""A login form that stays unanswered, or is refused: a script does not take its page for the data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import AUTHENTICATION, OK, Command, complaint
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Peer
from Support.login_origin import LoginOrigin
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.core


@pytest.fixture
def portal(peer: Peer, login: LoginOrigin) -> str:
    return opened(peer, f"{login.url}/login")


def opened(peer: Peer, page: str) -> str:
    fields = {"user": "user", "password": "password"}
    rule = {"page": page, "fields": fields, "when": {"selector": "form"}, "success": {}}
    peer.open("portal", configuration={"forms": [rule]})
    return "portal"


@pytest.mark.parametrize("options", [[], ["--no-ask"], ["-f"], ["-s"], ["--retry", "1"]])
def test_the_page_is_not_written(
    watchword: Command, portal: str, login: LoginOrigin, tmp_path: Path, options: list[str]
) -> None:
    url = f"{login.url}/private/report"
    old = tmp_path / "old"
    old.write_bytes(b"yesterday's report")
    for output in ([], ["-o", f"{tmp_path}/new"], ["-o", str(old)], ["-C", "-", "-o", str(old)]):
        done = watchword("fetch", "-L", "--session", portal, *options, *output, url)
        assert (done.returncode, done.stdout) == (AUTHENTICATION, b""), output
        assert ("login page" in done.stderr.decode()) == ("-s" not in options)
    assert old.read_bytes() == b"yesterday's report"
    assert [entry.name for entry in tmp_path.iterdir() if entry.name != "old"] == []
    assert login.logins == []


def test_who_wants_the_page_gets_it(watchword: Command, portal: str, login: LoginOrigin) -> None:
    done = watchword("fetch", "-L", "--session", portal, "--deliver-401", f"{login.url}/private/report")
    assert (done.returncode, b"Sign in" in done.stdout) == (AUTHENTICATION, True)


def test_a_refused_login_is_no_success(
    watchword: Command, portal: str, login: LoginOrigin, askpass: Callable[..., str], tmp_path: Path
) -> None:
    url = f"{login.url}/private/report"
    wrong = askpass(USER, "wrong", "wrong", "wrong", "wrong", "wrong")
    target = tmp_path / "report"
    done = watchword("fetch", "-L", "--session", portal, "--askpass", wrong, "-o", str(target), url)
    assert (done.returncode, target.exists()) == (AUTHENTICATION, False)
    assert {made.is_accepted for made in login.logins} == {False}


def test_an_answered_form_brings_what_was_asked_for(
    watchword: Command, portal: str, login: LoginOrigin, askpass: Callable[..., str]
) -> None:
    url = f"{login.url}/private/report"
    done = watchword("fetch", "-L", "--session", portal, "--askpass", askpass(USER, PASSWORD), url)
    assert (done.returncode, done.stdout) == (OK, b"<p class=welcome>GET report </p>")


def test_a_page_whose_form_has_other_fields_is_named(
    watchword: Command, peer: Peer, origin: ScriptedOrigin
) -> None:
    url = origin.serve("/login", reply(200, b"<form method=post><input name=name></form>"))
    done = watchword("fetch", "--session", opened(peer, url), url)
    assert (done.returncode, done.stdout) == (AUTHENTICATION, b"")
    assert "no form on the page has both fields of the rule" in complaint(done)
