"""A login page is not what was asked for, and the result says so (methods.md 16.10)."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path

import pytest

from Integration.forms import FORM, HTML, opened, rule
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, body_of, password
from Support.exchange import Exchange, Script
from Support.login_origin import LoginOrigin
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import redirect, reply

pytestmark = pytest.mark.core


def test_a_page_that_stays_is_delivered(peer: Peer, login: LoginOrigin) -> None:
    """After the budget of refusals, with a server that forgets every login, and without a delegate."""
    login.forgets = True
    session = opened(peer, rule(f"{login.url}/login"), challenges={"refusalBudget": 2})
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.answer(peer.challenge(), password(USER, PASSWORD + "2"))
    result = peer.result(fetch)
    assert (result["loginPage"], b"Sign in" in body_of(result)) == (True, True)
    assert peer.call("credential/list", {"session": session})["credentials"] == []
    silent = opened(peer, rule(f"{login.url}/login"), delegate=None)
    result = peer.fetch(silent, f"{login.url}/private/a")
    assert (result["status"], result["loginPage"], b"Sign in" in body_of(result)) == (200, True, True)


def test_a_field_of_the_caller_that_is_not_enough_raises_no_question(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    fields = [["Authorization", "Bearer stale"]]
    result = peer.fetch(session, f"{login.url}/private/a", headers=fields)
    assert (result["status"], result["loginPage"], b"Sign in" in body_of(result)) == (200, True, True)
    peer.nothing_asked()


def test_an_answer_that_refuses_a_login_is_no_success(peer: Peer, origin: ScriptedOrigin) -> None:
    """It need not be a form again."""
    page = reply(200, FORM % b"/in", HTML)
    url = origin.serve("/login", page, page)
    origin.serve("/in", reply(200, b"Wrong password", HTML))
    session = opened(peer, rule(url, success={"selector": ".welcome"}), challenges={"refusalBudget": 1})
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    result = peer.result(fetch)
    assert (result["status"], result["loginPage"], body_of(result)) == (200, True, b"Wrong password")


def test_a_login_page_is_not_taken_for_the_rest_of_a_file(
    peer: Peer, login: LoginOrigin, tmp_path: Path
) -> None:
    file = tmp_path / "out"
    file.write_bytes(b"the beginning")
    session = opened(peer, rule(f"{login.url}/login"), delegate=None)
    digest = f"sha-256=:{base64.b64encode(hashlib.sha256(b'another').digest()).decode()}:"
    with file.open("rb+") as part:
        part.seek(0, 2)
        output = {"descriptor": 0, "resumeIfRange": '"v1"', "digest": digest}
        request = {"session": session, "url": f"{login.url}/private/a", "output": output}
        result = peer.call("fetch", request, descriptors=[part.fileno()])
    assert (result["loginPage"], result["body"]["continuation"]) == (True, "discarded")
    assert file.read_bytes() == b"the beginning"
    result = peer.fetch(session, f"{login.url}/private/a", output={"mode": "inline", "digest": digest})
    assert (result["loginPage"], "verified" in result["body"]) == (True, False)


def test_the_head_says_that_the_response_is_a_login_page(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"), delegate=None)
    fetch = peer.start_fetch(session, f"{login.url}/private/a", output="stream")
    assert peer.notification("task/didReceiveResponse")["loginPage"] is True
    assert peer.result(fetch)["loginPage"] is True


def test_a_compressed_page_is_read_whoever_decodes_it(peer: Peer, origin: ScriptedOrigin) -> None:
    """A caller that asks for the content as it is stores no login page as its data either."""
    coded = [*HTML, ("Content-Encoding", "gzip")]
    page = gzip.compress(FORM % b"/in")
    url = origin.serve("/login", reply(200, page, coded))
    result = peer.fetch(opened(peer, rule(url), delegate=None), url, decodeContent=False)
    assert (result["loginPage"], body_of(result)) == (True, page)
    url = origin.serve("/asked", *[reply(200, page, coded)] * 2, reply(200, b"the report"))
    origin.serve("/in", reply(204))
    fetch = peer.start_fetch(opened(peer, rule(url)), url, decodeContent=False)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"the report"


@pytest.mark.parametrize(
    ("page", "when", "is_named"),
    [
        (b"<form method=post><input name=user></form>", {}, True),
        (b"<form method=post id=login><input name=name></form>", {"selector": "#login"}, True),
        (b"<form method=post><input name=name></form>", {}, False),
        (b"<p>welcome", {"selector": "#login"}, False),
    ],
)
def test_a_page_of_the_rule_without_both_fields_is_named(
    peer: Peer, origin: ScriptedOrigin, page: bytes, when: Json, is_named: bool
) -> None:
    url = origin.serve("/login", reply(200, page, HTML))
    result = peer.fetch(opened(peer, rule(url, when=when)), url)
    assert body_of(result) == page
    named = [{"scheme": "htmlForm", "reason": "missingField"}]
    assert result.get("unusableOffers", []) == (named if is_named else [])
    assert result.get("loginPage", False) == is_named


PAGE = FORM % b"/in"


def part_of(page: bytes, content_type: str) -> Script:
    """Answers `Range: bytes=N-` as a server of static pages does (RFC 9110 section 14)."""

    async def script(exchange: Exchange) -> None:
        wanted = exchange.request.header("Range")
        first = int(wanted.removeprefix("bytes=").partition("-")[0]) if wanted else 0
        fields = [("Content-Type", content_type)]
        if wanted is None:
            await exchange.respond(200, fields, page)
        elif first < len(page):
            fields.append(("Content-Range", f"bytes {first}-{len(page) - 1}/{len(page)}"))
            await exchange.respond(206, fields, page[first:])
        else:
            fields.append(("Content-Range", f"bytes */{len(page)}"))
            await exchange.respond(416, fields, b"no such part")

    return script


@pytest.mark.parametrize("first", [len(PAGE) - 9, len(PAGE)], ids=["206", "416"])
@pytest.mark.parametrize("is_led", [False, True], ids=["own page", "redirect"])
def test_a_part_of_a_page_does_not_hide_the_form(
    peer: Peer, origin: ScriptedOrigin, first: int, is_led: bool
) -> None:
    tail = reply(206, b"tail", [("Content-Type", "text/plain")])
    page = origin.serve("/login", *[part_of(PAGE, "text/html")] * (6 if is_led else 4), tail)
    url = origin.serve("/file", redirect(page), redirect(page), tail) if is_led else page
    origin.serve("/in", reply(204))
    silent = opened(peer, rule(page), delegate=None)
    fields = [["Range", f"bytes={first}-"], ["If-Range", '"v1"']]
    result = peer.fetch(silent, url, headers=fields)
    assert (result["status"], result.get("loginPage"), body_of(result)) == (200, True, PAGE)
    fetch = peer.start_fetch(opened(peer, rule(page)), url, headers=fields)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    result = peer.result(fetch)
    assert (result["status"], "loginPage" in result, body_of(result)) == (206, False, b"tail")
    own = origin.requests_to("/file" if is_led else "/login")[-1]
    assert own.header("Range") == f"bytes={first}-", "the task's own request is the caller's"


def test_only_a_get_is_made_again_for_the_whole_page(peer: Peer, origin: ScriptedOrigin) -> None:
    page = origin.serve("/login", part_of(PAGE, "text/html"))
    session = opened(peer, rule(page), delegate=None)
    result = peer.fetch(session, page, method="POST", body={"text": "x"}, headers=[["Range", "bytes=9-"]])
    assert (result["status"], len(origin.requests)) == (206, 1)


@pytest.mark.parametrize("types", [[""], ["text/plain", "text/html"], ["text/html", "text/plain"]])
def test_an_empty_or_doubled_type_does_not_hide_the_form(
    peer: Peer, origin: ScriptedOrigin, types: list[str]
) -> None:
    page = origin.serve("/login", reply(200, PAGE, [("Content-Type", name) for name in types]))
    assert peer.fetch(opened(peer, rule(page), delegate=None), page)["loginPage"] is True


def test_several_parts_of_a_page_do_not_hide_the_form(peer: Peer, origin: ScriptedOrigin) -> None:
    parts = reply(206, b"--x", [("Content-Type", "multipart/byteranges; boundary=x")])
    page = origin.serve("/login", parts, reply(200, PAGE, HTML))
    session = opened(peer, rule(page), delegate=None)
    result = peer.fetch(session, page, headers=[["Range", "bytes=0-1,4-5"]])
    assert (result["status"], result["loginPage"]) == (200, True)


def test_a_part_of_what_cannot_be_a_login_page_stays(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/file", part_of(PAGE, "application/zip"))
    elsewhere = origin.serve("/other", part_of(PAGE, "text/html"))
    session = opened(peer, rule(url), delegate=None)
    for place in (url, elsewhere):
        result = peer.fetch(session, place, headers=[["Range", "bytes=9-"]])
        assert (result["status"], body_of(result)) == (206, PAGE[9:])
