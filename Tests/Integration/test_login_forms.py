"""Login forms: a page that a rule of the session names is a challenge (methods.md 16)."""

from __future__ import annotations

import contextlib
import gzip

import pytest

from Integration.forms import FIELDS, FORM, HTML, opened, rule
from Integration.sentinels import PASSWORD, USER
from Integration.wire import Json, Peer, RemoteError, body_of, kind_of, password
from Support.daemon import Daemon
from Support.exchange import Exchange
from Support.login_origin import LoginOrigin
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import held, redirect, reply

pytestmark = pytest.mark.core


def test_a_login_page_is_a_challenge_once(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    url = f"{login.url}/private/report?q=1"
    fetch = peer.start_fetch(session, url, headers=[["Range", "bytes=0-"]], metrics=True)
    challenge = peer.challenge()
    space = challenge["protectionSpace"]
    assert (space["authenticationMethod"], space["realm"]) == ("htmlForm", None)
    assert challenge["offers"][0]["parameters"] == {"page": f"{login.url}/login", "action": "/login"}
    assert challenge["failureResponse"]["status"] == 200
    peer.answer(challenge, password(USER, PASSWORD))
    result = peer.result(fetch)
    assert result["status"] == 200
    assert result["url"] == url
    assert body_of(result) == b"<p class=welcome>GET report </p>"
    methods = [exchange["authenticationMethod"] for exchange in result["metrics"]["exchanges"]]
    assert methods.count("htmlForm") == 1
    [made] = login.logins
    assert made.is_accepted
    assert made.fields == ["csrf", "user", "password", "go"]
    assert (made.origin, made.referer) == (login.url, f"{login.url}/login?next=/private/report")
    assert made.authorization is None
    # The cookies are the session's.
    assert body_of(peer.fetch(session, f"{login.url}/private/other")) == b"<p class=welcome>GET other </p>"
    assert len(login.logins) == 1
    peer.nothing_asked()
    [kept] = peer.call("credential/list", {"session": session})["credentials"]
    assert (kept["user"], kept["protectionSpace"]["authenticationMethod"]) == (USER, "htmlForm")


def test_pages_without_a_content_type_are_looked_into(peer: Peer, origin: ScriptedOrigin) -> None:
    form = reply(body=FORM % b"/in")
    page = origin.serve("/login", form, form, reply(body=b"the report"))
    origin.serve("/in", reply(body=b"<p class=welcome>"))
    session = opened(peer, rule(page, success={"selector": ".welcome"}))
    fetch = peer.start_fetch(session, page)
    challenge = peer.challenge()
    assert challenge["protectionSpace"]["authenticationMethod"] == "htmlForm"
    peer.answer(challenge, password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"the report"
    peer.nothing_asked()


def test_a_lost_login_is_made_again_without_asking(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    peer.result(fetch)
    login.signed_in.clear()
    fetches = [peer.start_fetch(session, f"{login.url}/private/{number}") for number in range(20)]
    assert {peer.result(fetch)["status"] for fetch in fetches} == {200}
    peer.nothing_asked()
    assert len(login.logins) == 2, "one task logs in for all"


def test_a_task_whose_redirect_comes_after_the_login_of_another_does_not_log_in(
    peer: Peer, origin: ScriptedOrigin
) -> None:
    """Its request was made before the login, and the page has a form for everybody."""
    gate = origin.gate()
    page = origin.serve("/login", reply(body=FORM % b"/in"))
    origin.serve("/in", reply(body=b"<p class=welcome>"))
    led = redirect(page)
    first = origin.serve("/first", led, reply(body=b"first"))
    late = origin.serve("/late", held(gate, led), reply(body=b"late"))
    session = opened(peer, rule(page, success={"selector": ".welcome"}))
    waiting = peer.start_fetch(session, late)
    origin.wait_for_requests(1, "/late")
    fetch = peer.start_fetch(session, first)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"first"
    gate.open()
    assert body_of(peer.result(waiting)) == b"late"
    assert [request.target for request in origin.requests].count("/in") == 1


def test_many_tasks_raise_one_challenge(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    fetches = [peer.start_fetch(session, f"{login.url}/private/{number}") for number in range(50)]
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    results = [peer.result(fetch) for fetch in fetches]
    assert all(b"welcome" in body_of(result) for result in results)
    peer.nothing_asked()
    assert len(login.logins) == 1


def test_a_wrong_password_is_asked_about_again(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.answer(peer.challenge(), password(USER, "wrong"))
    again = peer.challenge()
    assert again["previousFailureCount"] == 1
    assert again["proposedCredential"]["user"] == USER
    peer.answer(again, password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"<p class=welcome>GET a </p>"
    assert [made.is_accepted for made in login.logins] == [False, True]


def test_a_server_error_says_nothing_about_the_password(peer: Peer, login: LoginOrigin) -> None:
    """It is the result, and the next task is asked as if nothing had been tried."""
    login.is_down = True
    session = opened(peer, rule(f"{login.url}/login"))
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    result = peer.result(fetch)
    assert (result["status"], result["loginPage"], len(login.logins)) == (503, True, 1)
    assert peer.call("credential/list", {"session": session})["credentials"] == []
    login.is_down = False
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    challenge = peer.challenge()
    assert challenge["previousFailureCount"] == 0
    peer.answer(challenge, password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"<p class=welcome>GET a </p>"
    peer.nothing_asked()


@pytest.mark.parametrize(
    ("disposition", "kind"),
    [
        ("cancelAuthenticationChallenge", "userCancelledAuthentication"),
        ("rejectProtectionSpace", None),
        ("performDefaultHandling", None),
    ],
)
def test_dispositions_are_those_of_http(
    peer: Peer, login: LoginOrigin, disposition: str, kind: str | None
) -> None:
    session = opened(peer, rule(f"{login.url}/login"))
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.dispose(peer.challenge(), disposition)
    if kind:
        assert kind_of(peer.result, fetch) == kind
    else:
        assert b"Sign in" in body_of(peer.result(fetch))
    assert login.logins == []


def test_a_request_with_a_body_is_made_again(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/private/*", when={"status": 403, "selector": "form#login"}))
    fetch = peer.start_fetch(session, f"{login.url}/private/inline", method="PUT", body={"text": "content"})
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"<p class=welcome>PUT inline content</p>"


@pytest.mark.parametrize(
    ("success", "works"),
    [
        ({"status": 302}, True),
        ({"status": 200}, True),
        ({"selector": ".welcome"}, True),
        ({"selector": "p.welcome", "status": 200}, True),
        ({"selector": ".absent"}, False),
        ({"status": 204}, False),
    ],
)
def test_the_rules_test_says_whether_the_login_succeeded(
    peer: Peer, login: LoginOrigin, success: Json, works: bool
) -> None:
    session = opened(peer, rule(f"{login.url}/login", success=success))
    fetch = peer.start_fetch(session, f"{login.url}/private/a")
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    if works:
        assert b"welcome" in body_of(peer.result(fetch))
    else:
        assert peer.challenge()["previousFailureCount"] == 1


def test_the_credential_of_the_session_is_used(peer: Peer, login: LoginOrigin) -> None:
    session = opened(peer, rule(f"{login.url}/login"), delegate=None)
    space = {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": int(login.url.rpartition(":")[2]),
        "realm": None,
        "authenticationMethod": "htmlForm",
    }
    credential = {"user": USER, "password": PASSWORD}
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    assert b"welcome" in body_of(peer.fetch(session, f"{login.url}/private/a"))


@pytest.mark.parametrize(
    ("action", "method", "reason"),
    [
        (b"http://other.test/login", "post", "otherOrigin"),
        (b"javascript:x", "post", "otherOrigin"),
        (b"//other.test/", "post", "otherOrigin"),
        (b"/login", "get", "notPosted"),
    ],
)
def test_a_password_goes_to_the_page_s_origin_or_nowhere(
    peer: Peer, origin: ScriptedOrigin, action: bytes, method: str, reason: str
) -> None:
    page = (FORM % action).replace(b"method=post", b"method=" + method.encode())
    url = origin.serve("/login", reply(200, page, HTML))
    session = opened(peer, rule(url))
    fetch = peer.start_fetch(session, url)
    with pytest.raises(RemoteError) as caught:
        peer.result(fetch)
    assert caught.value.kind == "authenticationFailed"
    assert caught.value.data["reason"] == reason
    peer.nothing_asked()


@pytest.mark.parametrize(
    ("base", "posted"), [("/app/", "/app/in"), ("sub/x", "/sub/in"), ("mailto:x", "/in"), ("", "/in")]
)
def test_a_base_says_where_a_form_is_posted(
    peer: Peer, origin: ScriptedOrigin, base: str, posted: str
) -> None:
    page = f"<head><base target=x><base href='{base}'><base href=/no/></head>".encode() + FORM % b"in"
    url = origin.serve("/login", *[reply(200, page, HTML)] * 2, reply(200, b"done"))
    origin.serve(posted, reply(204))
    session = opened(peer, rule(url))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"done"
    [request] = [request for request in origin.requests if request.method == "POST"]
    assert request.path == posted


def test_a_base_of_another_origin_gets_no_password(peer: Peer, origin: ScriptedOrigin) -> None:
    page = b"<base href='http://other.test/'>" + FORM % b"in"
    url = origin.serve("/login", reply(200, page, HTML))
    with pytest.raises(RemoteError) as caught:
        peer.fetch(opened(peer, rule(url)), url)
    assert caught.value.data["reason"] == "otherOrigin"
    peer.nothing_asked()


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_a_page_that_expands_without_end_is_no_form(peer: Peer, origin: ScriptedOrigin, layers: int) -> None:
    page = b" " * (64 << 20) + FORM % b"/in"
    for _ in range(layers):
        page = gzip.compress(page)
    coded = [*HTML, ("Content-Encoding", ", ".join(["gzip"] * layers))]
    url = origin.serve("/bomb", reply(200, page, coded), reply(200, page[:-9], coded))
    session = opened(peer, rule(url))
    for body in (page, page[:-9]):
        result = peer.fetch(session, url, decodeContent=False)
        assert ("loginPage" in result, body_of(result)) == (False, body)
    peer.nothing_asked()


def test_a_form_behind_a_large_page_streams_and_a_huge_form_fails(peer: Peer, origin: ScriptedOrigin) -> None:
    text = b"<p>" + b"x" * (3 << 20)
    plain = origin.serve("/plain", reply(200, text, HTML))
    huge = origin.serve("/huge", reply(200, (FORM % b"/x")[:-7] + b"<input name=n>" * (1 << 18), HTML))
    page = reply(200, FORM % b"/early" + text, HTML)
    early = origin.serve("/early", page, page, reply(200, b"in", HTML), reply(200, b"done"))
    session = opened(peer, rule(plain.replace("plain", "*")))
    assert peer.fetch(session, plain, output="discard")["body"]["size"] == len(text)
    assert kind_of(peer.fetch, session, huge) == "authenticationFailed"
    fetch = peer.start_fetch(session, early)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"done"
    posted = [request for request in origin.requests if request.method == "POST"]
    assert [request.body for request in posted] == [f"user={USER}&password={PASSWORD}&t=1".encode()]


def test_a_form_is_posted_as_a_browser_posts_it(peer: Peer, origin: ScriptedOrigin) -> None:
    page = (
        b"<input form=in name=token value=1><form id=in action=/x><input name=user><input name=password>"
        b"<select name=domain><option>A<option selected value=b>B</select>"
        b"<textarea name=note>\na\nb</textarea>"
        b"<fieldset disabled><input name=off></fieldset></form>"
        b"<button form=in formmethod=post formaction=/in name=go value=1>In</button>"
    )
    url = origin.serve("/login", *[reply(200, page, HTML)] * 2, reply(200, b"done"))
    origin.serve("/in", reply(204))
    session = opened(peer, rule(url))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert body_of(peer.result(fetch)) == b"done"
    [posted] = [request for request in origin.requests if request.method == "POST"]
    assert posted.path == "/in"
    assert posted.body.decode() == (f"token=1&user={USER}&password={PASSWORD}&domain=b&note=a%0D%0Ab&go=1")


def test_a_form_of_100_megabytes_fails_in_little_memory(
    peer: Peer, daemon: Daemon, origin: ScriptedOrigin
) -> None:
    async def endless(exchange: Exchange) -> None:
        await exchange.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 104857600\r\n\r\n"
        )
        await exchange.send((FORM % b"/x")[:-7])
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                await exchange.send(b"<input name=n>" * (1 << 16))

    url = origin.serve("/login", endless)
    session = opened(peer, rule(url))
    before = daemon.resident_bytes()
    with pytest.raises(RemoteError) as caught:
        peer.fetch(session, url)
    assert caught.value.kind == "authenticationFailed"
    assert caught.value.data["reason"] == "tooLarge"
    assert daemon.resident_bytes(peak=True) - before < 64 << 20


def test_a_login_that_redirects_for_ever_ends(peer: Peer, origin: ScriptedOrigin) -> None:
    url = origin.serve("/login", reply(200, FORM % b"/loop", HTML))
    origin.serve("/loop", reply(302, b"", [("Location", "/loop")]))
    session = opened(peer, rule(url))
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert kind_of(peer.result, fetch) == "tooManyRedirects"


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"page": "/login"}, "page"),
        ({"page": "http://u:p@a.test/"}, "page"),
        ({"page": "http://a.test/x#y"}, "page"),
        ({"page": "http://a.test/?q=*"}, "page"),
        ({"fields": {"user": "u"}}, "fields.password"),
        ({"fields": {"user": "u", "password": "u"}}, "fields"),
        ({"when": {"selector": "a:hover"}}, "when.selector"),
        ({"success": {"status": 99}}, "success.status"),
        ({"succes": {}}, "succes"),
        ({"fields": FIELDS | {"otp": "x"}}, "fields.otp"),
    ],
)
def test_a_rule_that_is_wrong_is_refused(peer: Peer, members: Json, path: str) -> None:
    with pytest.raises(RemoteError) as caught:
        opened(peer, rule("http://a.test/login") | members)
    assert caught.value.message.startswith(f"params.configuration.forms[0].{path}: ")


def test_a_session_without_cookies_takes_no_rule(peer: Peer) -> None:
    assert kind_of(opened, peer, rule("http://a.test/"), "*") == "invalidParams"
    with pytest.raises(RemoteError, match="cookies"):
        opened(peer, rule("http://a.test/"), cookies="never")
