"""Where credentials live: persistence, scopes, limits, storage and what lists show (challenges.md 9)."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

from Integration.crowd import Crowd
from Integration.sentinels import (
    OTHER_PASSWORD,
    OTHER_USER,
    PASSWORD,
    TOKEN,
    USER,
    WRONG_PASSWORD,
    traces_in,
)
from Integration.wire import Json, Peer, RemoteError, kind_of, password
from Support.daemon import Daemon
from Support.guards import BasicGuard, BearerGuard, DigestGuard, Guard, guarded
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import reply

pytestmark = pytest.mark.core

Asked = tuple[Peer, str]
Connect = Callable[..., Peer]


def space(origin: ScriptedOrigin, realm: str | None = "staff", method: str = "basic") -> Json:
    return {
        "protocol": "http",
        "host": "127.0.0.1",
        "port": origin.port,
        "realm": realm,
        "authenticationMethod": method,
    }


def put(peer: Peer, session: str, space: Json, credential: Json, **members: Json) -> None:
    params = {"session": session, "protectionSpace": space, "credential": credential, **members}
    assert peer.call("credential/set", params) == {}


def listed(peer: Peer, session: str) -> list[Json]:
    entries = peer.call("credential/list", {"session": session})["credentials"]
    assert isinstance(entries, list)
    return entries


def log_in(peer: Peer, session: str, url: str, credential: Json = None) -> None:
    fetch = peer.start_fetch(session, url)
    peer.answer(peer.challenge(), credential or password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def exchanges(result: Json) -> int:
    return len(result["metrics"]["exchanges"])


def staff(origin: ScriptedOrigin, path: str = "/staff") -> str:
    return origin.serve(path, guarded(BasicGuard("staff", USER, PASSWORD)))


def test_persistence_none_serves_the_waiting_tasks_and_is_forgotten(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    url = staff(origin)
    fetches = [peer.start_fetch(session, url) for _ in range(3)]
    challenge = peer.challenge()
    while len(peer.call("challenge/describe", {"challenge": challenge["challenge"]})["waiters"]) < 3:
        pass
    peer.answer(challenge, password(USER, PASSWORD, "none"))
    assert [peer.result(fetch)["status"] for fetch in fetches] == [200, 200, 200]
    assert listed(peer, session) == []
    fetch = peer.start_fetch(session, url)
    assert peer.challenge()["proposedCredential"] is None
    assert origin.requests[-1].authorization is None
    peer.answer(peer.call("challenge/list", {"session": session})["challenges"][0], None)
    assert peer.result(fetch)["status"] == 401


SCOPES = [
    ("/a/b/c", "/a/b/c", True),
    ("/a/b/c", "/a/b/d", True),
    ("/a/b/c", "/a/b/d/e/f", True),
    ("/a/b/c", "/a/b/", True),
    ("/a/b/c", "/a/b", False),
    ("/a/b/c", "/a/x", False),
    ("/a/b/c", "/a/bc/x", False),
    ("/a/b/c", "/", False),
    ("/top", "/anything/below", True),
    ("/a/b/c", "/a/b/../x", False),
    ("/a/b/c", "/a/b/%2e%2e/x", False),
]


@pytest.mark.parametrize("guard", [BasicGuard("r", USER, PASSWORD), BearerGuard("r", TOKEN)])
@pytest.mark.parametrize(("accepted", "path", "unasked"), SCOPES)
def test_basic_and_bearer_go_ahead_in_their_directory_and_below(
    asked: Asked, origin: ScriptedOrigin, guard: Guard, accepted: str, path: str, unasked: bool
) -> None:
    peer, session = asked
    origin.serve("/*", guarded(guard))
    credential = {"token": TOKEN} if isinstance(guard, BearerGuard) else password(USER, PASSWORD)
    log_in(peer, session, origin.url + accepted, credential)
    before = len(origin.requests)
    result = peer.fetch(session, origin.url + path)
    assert result["status"] == 200
    assert (origin.requests[before].authorization is not None) == unasked
    peer.nothing_asked()


def test_a_digest_credential_goes_ahead_in_the_whole_origin(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    origin.serve("/*", guarded(DigestGuard("staff", USER, PASSWORD)))
    log_in(peer, session, f"{origin.url}/a/b")
    assert exchanges(peer.fetch(session, f"{origin.url}/")) == 1


def test_the_deepest_scope_wins(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    outer = origin.serve("/x", guarded(BasicGuard("outer", USER, PASSWORD)))
    inner = origin.serve("/deep/x", guarded(BasicGuard("inner", OTHER_USER, OTHER_PASSWORD)))
    log_in(peer, session, inner, password(OTHER_USER, OTHER_PASSWORD))
    log_in(peer, session, outer)
    assert exchanges(peer.fetch(session, inner)) == 1
    assert exchanges(peer.fetch(session, outer)) == 1


def test_a_url_with_a_user_gets_nothing_unasked(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    before = len(origin.requests)
    result = peer.fetch(session, url.replace("http://", f"http://{USER}:{PASSWORD}@"))
    assert (result["status"], exchanges(result)) == (200, 2)
    assert origin.requests[before].authorization is None


def test_a_stored_credential_answers_without_asking_anybody(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open()
    put(peer, session, space(origin), password(USER, PASSWORD))
    result = peer.fetch(session, staff(origin))
    assert result["status"] == 200
    assert exchanges(result) == 2
    assert exchanges(peer.fetch(session, f"{origin.url}/staff")) == 1


def test_a_credential_of_the_session_is_used_before_a_delegate_is_asked(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    assert peer.fetch(session, staff(origin))["status"] == 200
    peer.nothing_asked()


@pytest.mark.parametrize("guard", [BasicGuard("staff", USER, PASSWORD), DigestGuard("staff", USER, PASSWORD)])
def test_the_method_default_stands_for_basic_and_digest(
    peer: Peer, origin: ScriptedOrigin, guard: Guard
) -> None:
    session = peer.open()
    put(peer, session, space(origin, method="default"), password(USER, PASSWORD))
    assert peer.fetch(session, origin.serve("/", guarded(guard)))["status"] == 200


@pytest.mark.parametrize(
    "wrong",
    [
        {"realm": "Staff"},
        {"realm": None},
        {"port": 1},
        {"protocol": "https"},
        {"host": "localhost"},
        {"authenticationMethod": "digest"},
        {"isProxy": True},
    ],
)
def test_a_credential_for_another_space_is_not_used(peer: Peer, origin: ScriptedOrigin, wrong: Json) -> None:
    session = peer.open()
    put(peer, session, {**space(origin), **wrong}, password(USER, PASSWORD))
    assert peer.fetch(session, staff(origin))["status"] == 401
    assert traces_in(origin.received()) == []


def test_a_stored_credential_that_is_wrong_is_removed_and_asked_for(
    asked: Asked, origin: ScriptedOrigin
) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, WRONG_PASSWORD))
    fetch = peer.start_fetch(session, staff(origin))
    challenge = peer.challenge()
    assert challenge["proposedCredential"]["user"] == USER
    assert listed(peer, session) == []
    peer.answer(challenge, password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200


def test_a_list_never_shows_a_secret(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD, limits={"maximumUses": 9}))
    put(peer, session, space(origin, "api", "bearer"), {"token": TOKEN})
    entries = {entry["protectionSpace"]["realm"]: entry for entry in listed(peer, session)}
    assert entries["staff"]["user"] == USER
    assert entries["staff"]["kind"] == "password"
    assert entries["staff"]["persistence"] == "forSession"
    assert entries["staff"]["isDefault"] is True
    assert entries["staff"]["source"] == "session"
    assert entries["staff"]["limits"]["maximumUses"] == 9
    assert entries["staff"]["uses"] == 0
    assert entries["staff"]["lastUsed"] is None
    assert entries["api"]["user"] is None
    assert entries["api"]["kind"] == "token"
    assert peer.leaks() == []


def test_uses_are_counted(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    for _ in range(3):
        peer.fetch(session, url)
    (entry,) = listed(peer, session)
    assert entry["uses"] == 4
    assert entry["lastUsed"] is not None
    expected = {**space(origin), "isProxy": False}
    assert {name: entry["protectionSpace"][name] for name in expected} == expected


def test_a_removed_credential_is_asked_for_again(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    remove = {"session": session, "protectionSpace": space(origin)}
    assert peer.call("credential/remove", remove) == {"removed": 1}
    assert peer.call("credential/remove", remove) == {"removed": 0}
    before = len(origin.requests)
    log_in(peer, session, url)
    assert origin.requests[before].authorization is None


def test_a_space_holds_several_users_and_one_default(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    assert {entry["user"]: entry["isDefault"] for entry in listed(peer, session)} == {
        USER: True,
        OTHER_USER: False,
    }
    choose = {"session": session, "protectionSpace": space(origin), "user": OTHER_USER}
    assert peer.call("credential/setDefault", choose) == {}
    url = origin.serve("/", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    assert peer.fetch(session, url)["status"] == 200
    nobody = {**choose, "user": "nobody"}
    assert kind_of(peer.call, "credential/setDefault", nobody) == "credentialNotFound"
    remove = {"session": session, "protectionSpace": space(origin), "user": OTHER_USER}
    assert peer.call("credential/remove", remove) == {"removed": 1}
    assert [entry["user"] for entry in listed(peer, session)] == [USER]


def test_a_removed_default_leaves_no_default(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    put(peer, session, space(origin), password(USER, PASSWORD))
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    peer.call("credential/remove", {"session": session, "protectionSpace": space(origin), "user": USER})
    put(peer, session, space(origin), password(OTHER_USER, OTHER_PASSWORD), default=False)
    assert [entry["isDefault"] for entry in listed(peer, session)] == [False]
    url = origin.serve("/", guarded(BasicGuard("staff", OTHER_USER, OTHER_PASSWORD)))
    assert explain(peer, session, url)["credential"] is None
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert challenge["proposedCredential"] is None
    peer.answer(challenge, password(OTHER_USER, OTHER_PASSWORD))
    assert peer.result(fetch)["status"] == 200


def any_realm(origin: ScriptedOrigin, method: str = "basic") -> Json:
    return {name: value for name, value in space(origin, method=method).items() if name != "realm"}


@pytest.mark.parametrize("method", ["basic", "digest", "default"])
def test_without_a_realm_a_credential_serves_any_and_is_bound_to_the_first_that_accepts_it(
    asked: Asked, origin: ScriptedOrigin, method: str
) -> None:
    peer, session = asked
    guard: Guard = DigestGuard("staff", USER, PASSWORD)
    if method == "basic":
        guard = BasicGuard("staff", USER, PASSWORD)
    put(peer, session, any_realm(origin, method), password(USER, PASSWORD))
    assert all("realm" not in entry["protectionSpace"] for entry in listed(peer, session))
    url = origin.serve("/a/x", guarded(guard))
    explained = explain(peer, session, url)["credential"]
    assert explained["user"] == USER
    assert "realm" not in explained
    assert peer.fetch(session, url)["status"] == 200
    peer.nothing_asked()
    bound = [entry for entry in listed(peer, session) if "realm" in entry["protectionSpace"]]
    assert [(entry["protectionSpace"]["realm"], entry["isDefault"], entry["uses"]) for entry in bound] == [
        ("staff", True, 1)
    ]
    assert exchanges(peer.fetch(session, url)) == 1
    if method == "basic":
        other = origin.serve("/b/x", guarded(BasicGuard("archive", USER, PASSWORD)))
        fetch = peer.start_fetch(session, other)
        peer.answer(peer.challenge(), None)
        assert peer.result(fetch)["status"] == 401


def test_without_a_realm_all_of_the_method_are_removed(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    for realm in ("staff", "archive", None):
        put(peer, session, space(origin, realm), password(USER, PASSWORD))
    put(peer, session, any_realm(origin), password(USER, PASSWORD))
    put(peer, session, space(origin, method="digest"), password(USER, PASSWORD))
    remove = {"session": session, "protectionSpace": any_realm(origin)}
    assert peer.call("credential/remove", remove) == {"removed": 4}
    assert [entry["protectionSpace"]["authenticationMethod"] for entry in listed(peer, session)] == ["digest"]


def test_holders_hear_of_changes(connect: Connect, origin: ScriptedOrigin) -> None:
    actor, holder, stranger = connect(), connect(), connect()
    actor.open("s", tasks=["*"])
    holder.open("s")
    stranger.open("other")
    put(actor, "s", space(origin), password(USER, WRONG_PASSWORD))
    change = holder.notification("credential/didChange")
    assert (change["session"], change["user"], change["change"]) == ("s", USER, "added")
    assert change["protectionSpace"]["realm"] == "staff"
    put(actor, "s", space(origin), password(USER, PASSWORD))
    assert holder.notification("credential/didChange")["change"] == "replaced"
    actor.call("credential/remove", {"session": "s", "protectionSpace": space(origin)})
    assert holder.notification("credential/didChange")["change"] == "removed"
    log_in(actor, "s", staff(origin))
    assert holder.notification("credential/didChange")["change"] == "added"
    stranger.call("ping")
    assert stranger.notifications == []


def test_reset_forgets_credentials_and_cookies(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    log_in(peer, session, url)
    peer.fetch(session, origin.serve("/cookie", reply(headers=[("Set-Cookie", "a=b")])))
    assert peer.call("session/reset", {"session": session}) == {"session": session}
    assert listed(peer, session) == []
    assert peer.call("cookie/list", {"session": session}) == {"cookies": []}
    before = len(origin.requests)
    log_in(peer, session, url)
    assert origin.requests[before].authorization is None
    assert origin.requests[before].header("Cookie") is None


# Limits


def limited(asked: Asked, origin: ScriptedOrigin, limits: Json) -> str:
    """Logs in with a credential that carries limits and returns the URL."""
    peer, session = asked
    url = origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
    origin.serve("/*", guarded(BasicGuard("staff", USER, PASSWORD)))
    log_in(peer, session, url, password(USER, PASSWORD, limits=limits))
    return url


def assert_asked(peer: Peer, session: str, url: str, **members: Json) -> None:
    fetch = peer.start_fetch(session, url, **members)
    peer.answer(peer.challenge(), None)
    assert peer.result(fetch)["status"] == 401


def test_maximum_uses_end_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = limited(asked, origin, {"maximumUses": 3})
    for _ in range(2):
        assert exchanges(peer.fetch(session, url)) == 1
    assert listed(peer, session) == []
    assert_asked(peer, session, url)


def test_methods_limit_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = limited(asked, origin, {"methods": ["GET"]})
    assert exchanges(peer.fetch(session, url)) == 1
    assert_asked(peer, session, url, method="DELETE")
    assert origin.requests[-1].authorization is None


def test_path_prefixes_limit_a_credential(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    limited(asked, origin, {"pathPrefixes": ["/staff"]})
    assert exchanges(peer.fetch(session, f"{origin.url}/staff/below")) == 1
    assert_asked(peer, session, f"{origin.url}/staffing")
    assert_asked(peer, session, f"{origin.url}/other")


@pytest.mark.parametrize("name", ["lifetimeSeconds", "idleSeconds"])
def test_time_ends_a_credential(asked: Asked, origin: ScriptedOrigin, name: str) -> None:
    peer, session = asked
    url = limited(asked, origin, {name: 0.3})
    while listed(peer, session):
        pass
    assert_asked(peer, session, url)


def test_a_date_ends_a_credential(peer: Peer, origin: ScriptedOrigin) -> None:
    session = peer.open(tasks=["*"])
    past = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    limits = {"notAfter": past.strftime("%Y-%m-%dT%H:%M:%SZ")}
    try:
        put(peer, session, space(origin), password(USER, PASSWORD, limits=limits))
    except RemoteError as error:
        assert error.kind == "credentialUnusable"
    assert listed(peer, session) == []
    assert_asked(peer, session, staff(origin))
    assert traces_in(origin.received()) == []


def test_confirm_asks_before_another_process_uses_it(
    daemon: Daemon, connect: Connect, origin: ScriptedOrigin
) -> None:
    owner = connect()
    owner.open("s", tasks=["*"], session=["*"])
    url = staff(origin)
    log_in(owner, "s", url, password(USER, PASSWORD, limits={"confirm": True}))
    assert exchanges(owner.fetch("s", url)) == 1
    owner.nothing_asked()
    before = len(origin.requests)
    other = Crowd(daemon, "s", url, 1, processes=1)
    other.start()
    challenge = owner.challenge()
    assert challenge["proposedCredential"] == {"user": USER, "source": "session"}
    assert [request.authorization for request in origin.requests[before:]] in ([], [None])
    owner.dispose(challenge, "performDefaultHandling")
    assert other.outcomes() == {"200": 1}


@pytest.mark.parametrize(
    ("limits", "path"),
    [
        ({"maximumUse": 1}, "params.credential.limits.maximumUse"),
        ({"maximumUses": 0}, "params.credential.limits.maximumUses"),
        ({"maximumUses": 1.5}, "params.credential.limits.maximumUses"),
        ({"idleSeconds": -1}, "params.credential.limits.idleSeconds"),
        ({"notAfter": "tomorrow"}, "params.credential.limits.notAfter"),
        ({"pathPrefixes": []}, "params.credential.limits.pathPrefixes"),
        ({"pathPrefixes": ["no-slash"]}, "params.credential.limits.pathPrefixes[0]"),
        ({"methods": ["GET", "B AD"]}, "params.credential.limits.methods[1]"),
        ({"confirm": "yes"}, "params.credential.limits.confirm"),
    ],
)
def test_a_malformed_limit_is_refused_and_named(
    peer: Peer, origin: ScriptedOrigin, limits: Json, path: str
) -> None:
    session = peer.open()
    with pytest.raises(RemoteError) as caught:
        put(peer, session, space(origin), password(USER, PASSWORD, limits=limits))
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", path)
    assert listed(peer, session) == []


# Explaining


def explain(peer: Peer, session: str, url: str, **members: Json) -> Json:
    return peer.call("explain", {"session": session, "url": url, **members})


def test_explain_says_what_would_happen_and_sends_nothing(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    nothing = explain(peer, session, url)
    assert nothing["credential"] is None
    assert nothing["preemptive"] is False
    assert nothing["authorizationHeader"] == "none"
    assert origin.requests == []
    log_in(peer, session, url)
    before = len(origin.requests)
    something = explain(peer, session, url)
    assert something["credential"] == {
        "user": USER,
        "authenticationMethod": "basic",
        "realm": "staff",
        "source": "session",
    }
    assert something["preemptive"] is True
    assert something["authorizationHeader"] == "session"
    assert something["origin"] == origin.url
    assert len(origin.requests) == before


def test_explain_hides_sensitive_fields_of_the_session(peer: Peer, origin: ScriptedOrigin) -> None:
    fields = [["Authorization", f"Bearer {TOKEN}"], ["X-Plain", "shown"]]
    session = peer.open(configuration={"headers": fields})
    shown = dict(explain(peer, session, origin.url)["headers"])
    assert shown["Authorization"] == "<secret>"
    assert shown["X-Plain"] == "shown"


def test_explain_lists_pending_challenges(asked: Asked, origin: ScriptedOrigin) -> None:
    peer, session = asked
    url = staff(origin)
    fetch = peer.start_fetch(session, url)
    challenge = peer.challenge()
    assert explain(peer, session, url)["pendingChallenges"] == [challenge["challenge"]]
    peer.answer(challenge, None)
    peer.result(fetch)


def test_basic_over_cleartext_beyond_loopback_needs_consent(peer: Peer, origin: ScriptedOrigin) -> None:
    staff(origin)
    resolve = {"addresses": {"resolve": {f"far.test:{origin.port}": "127.0.0.1"}}}
    far = f"http://far.test:{origin.port}/staff"
    with_user = far.replace("http://", f"http://{USER}:{PASSWORD}@")
    assert peer.fetch(peer.open("careful", configuration=resolve), with_user)["status"] == 401
    assert traces_in(origin.received()) == []
    allowed = {**resolve, "methods": {"basicOverCleartext": True}}
    assert peer.fetch(peer.open("free", configuration=allowed), with_user)["status"] == 200
    session = peer.open("careful", tasks=["*"])
    fetch = peer.start_fetch(session, far)
    peer.answer(peer.challenge(), password(USER, PASSWORD))
    assert peer.result(fetch)["status"] == 200
    assert exchanges(peer.fetch(session, far)) == 1, "an explicit reply is the session's consent"


#: A host as a caller may write it in `credential/set`, and in a URL: one and the same.
SPELLINGS = [
    ("::1", "[::1]"),
    ("[::1]", "[::1]"),
    ("0:0:0:0:0:0:0:1", "[::1]"),
    ("::1", "[0:0:0:0:0:0:0:1]"),
    ("[0000::0001]", "[::0:1]"),
    ("::FFFF:127.0.0.1", "[::ffff:7f00:1]"),
    ("127.0.0.1", "0x7f.1"),
    ("0x7f000001", "127.0.0.1"),
    ("LocalHost", "localhost"),
    ("localhost", "LOCALHOST"),
    ("host.test.", "HOST.test."),
    ("XN--Bcher-KVA.test", "xn--bcher-kva.test"),
]


@pytest.mark.parametrize(("written", "in_url"), SPELLINGS)
def test_a_host_is_one_however_it_is_written(peer: Peer, written: str, in_url: str) -> None:
    session = peer.open()
    where = {"protocol": "http", "host": written, "realm": "r", "authenticationMethod": "basic"}
    put(peer, session, where, password(USER, PASSWORD))
    for port in ("", ":80"):
        explained = peer.call("explain", {"session": session, "url": f"http://{in_url}{port}/x"})
        assert (explained["credential"] or {}).get("user") == USER
    (entry,) = listed(peer, session)
    assert explained["origin"] in (
        f"http://{entry['protectionSpace']['host']}:80",
        f"http://[{entry['protectionSpace']['host']}]:80",
    )
    params = {"session": session, "protectionSpace": {**where, "host": in_url}}
    assert peer.call("credential/setDefault", {**params, "user": USER}) == {}
    assert peer.call("credential/remove", params) == {"removed": 1}


@pytest.mark.parametrize(("written", "in_url"), [("host.test", "host.test."), ("host.test.", "host.test")])
def test_a_host_with_the_final_dot_is_another(peer: Peer, written: str, in_url: str) -> None:
    """As browsers have it: the resolver's search list makes two names of them."""
    session = peer.open()
    where = {"protocol": "http", "host": written, "realm": "r", "authenticationMethod": "basic"}
    put(peer, session, where, password(USER, PASSWORD))
    assert peer.call("explain", {"session": session, "url": f"http://{in_url}/"})["credential"] is None


NO_HOSTS = ["", ".", "a..b", "1.2.3.256", "::1::", "[::1", "host.test:80", "a b", "b\u00fccher.test", "::1%1"]


@pytest.mark.parametrize("host", NO_HOSTS)
def test_what_is_no_host_is_refused_and_named(peer: Peer, host: str) -> None:
    where = {"protocol": "http", "host": host, "realm": "r", "authenticationMethod": "basic"}
    params = {"protectionSpace": where, "credential": password(USER, PASSWORD)}
    with pytest.raises(RemoteError) as caught:
        peer.call("credential/set", params)
    assert (caught.value.kind, caught.value.data["path"]) == ("invalidParams", "params.protectionSpace.host")
