"""The blocking face against a scripted daemon."""

from __future__ import annotations

import io
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import HELLO, FakeDaemon, Peer, challenge, response
from watchword import Answer, Challenge, Client, Session

SECRET = "hunter2-sentinel"


def test_hello_names_the_client_and_its_capabilities() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("initialize")
        assert request["params"]["protocolVersion"] == "1"
        assert request["params"]["capabilities"] == {"descriptors": True}
        peer.reply(request, HELLO)

    with FakeDaemon(script, hello=False) as path, Client(path) as client:
        assert client.daemon.version == "0.0.0-fake"
        assert client.daemon.uid == os.getuid()


@pytest.mark.parametrize("hello", [{**HELLO, "protocolVersion": "2"}, {}, [], None, {**HELLO, "pid": "1"}])
def test_a_wrong_hello_is_a_protocol_error(hello: Any) -> None:
    with (
        FakeDaemon(lambda peer: peer.reply(peer.expect("initialize"), hello), hello=False) as path,
        pytest.raises(watchword.ProtocolError),
    ):
        Client(path)


def test_a_response_is_read_by_its_properties() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"] == {"url": "http://origin.test/"}
        peer.reply(request, response(404, text='{"a": "ü"}'))

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://origin.test/")
    assert got.status == 404
    assert not got.ok
    assert got.url == "http://origin.test/path"
    assert got.origin == "http://origin.test"
    assert got.content == '{"a": "ü"}'.encode()
    assert got.text == '{"a": "ü"}'
    assert got.json() == {"a": "ü"}
    assert got.headers["CONTENT-TYPE"] == "text/plain; charset=utf-8"
    assert got.headers.get_all("Set-Cookie") == ["a=1", "b=2"]
    assert "nope" not in got.headers
    assert len(got.headers) == 2
    assert got.redirects[0].destination == "http://origin.test/path"
    assert got.metrics.reused
    assert got.metrics.tls_seconds is None
    assert got.metrics.exchanges[0].status == 200
    assert b"".join(got.iter_bytes(3)) == got.content
    assert bytes(got.view()) == got.content
    assert got.file().read() == got.content
    assert got.size == len(got.content)
    with pytest.raises(watchword.StatusError, match=r"404 from http://origin\.test") as caught:
        got.raise_for_status()
    assert caught.value.response is got


def test_bodies_in_base64_nowhere_or_broken() -> None:
    def script(peer: Peer) -> None:
        for body in ({"base64": "AP8="}, {"size": 7}, {"base64": "A"}, {"text": 5}, {}, {"base64": None}):
            result = response()
            result["body"] = body
            peer.reply(peer.expect("fetch"), result)

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.fetch("http://a/").content == b"\x00\xff"
        nowhere = client.fetch("http://a/", output="discard")
        assert nowhere.size == 7
        with pytest.raises(watchword.BodyError):
            _ = nowhere.content
        for _ in range(4):
            broken = client.fetch("http://a/")
            with pytest.raises(watchword.ProtocolError):
                _ = broken.content


@pytest.mark.parametrize(
    "result",
    [None, 5, [], {}, {"status": "200", "body": {}}, {"status": 200}, {"status": 200, "body": {"descriptor": 0}}],
)
def test_a_result_that_is_no_response_is_a_protocol_error_and_the_connection_goes_on(result: Any) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), result)
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.ProtocolError):
            client.fetch("http://a/")
        client.ping()


def test_lazy_members_that_are_malformed_are_protocol_errors() -> None:
    def script(peer: Peer) -> None:
        result = {**response(), "headers": [["a"]], "redirects": 5, "metrics": None, "url": 7, "task": None}
        peer.reply(peer.expect("fetch"), result)

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://a/")
        for name in ("headers", "redirects", "metrics", "url", "origin", "task", "text"):
            with pytest.raises(watchword.ProtocolError):
                getattr(got, name)
        assert got.content == b"body"
        assert "200" in repr(got)


def test_json_that_is_none_is_a_body_error() -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), response(text="{"))
        peer.reply(peer.expect("fetch"), response(text="[" * 100_000))

    with FakeDaemon(script) as path, Client(path) as client:
        for _ in range(2):
            with pytest.raises(watchword.BodyError):
                client.fetch("http://a/").json()


def memory_file(content: bytes) -> int:
    descriptor = os.memfd_create("test")
    os.write(descriptor, content)
    return descriptor


def test_a_large_body_arrives_as_a_memory_file() -> None:
    content = os.urandom(300_000)

    def script(peer: Peer) -> None:
        for _ in range(3):
            request = peer.expect("fetch")
            descriptor = memory_file(content)
            peer.reply(request, response(descriptor=0, size=len(content)), [descriptor])
            os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.fetch("http://a/")
        assert got.size == len(content)
        assert b"".join(got.iter_bytes()) == content
        with got.file() as one, got.file() as other:
            assert one.read(10) == other.read(10) == content[:10]
        assert got.view() == content
        assert got.content == content
        got.close()
        assert got.content == content
        with client.fetch("http://a/") as unread:
            pass
        with pytest.raises(watchword.BodyError):
            _ = unread.content
        dropped = client.fetch("http://a/")
        held = dropped._descriptor
        assert held is not None
        assert not os.get_inheritable(held)
        del dropped
        with pytest.raises(OSError, match="descriptor"):
            os.fstat(held)


def test_a_memory_file_with_another_size_is_a_protocol_error() -> None:
    def script(peer: Peer) -> None:
        descriptor = memory_file(b"short")
        peer.reply(peer.expect("fetch"), response(descriptor=0, size=1 << 40), [descriptor])
        os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client, client.fetch("http://a/") as got:
        with pytest.raises(watchword.ProtocolError):
            _ = got.content


def test_request_bodies(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"0123456789")
    large = os.urandom(100_000)
    seen: list[Any] = []

    def script(peer: Peer) -> None:
        for _ in range(8):
            request = peer.expect("fetch")
            params = request["params"]
            data = None
            if request.get("descriptors"):
                (descriptor,) = peer.descriptors
                data = os.read(descriptor, 1 << 20)
                os.close(descriptor)
                peer.descriptors.clear()
            seen.append((params.get("method"), params.get("headers"), params["body"], data))
            peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/", body="ü")
        client.fetch("http://a/", body=b"\x00", method="PUT")
        client.fetch("http://a/", json={"a": [1]}, headers={"content-type": "application/x"})
        client.fetch("http://a/", form={"a": "b c"})
        client.fetch("http://a/", body=large)
        client.fetch("http://a/", body=tmp_path / "f")
        with open(tmp_path / "f", "rb") as file:
            assert file.read(4) == b"0123"
            client.fetch("http://a/", body=file)
            assert file.read(2) == b"45"
        client.fetch("http://a/", body=io.BytesIO(b"xyz"))
    descriptor = {"descriptor": 0}
    assert seen == [
        ("POST", [["Content-Type", "text/plain; charset=utf-8"]], {"text": "ü"}, None),
        ("PUT", None, {"base64": "AA=="}, None),
        ("POST", [["content-type", "application/x"]], {"text": '{"a":[1]}'}, None),
        ("POST", [["Content-Type", "application/x-www-form-urlencoded"]], {"text": "a=b+c"}, None),
        ("POST", None, descriptor, large),
        ("POST", None, descriptor, b"0123456789"),
        ("POST", None, descriptor, b"456789"),
        ("POST", None, descriptor, b"xyz"),
    ]


def test_every_option_reaches_the_wire() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        assert request["params"] == {
            "session": "default",
            "url": "http://a/",
            "task": "mine",
            "method": "DELETE",
            "headers": [["A", "1"], ["A", "2"]],
            "sensitiveHeaders": ["A"],
            "timeouts": {"connectSeconds": 1, "resourceSeconds": 3},
            "priority": 0.1,
            "detached": True,
            "output": "inline",
            "decodeContent": False,
            "followRedirects": False,
        }
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.default_session().fetch(
            "http://a/",
            task="mine",
            method="DELETE",
            headers=[("A", "1"), ("A", "2")],
            sensitive_headers=["A"],
            timeouts=watchword.Timeouts(connect=1, resource=3),
            priority=0.1,
            detached=True,
            output="inline",
            decode_content=False,
            follow_redirects=False,
        )


@pytest.mark.parametrize("timeouts", [{"connect": 1}, "5", True, watchword.Timeouts(connect="1")])  # type: ignore[arg-type]
def test_timeouts_of_another_type_are_named(timeouts: Any) -> None:
    with FakeDaemon(lambda peer: peer.reply(peer.expect("ping"), {})) as path, Client(path) as client:
        with pytest.raises(watchword.InvalidArgument, match=r"Timeouts\(connect=…, request=…\), not (dict|str|bool)"):
            client.default_session().fetch("http://a/", timeouts=timeouts)
        client.ping()


def test_arguments_that_cannot_be_sent_send_nothing(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        for options in (
            {"body": "a", "json": 1},
            {"json": object()},
            {"body": io.StringIO("x")},
            {"body": 5},
            {"body": "\ud800"},
            {"headers": {"a": "\0"}},
            {"timeouts": float("nan")},
            {"output": io.BytesIO()},
        ):
            with pytest.raises(watchword.InvalidArgument):
                client.fetch("http://a/", **options)
        with pytest.raises(watchword.InvalidArgument):
            client.fetch("http://a/\0")
        with pytest.raises(TypeError):
            client.fetch("http://a/", hedaers={})  # type: ignore[call-arg]
        with pytest.raises(FileNotFoundError):
            client.fetch("http://a/", body=tmp_path / "none")
        client.ping()


# Challenges


def answering(identifier: str = "c1-5b1e90d2") -> Any:
    """A script that challenges a fetch and answers it after the reply."""

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"], identifier))
        reply = peer.expect("challenge/reply")
        peer.replies = reply["params"]  # type: ignore[attr-defined]
        peer.reply(reply, {"accepted": True})
        if reply["params"]["disposition"] == "cancelAuthenticationChallenge":
            peer.fail(request, 1203, "userCancelledAuthentication")
        else:
            peer.reply(request, response(text=json.dumps(reply["params"])))
        if peer.message()["method"] != "session/close":
            raise AssertionError

    return script


def test_a_handler_answers_while_the_fetch_waits() -> None:
    asked: list[Challenge] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question)
        return watchword.use_credential("reader", SECRET, limits=watchword.Limits(maximum_uses=3))

    def script(peer: Peer) -> None:
        with pytest.raises(EOFError):
            answering()(peer)

    with (
        FakeDaemon(script) as path,
        Client(path) as client,
    ):
        session = client.session(on_challenge=handler, methods=["digest"])
        assert session.id == "private-1"
        got = session.fetch("https://intranet.example/q3.csv").json()
    assert got == {
        "challenge": "c1-5b1e90d2",
        "disposition": "useCredential",
        "credential": {
            "user": "reader",
            "password": SECRET,
            "persistence": "forSession",
            "limits": {"maximumUses": 3},
        },
    }
    (question,) = asked
    assert question.authentication_method == "digest"
    assert question.origin == "https://intranet.example:443"
    assert question.protection_space.realm == "staff"
    assert question.protection_space.parameters["nonce"] == "n"
    assert question.offers[0].authentication_method == "digest"
    assert question.failure_response is not None
    assert question.failure_response.status == 401
    assert question.waiters[0].pid == 4711
    assert question.deadline is not None
    assert question.deadline.isoformat() == "2026-11-21T12:05:00+00:00"
    assert str(question) == "https://intranet.example:443 digest “staff”"


@pytest.mark.parametrize(
    ("answer", "wire"),
    [
        (
            watchword.use_token("t0k", persistence="none"),
            {"disposition": "useCredential", "credential": {"token": "t0k", "persistence": "none"}},
        ),
        (watchword.use_no_credential(), {"disposition": "useCredential", "credential": None}),
        (watchword.perform_default_handling(), {"disposition": "performDefaultHandling"}),
        (watchword.reject(), {"disposition": "rejectProtectionSpace"}),
    ],
)
def test_every_disposition_has_its_wire_form(answer: Answer, wire: dict[str, Any]) -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: answer)
        assert session.fetch("http://a/").json() == {"challenge": "c1-5b1e90d2", **wire}
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_a_session_that_is_left_after_the_daemon_has_gone_is_over_quietly() -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        with client_session(client, lambda _: watchword.reject()) as session:
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def client_session(client: Client, handler: Any) -> Session:
    return client.session(on_challenge=handler)


def test_cancelling_fails_the_fetch_with_its_own_class() -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.cancel())
        with pytest.raises(watchword.UserCancelledAuthentication) as caught:
            session.fetch("http://a/")
        assert caught.value.code == 1203
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


@pytest.mark.parametrize("wrong", [None, "cancel", ("u", "p")])
def test_a_handler_that_returns_no_answer_cancels_and_says_so(wrong: Any) -> None:
    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, lambda _: wrong)
        with pytest.raises(TypeError, match="a challenge handler returns an Answer"):
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_a_handlers_exception_cancels_and_reaches_the_caller() -> None:
    def handler(_: Challenge) -> Answer:
        raise LookupError("no password for this one")

    with FakeDaemon(answering()) as path, Client(path) as client:
        session = client_session(client, handler)
        with pytest.raises(LookupError, match="no password for this one"):
            session.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            session.close()


def test_an_interrupt_in_a_handler_does_not_wait() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        assert peer.expect("challenge/reply")["params"]["disposition"] == "cancelAuthenticationChallenge"
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        descriptor = memory_file(b"late")
        peer.reply(request, response(descriptor=0, size=4), [descriptor])
        os.close(descriptor)
        peer.reply(peer.expect("ping"), {})
        with pytest.raises(EOFError):
            peer.message()

    def handler(_: Challenge) -> Answer:
        raise KeyboardInterrupt

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        before = len(os.listdir("/proc/self/fd"))
        with pytest.raises(KeyboardInterrupt):
            session.fetch("http://a/")
        client.ping()
        assert len(os.listdir("/proc/self/fd")) == before


def test_an_answer_that_the_daemon_refuses_is_cancelled_and_raised() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        peer.fail(peer.expect("challenge/reply"), 1202, "credentialUnusable", "a colon in the user name")
        reply = peer.expect("challenge/reply")
        assert reply["params"]["disposition"] == "cancelAuthenticationChallenge"
        peer.reply(reply, {"accepted": True})
        peer.fail(request, 1203, "userCancelledAuthentication")

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.use_credential("a:b", "c"))
        with pytest.raises(watchword.CredentialUnusable, match="a colon in the user name"):
            session.fetch("http://a/")


def test_a_late_answer_is_nobodys_fault() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        peer.fail(peer.expect("challenge/reply"), 1200, "challengeNotPending")
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.reject())
        assert session.fetch("http://a/").status == 200


def test_a_handler_may_use_the_client_itself() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(request["params"]["task"]))
        inner = peer.expect("fetch")
        peer.reply(inner, response(text="from the vault"))
        reply = peer.expect("challenge/reply")
        assert reply["params"]["credential"]["password"] == "from the vault"
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, lambda _: watchword.use_credential("u", client.fetch("http://vault/").text))
        assert session.fetch("http://a/").status == 200


def test_a_challenge_that_nobody_takes_gets_default_handling() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge("t1"))
        reply = peer.expect("challenge/reply")
        assert reply["params"]["disposition"] == "performDefaultHandling"
        peer.reply(reply, {"accepted": True})
        peer.reply(request, response())

    with FakeDaemon(script) as path, Client(path) as client:
        client.fetch("http://a/")


def test_the_session_handler_answers_for_other_processes_while_serving() -> None:
    asked: list[str] = []

    def handler(question: Challenge) -> Answer:
        asked.append(question.session)
        if len(asked) == 1:
            raise LookupError("first")
        return watchword.reject()

    def script(peer: Peer) -> None:
        request = peer.open_session()
        assert request["params"] == {"name": "shared", "delegate": {"session": ["basic"]}}
        for number in range(2):
            question = challenge("somebody-elses", f"c{number}", session="shared")
            peer.notify("task/didReceiveChallenge", question)
            reply = peer.expect("challenge/reply")
            peer.reply(reply, {"accepted": True})
        assert reply["params"] == {"challenge": "c1", "disposition": "rejectProtectionSpace"}

    with FakeDaemon(script) as path, Client(path) as client:
        client.session("shared", on_session_challenge=handler, session_methods=["basic"])
        with pytest.raises(watchword.DaemonConnectionLost):
            client.serve()
    assert asked == ["shared", "shared"]


def test_serving_ends_in_time() -> None:
    with FakeDaemon(Peer.serve_fetches) as path, Client(path) as client:
        client.serve(timeout=0.01)
        client.ping()


def test_malformed_challenges_break_the_connection_with_a_protocol_error() -> None:
    damages: list[dict[str, Any]] = [
        {"challenge": 5},
        {"protectionSpace": None},
        {"offers": [5]},
        {"deadline": "yesterday"},
        {"deadline": "2026-99-99T00:00:00Z"},
        {"waiters": {}},
        {"previousFailureCount": "many"},
        {"failureResponse": {"status": 401, "headers": [["a", 5]]}},
    ]
    for damage in damages:

        def script(peer: Peer, damage: dict[str, Any] = damage) -> None:
            peer.open_session()
            request = peer.expect("fetch")
            peer.notify("task/didReceiveChallenge", {**challenge(request["params"]["task"]), **damage})
            with pytest.raises((EOFError, ConnectionResetError)):
                peer.message()

        with FakeDaemon(script) as path, Client(path) as client:
            session = client_session(client, lambda _: watchword.reject())
            with pytest.raises(watchword.ProtocolError):
                session.fetch("http://a/")
            with pytest.raises(watchword.ProtocolError):
                client.ping()


def test_nothing_prints_a_secret() -> None:
    credential = watchword.Credential(user="reader", password=SECRET)
    answer = watchword.use_credential("reader", SECRET)
    for text in (repr(credential), str(credential), f"{credential}", repr(answer), repr(watchword.use_token(SECRET))):
        assert SECRET not in text
        assert "<secret>" in text

    def script(peer: Peer) -> None:
        peer.fail(peer.expect("credential/set"), 1400, "storageUnavailable")
        peer.raw(b'{"jsonrpc":"2.0","id":3,"result":{"' + SECRET.encode() + b"\n")

    with FakeDaemon(script) as path, Client(path) as client:
        space = watchword.ProtectionSpace("https", "a", 443, "r", "basic")
        with pytest.raises(watchword.StorageUnavailable) as refused:
            client.default_session().set_credential(space, credential)
        with pytest.raises(watchword.ProtocolError) as broken:
            client.ping()
    assert SECRET not in repr(refused.value) + repr(broken.value) + str(broken.value)


def test_a_space_may_be_of_any_realm() -> None:
    listed = {"protocol": "https", "host": "a", "port": 443, "authenticationMethod": "basic", "isProxy": False}
    entry = {"user": "reader", "kind": "password", "persistence": "forSession", "isDefault": True, "source": "session"}
    entry |= {"limits": {}, "uses": 0, "lastUsed": None, "created": "2026-11-21T12:05:00Z", "secondsLeft": None}
    spaces = [{**listed, "realm": None}, listed]

    def script(peer: Peer) -> None:
        peer.reply(peer.expect("credential/list"), {"credentials": [{**entry, "protectionSpace": s} for s in spaces]})
        for space in spaces:
            request = peer.expect("credential/remove")
            assert request["params"]["protectionSpace"] == space
            peer.reply(request, {"removed": 1})

    with FakeDaemon(script) as path, Client(path) as client:
        found = [entry.protection_space for entry in client.default_session().list_credentials()]
        assert [(space.realm, space.any_realm) for space in found] == [(None, False), (None, True)]
        assert [client.default_session().remove_credential(space) for space in found] == [1, 1]


def test_a_body_that_was_cut_says_so() -> None:
    def script(peer: Peer) -> None:
        for body in ({"text": "no", "truncated": True}, {"text": "no"}):
            peer.reply(peer.expect("fetch"), {**response(401), "body": body})

    with FakeDaemon(script) as path, Client(path) as client:
        assert [client.default_session().fetch("http://a/").truncated for _ in range(2)] == [True, False]


def test_redirects_are_asked() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("session/open")
        assert request["params"]["configuration"] == {"redirects": {"policy": "ask"}}
        peer.reply(request, {"session": "private-1", "created": True})
        for wanted in ({"method": "GET"}, None, None):
            request = peer.expect("fetch")
            task = request["params"]["task"]
            peer.notify(
                "task/willRedirect",
                {
                    "task": task,
                    "session": "private-1",
                    "response": {"status": 302, "headers": [["Location", "/b"]]},
                    "request": {"url": "http://a/b", "method": "POST", "headers": []},
                },
            )
            reply = peer.expect("redirect/reply")
            assert reply["params"] == {"task": task, "request": wanted}
            peer.reply(reply, {"task": task})
            peer.reply(request, response())

    answers: list[Any] = [watchword.follow(method="GET"), watchword.stop(), "neither"]
    with FakeDaemon(script) as path, Client(path) as client:
        session = client.session(on_redirect=lambda proposal: answers.pop(0))
        assert session.fetch("http://a/").status == 200
        assert session.fetch("http://a/").status == 200
        with pytest.raises(TypeError):
            session.fetch("http://a/")


# Threads


def test_threads_share_one_connection() -> None:
    with FakeDaemon(Peer.serve_fetches) as path, Client(path) as client:
        failures: list[BaseException] = []

        def work(number: int) -> None:
            try:
                for index in range(100):
                    url = f"http://a/{number}/{index}"
                    assert client.fetch(url).text == url
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert failures == []


def test_a_handler_runs_in_the_thread_whose_fetch_was_challenged() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        first = peer.expect("fetch")
        second = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(second["params"]["task"], "c2"))
        peer.notify("task/didReceiveChallenge", challenge(first["params"]["task"], "c1"))
        replies = [peer.expect("challenge/reply") for _ in range(2)]
        for reply in replies:
            peer.reply(reply, {"accepted": True})
        peer.reply(second, response(text="second"))
        peer.reply(first, response(text="first"))

    asked: dict[str, str] = {}

    def handler(question: Challenge) -> Answer:
        asked[question.id] = threading.current_thread().name
        return watchword.reject()

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        got: dict[str, str] = {}

        def work(name: str) -> None:
            got[name] = session.fetch(f"http://a/{name}").text

        one = threading.Thread(target=work, args=("first",), name="first")
        one.start()
        while not client._connection.conversation._calls:  # the first is on its way before the second
            time.sleep(0.001)
        two = threading.Thread(target=work, args=("second",), name="second")
        two.start()
        one.join(10)
        two.join(10)
    assert got == {"first": "first", "second": "second"}
    assert asked == {"c1": "first", "c2": "second"}


def test_a_handler_that_takes_long_holds_nobody_else_up() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        asked = peer.expect("fetch")
        peer.notify("task/didReceiveChallenge", challenge(asked["params"]["task"]))
        other = peer.expect("fetch")
        peer.reply(other, response(text="other"))
        peer.reply(peer.expect("challenge/reply"), {"accepted": True})
        peer.reply(asked, response(text="asked"))

    thinking, decided = threading.Event(), threading.Event()

    def handler(_: Challenge) -> Answer:
        thinking.set()
        assert decided.wait(10)
        return watchword.reject()

    with FakeDaemon(script) as path, Client(path) as client:
        session = client_session(client, handler)
        got: list[str] = []
        slow = threading.Thread(target=lambda: got.append(session.fetch("http://a/asked").text))
        slow.start()
        assert thinking.wait(10)
        got.append(session.fetch("http://a/other").text)
        decided.set()
        slow.join(10)
    assert got == ["other", "asked"]


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT interrupts, also where the shell that started the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_during_a_fetch_cancels_it_and_the_client_goes_on(interruptible: None) -> None:
    main = threading.get_ident()

    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        signal.pthread_kill(main, signal.SIGINT)
        assert peer.expect("$/cancelRequest")["params"] == {"id": request["id"]}
        peer.fail(request, 1102, "requestCancelled")
        peer.reply(peer.expect("ping"), {})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(KeyboardInterrupt):
            client.fetch("http://a/")
        client.ping()


def test_an_interrupt_between_reading_and_understanding_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("fetch"), response())
        with pytest.raises(EOFError):  # not even a cancellation: nothing is known of this stream any more
            peer.message()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with FakeDaemon(script) as path, Client(path) as client:
        monkeypatch.setattr(client._connection.conversation, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            client.fetch("http://a/")
        with pytest.raises(watchword.DaemonConnectionLost):
            client.ping()


def test_notifications_that_nobody_knows_are_ignored() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("fetch")
        unusual: list[Any] = [{"task": "t1", "new": 1}, {"task": [1]}, [], None, 5]
        for params in unusual:
            peer.notify("task/didSomethingNew", params)
        peer.send({"method": "moon/didRise"})
        peer.reply(request, {**response(text="body"), "new": 1})

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.fetch("http://a/").text == "body"


def test_an_error_that_nobody_knows_is_other() -> None:
    def script(peer: Peer) -> None:
        peer.fail(peer.expect("ping"), 1999, "somethingNew", new=[1])
        peer.send({"id": peer.expect("ping")["id"], "error": {"code": 1999, "message": "new"}})

    with FakeDaemon(script) as path, Client(path) as client:
        with pytest.raises(watchword.OtherError) as caught:
            client.ping()
        assert (caught.value.code, caught.value.kind, caught.value.data["new"]) == (1999, "somethingNew", [1])
        with pytest.raises(watchword.OtherError):
            client.ping()


def test_closing_wakes_the_threads_that_wait() -> None:
    def script(peer: Peer) -> None:
        peer.expect("fetch")
        peer.expect("fetch")
        arrived.set()
        with pytest.raises(EOFError):
            peer.message()

    arrived = threading.Event()
    with FakeDaemon(script) as path:
        client = Client(path)
        caught: list[BaseException] = []

        def work() -> None:
            try:
                client.fetch("http://a/")
            except watchword.WatchwordError as error:
                caught.append(error)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        assert arrived.wait(10)
        client.close()
        for thread in threads:
            thread.join(10)
            assert not thread.is_alive()
        assert [type(error) for error in caught] == [watchword.ClientClosed] * 2
        with pytest.raises(watchword.ClientClosed):
            client.ping()
        assert client._connection._socket.fileno() == -1


def test_large_messages_cross_both_ways_at_once() -> None:
    """A daemon that writes before it reads must not stop a client that writes before it reads."""
    url = "http://a/" + "x" * 3_000_000

    def script(peer: Peer) -> None:
        peer.notify("status/didChange", {"filler": "y" * 3_000_000})
        peer.reply(peer.expect("fetch"), response())

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.fetch(url).status == 200


# The end of the connection


def test_a_disconnect_at_every_point_is_connection_lost() -> None:
    whole = json.dumps({"jsonrpc": "2.0", "id": 2, "result": response()}).encode() + b"\n"
    for cut in (0, 1, len(whole) // 2, len(whole) - 1):

        def script(peer: Peer, cut: int = cut) -> None:
            peer.expect("fetch")
            peer.raw(whole[:cut]) if cut else None

        with FakeDaemon(script) as path, Client(path) as client:
            expected = watchword.ProtocolError if cut else watchword.DaemonConnectionLost
            with pytest.raises(expected):
                client.fetch("http://a/")
            with pytest.raises(expected):
                client.fetch("http://a/")


def test_a_disconnect_before_or_during_hello_is_daemon_unavailable() -> None:
    for script in (lambda peer: None, lambda peer: peer.expect("initialize") and None):
        with FakeDaemon(script, hello=False) as path, pytest.raises(watchword.DaemonUnavailable):
            Client(path)


def test_what_was_said_before_the_hang_up_is_still_heard() -> None:
    def script(peer: Peer) -> None:
        peer.send({"id": None, "error": {"code": 1006, "message": "stopping", "data": {"kind": "shuttingDown"}}})

    with FakeDaemon(script) as path, Client(path) as client:
        time.sleep(0.05)
        with pytest.raises(watchword.ShuttingDown):
            client.ping()


def test_a_reply_to_nothing_breaks_the_connection() -> None:
    with FakeDaemon(lambda peer: peer.reply({"id": 99}, {})) as path, Client(path) as client:
        with pytest.raises(watchword.ProtocolError):
            client.ping()


def test_a_child_process_is_told_that_the_client_is_not_its_own() -> None:
    with FakeDaemon(Peer.serve_fetches) as path, Client(path) as client:
        client.ping()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                client.ping()
                os.write(writing, b"went through")
            except watchword.ForkedClient:
                os.write(writing, b"refused")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        os.close(writing)
        assert os.read(reading, 100) == b"refused"
        os.close(reading)
        client.ping()


# Tasks


def test_a_task_reports_its_events_in_order() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.notify("task/didSendBodyData", {**about, "bytesSent": 3, "totalBytes": None})
        peer.reply(request, {"task": task})
        peer.notify("task/didRedirect", {**about, "status": 302, "from": "http://a/", "to": "http://a/b"})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/b", "status": 200, "headers": []})
        peer.notify("task/didFinish", {**response(text="end"), **about})
        for verb in ("suspend", "resume", "cancel", "describe"):
            peer.reply(peer.expect(f"task/{verb}"), {"task": task})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/", body=b"abc")
        names = [type(event).__name__ for event in task]
        assert names == ["BodyDataSent", "Redirected", "ResponseReceived", "TaskFinished"]
        assert task.wait().text == "end"
        task.suspend()
        task.resume()
        task.cancel()
        assert task.describe() == {"task": task.id}


def test_a_tasks_large_body_comes_with_its_end() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        descriptor = memory_file(b"large")
        finish = {"method": "task/didFinish", "params": {**response(descriptor=0, size=5), **about}}
        peer.send(finish, [descriptor])
        os.close(descriptor)

    with FakeDaemon(script) as path, Client(path) as client:
        with client.session().start("http://a/").wait() as got:
            assert got.content == b"large"


def test_a_failed_task_raises_where_it_is_waited_for() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        error = {"code": 1304, "message": "too slow", "data": {"kind": "timedOut", "phase": "request"}}
        peer.notify("task/didFinish", {"task": task, "session": "private-1", "error": error})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        with pytest.raises(watchword.TimedOut) as caught:
            task.wait()
        assert caught.value.phase == "request"


def test_waiting_for_a_task_can_end_in_time() -> None:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        ping = peer.expect("ping")
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didFinish", {**response(), **about})
        peer.reply(ping, {})

    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        with pytest.raises(TimeoutError):
            task.wait(timeout=0.01)
        client.ping()
        assert task.wait(timeout=5).status == 200


def stream_script(*pieces: bytes, **end: Any) -> Any:
    from base64 import b64encode

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        assert request["params"]["output"] == "stream"
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.reply(request, {"task": task})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": [["A", "b"]]})
        offset = 0
        for piece in pieces:
            data = {**about, "offset": offset, "base64": b64encode(piece).decode()}
            peer.notify("task/didReceiveData", data)
            offset += len(piece)
        peer.notify("task/didFinish", {**(end or response(size=offset)), **about})

    return script


def test_a_stream_gives_its_head_and_then_its_pieces() -> None:
    with FakeDaemon(stream_script(b"one", b"two")) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            assert stream.status == 200
            assert stream.head.headers["a"] == "b"
            assert list(stream) == [b"one", b"two"]
            assert stream.response().size == 6


def test_a_stream_that_fails_in_the_middle_raises_after_its_pieces() -> None:
    error = {"code": 1303, "message": "reset", "data": {"kind": "connectionLost", "hop": "origin"}}
    with FakeDaemon(stream_script(b"one", error=error)) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            pieces = iter(stream)
            assert next(pieces) == b"one"
            with pytest.raises(watchword.ConnectionLost) as caught:
                next(pieces)
            assert caught.value.hop == "origin"


def test_a_stream_that_is_left_early_is_cancelled() -> None:
    def script(peer: Peer) -> None:
        stream_script_head(peer)
        peer.reply(peer.expect("task/cancel"), {})
        peer.reply(peer.expect("ping"), {})

    def stream_script_head(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": []})

    with FakeDaemon(script) as path, Client(path) as client:
        with client.session().stream("http://a/") as stream:
            assert stream.status == 200
        client.ping()


def test_a_consumer_that_falls_behind_suspends_its_task() -> None:
    from base64 import b64encode

    piece = b64encode(b"x" * 500_000).decode()

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        about = {"task": task, "session": "private-1"}
        peer.reply(request, {"task": task})
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 200, "headers": []})
        ping = peer.expect("ping")
        for index in range(9):
            peer.notify("task/didReceiveData", {**about, "offset": index * 500_000, "base64": piece})
        peer.reply(peer.expect("task/suspend"), {"task": task})
        peer.reply(ping, {})
        peer.reply(peer.expect("task/resume"), {"task": task})
        peer.notify("task/didFinish", {**response(size=4_500_000), **about})

    with FakeDaemon(script) as path, Client(path) as client, client.session().stream("http://a/") as stream:
        client.ping()
        assert sum(map(len, stream)) == 4_500_000


# Downloads


def writing(content: bytes, status: int = 200) -> Any:
    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("fetch")
        assert request["params"]["output"] == {"descriptor": 0}
        os.write(peer.descriptors[0], content)
        peer.reply(request, response(status, size=len(content)))

    return script


def test_a_download_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with FakeDaemon(writing(b"content")) as path, Client(path) as client:
        got = client.session().download("http://a/", target)
    assert got.size == 7
    assert target.read_bytes() == b"content"
    assert os.listdir(tmp_path) == ["out"]


def test_a_failed_download_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"old")
    for status, expected in ((404, watchword.StatusError), (304, None)):
        with FakeDaemon(writing(b"page", status)) as path, Client(path) as client:
            if expected is not None:
                with pytest.raises(expected):
                    client.session().download("http://a/", target)
            else:
                assert client.session().download("http://a/", os.fspath(target)).status == 304
        assert target.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["out"]


def test_a_download_into_an_open_file_uses_that_file(tmp_path: Path) -> None:
    with FakeDaemon(writing(b"content")) as path, Client(path) as client, open(tmp_path / "f", "w+b") as file:
        client.session().download("http://a/", file)
        file.seek(0)
        assert file.read() == b"content"


def test_an_interrupted_download_is_resumed_by_its_entity_tag(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def begin(peer: Peer, output: dict[str, Any]) -> tuple[str, dict[str, str]]:
        request = peer.expect("task/start")
        assert request["params"]["output"] == output
        peer.reply(request, {"task": request["params"]["task"]})
        return request["params"]["task"], {"task": request["params"]["task"], "session": "private-1"}

    def first(peer: Peer) -> None:
        peer.open_session()
        _, about = begin(peer, {"descriptor": 0})
        head = {**about, "url": "http://a/", "status": 200, "headers": [["ETag", '"v1"']]}
        peer.notify("task/didReceiveResponse", head)
        os.write(peer.descriptors[0], b"12345")
        error = {"code": 1303, "message": "reset", "data": {"kind": "connectionLost"}}
        peer.notify("task/didFinish", {**about, "error": error})

    def second(peer: Peer) -> None:
        peer.open_session()
        _, about = begin(peer, {"descriptor": 0, "resumeIfRange": '"v1"'})
        assert os.lseek(peer.descriptors[0], 0, os.SEEK_CUR) == 5
        headers = [["ETag", '"v1"'], ["Content-Range", "bytes 5-8/9"]]
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 206, "headers": headers})
        os.write(peer.descriptors[0], b"6789")
        peer.notify("task/didFinish", {**response(206, size=4), "headers": headers, **about})

    with FakeDaemon(first) as path, Client(path) as client, pytest.raises(watchword.ConnectionLost):
        client.session().download("http://a/", target, resume=True)
    assert sorted(os.listdir(tmp_path)) == ["out.part", "out.part.etag"]
    with FakeDaemon(second) as path, Client(path) as client:
        client.session().download("http://a/", target, resume=True)
    assert target.read_bytes() == b"123456789"
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.parametrize("tag", ['"v1"', None])
def test_a_part_that_lacks_nothing_takes_its_name(tmp_path: Path, tag: str | None) -> None:
    target = tmp_path / "out"
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')
    headers = [["Content-Range", "bytes */5"], *([["ETag", tag]] if tag else [])]

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        assert request["params"]["output"] == {"descriptor": 0, "resumeIfRange": '"v1"'}
        peer.reply(request, {"task": request["params"]["task"]})
        about = {"task": request["params"]["task"], "session": "private-1"}
        peer.notify("task/didReceiveResponse", {**about, "url": "http://a/", "status": 416, "headers": headers})
        body = {"size": 20, "continuation": "complete"}
        peer.notify("task/didFinish", {**response(416), "headers": headers, "body": body, **about})

    with FakeDaemon(script) as path, Client(path) as client:
        got = client.session().download("http://a/", target, resume=True)
    assert (got.status, got.continuation) == (416, "complete")
    assert target.read_bytes() == b"12345"
    assert os.listdir(tmp_path) == ["out"]


def test_a_part_that_is_of_something_else_is_fetched_anew(tmp_path: Path) -> None:
    target = tmp_path / "out"
    (tmp_path / "out.part").write_bytes(b"12345")
    (tmp_path / "out.part.etag").write_text('"v1"')

    def script(peer: Peer) -> None:
        peer.open_session()
        for output, status, body in (
            ({"descriptor": 0, "resumeIfRange": '"v1"'}, 416, {"size": 0, "continuation": "discarded"}),
            ({"descriptor": 0}, 200, {"size": 3}),
        ):
            request = peer.expect("task/start")
            assert request["params"]["output"] == output
            peer.reply(request, {"task": request["params"]["task"]})
            about = {"task": request["params"]["task"], "session": "private-1"}
            if status == 200:
                os.write(peer.descriptors[-1], b"new")
            peer.notify("task/didFinish", {**response(status), "body": body, **about})

    with FakeDaemon(script) as path, Client(path) as client:
        assert client.session().download("http://a/", target, resume=True).status == 200
    assert target.read_bytes() == b"new"


# The other methods


def test_every_method_sends_its_name_and_parameters() -> None:
    seen: list[tuple[str, Any]] = []
    space_wire = {
        "protocol": "https",
        "host": "h",
        "port": 443,
        "realm": "r",
        "authenticationMethod": "basic",
        "isProxy": False,
    }
    stored = {
        "protectionSpace": space_wire,
        "user": "u",
        "kind": "password",
        "persistence": "forSession",
        "isDefault": True,
        "source": "reply",
        "limits": {},
        "uses": 3,
        "lastUsed": None,
        "created": "2026-11-21T12:05:00.5Z",
        "secondsLeft": 60,
    }
    results = {
        "session/list": {"sessions": [{"session": "a"}]},
        "task/list": {"tasks": []},
        "challenge/list": {"challenges": [challenge("t")]},
        "challenge/describe": challenge("t"),
        "credential/list": {"credentials": [stored]},
        "credential/remove": {"removed": 1},
        "cookie/list": {"cookies": []},
        "cookie/remove": {"removed": 2},
    }

    def script(peer: Peer) -> None:
        try:
            while True:
                request = peer.message()
                seen.append((request["method"], request["params"]))
                peer.reply(request, results.get(request["method"], {}))
        except EOFError:
            pass

    space = watchword.ProtectionSpace("https", "h", 443, "r", "basic")
    with FakeDaemon(script) as path, Client(path) as client:
        session = client.default_session()
        assert client.sessions() == [{"session": "a"}]
        assert client.tasks("a") == session.tasks() == []
        client.describe_task("t")
        client.cancel_task("t")
        assert client.challenges()[0].id == session.challenges()[0].id == client.challenge("c").id
        client.reply("c", watchword.reject())
        session.explain("http://a/", "GET")
        session.describe()
        session.set_credential(space, watchword.Credential(token="t"), default=True)
        (listed,) = session.list_credentials()
        assert listed.protection_space == space
        assert listed.seconds_left == 60
        assert session.remove_credential(space, "u") == 1
        session.set_default_credential(space, "u")
        assert session.list_cookies() == []
        session.set_cookie({"name": "a", "value": "b", "domain": "c", "path": "/"})
        assert session.remove_cookies() == 2
        session.reset()
        session.finish()
        session.invalidate()
        client.status()
        client.discover()
        client.reload()
        client.shut_down(graceful=False)
        assert client.call("anything/else", {"a": 1}) == {}
    default = {"session": "default"}
    assert seen == [
        ("session/list", {}),
        ("task/list", {"session": "a"}),
        ("task/list", default),
        ("task/describe", {"task": "t"}),
        ("task/cancel", {"task": "t"}),
        ("challenge/list", {}),
        ("challenge/list", default),
        ("challenge/describe", {"challenge": "c"}),
        ("challenge/reply", {"challenge": "c", "disposition": "rejectProtectionSpace"}),
        ("explain", {**default, "url": "http://a/", "method": "GET"}),
        ("session/describe", default),
        (
            "credential/set",
            {
                **default,
                "protectionSpace": space_wire,
                "credential": {"token": "t", "persistence": "forSession"},
                "default": True,
            },
        ),
        ("credential/list", default),
        ("credential/remove", {**default, "protectionSpace": space_wire, "user": "u"}),
        ("credential/setDefault", {**default, "protectionSpace": space_wire, "user": "u"}),
        ("cookie/list", default),
        ("cookie/set", {**default, "cookie": {"name": "a", "value": "b", "domain": "c", "path": "/"}}),
        ("cookie/remove", default),
        ("session/reset", default),
        ("session/finish", default),
        ("session/invalidate", default),
        ("status", {}),
        ("rpc.discover", {}),
        ("server/reload", {}),
        ("server/shutdown", {"graceful": False}),
        ("anything/else", {"a": 1}),
    ]


def test_the_status_can_be_watched() -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("status/subscribe")
        assert request["params"] == {"intervalSeconds": 0.5}
        peer.notify("status/didChange", {"n": 1})
        peer.reply(request, {"subscribed": True})
        peer.notify("status/didChange", {"n": 2})
        peer.reply(peer.expect("status/unsubscribe"), {"subscribed": False})

    with FakeDaemon(script) as path, Client(path) as client, client.watch_status(0.5) as snapshots:
        assert next(snapshots) == {"n": 1}
        assert snapshots.next(timeout=5) == {"n": 2}
        with pytest.raises(TimeoutError):
            snapshots.next(timeout=0.01)


# Finding and starting the daemon


def test_nobody_listening_is_daemon_unavailable(tmp_path: Path) -> None:
    dead = tmp_path / "dead.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(os.fspath(dead))
    for path in (tmp_path / "none.sock", dead, tmp_path, tmp_path / ("x" * 200)):
        with pytest.raises(watchword.DaemonUnavailable, match="no daemon at"):
            Client(path)


def test_a_daemon_of_another_uid_is_not_believed() -> None:
    def script(peer: Peer) -> None:
        with pytest.raises(EOFError):
            peer.message()

    with FakeDaemon(script, hello=False) as path, pytest.raises(watchword.UntrustedDaemon):
        Client(path, trusted_uids=[os.getuid() + 1])


def test_the_socket_is_found_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WATCHWORD_SOCKET", "/named/by.sock")
    assert watchword.default_socket_path() == Path("/named/by.sock")
    monkeypatch.delenv("WATCHWORD_SOCKET")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/somewhere")
    assert watchword.default_socket_path() == Path("/run/somewhere/watchword/watchword.sock")
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    expected = [Path(f"/run/user/{os.getuid()}/watchword/watchword.sock"), tmp_path / ".watchword" / "watchword.sock"]
    assert watchword.default_socket_path() == expected[not os.path.isdir(f"/run/user/{os.getuid()}")]


DAEMON = """#!{python}
import json, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2])
listener.listen()
print("warming up", flush=True)
print("listening on", sys.argv[2], flush=True)
peer, _ = listener.accept()
hello = json.loads(peer.makefile().readline())
peer.sendall(json.dumps({{"jsonrpc": "2.0", "id": hello["id"], "result": {hello!r}}}).encode() + b"\\n")
peer.recv(1)
"""


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def test_a_daemon_is_started_where_none_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    daemon = program(tmp_path / "watchwordd", DAEMON.format(python=sys.executable, hello=HELLO))
    monkeypatch.delenv("WATCHWORDD", raising=False)
    for number, setting in enumerate(("argument", "WATCHWORDD", "PATH")):
        path = tmp_path / f"{number}.sock"
        with monkeypatch.context() as patch:
            if setting == "WATCHWORDD":
                patch.setenv("WATCHWORDD", os.fspath(daemon))
            elif setting == "PATH":
                patch.setenv("PATH", os.fspath(tmp_path))
            with Client(path, start=True, daemon=daemon if setting == "argument" else None) as client:
                assert client.daemon.name == "watchwordd"


STARTED = """#!{python}
import json, os, sys
path = sys.argv[sys.argv.index("--socket") + 1]
note = {{"arguments": sys.argv[1:], "directory": os.getcwd(), "leads": os.getsid(0) == os.getpid(),
        "descriptors": [os.readlink("/proc/self/fd/" + str(n)).partition(":")[0] for n in range(3)]}}
open(path + ".note", "w").write(json.dumps(note))
print("the directory is not mine\\x1b[2J", file=sys.stderr)
sys.exit(1)
"""


def test_a_daemon_is_started_as_the_command_starts_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.chdir(tmp_path)
    program(tmp_path / "d", STARTED.format(python=sys.executable))
    with pytest.raises(watchword.DaemonUnavailable, match=r"ended with 1 .*the directory is not mine\\x1b\[2J; run"):
        Client("s.sock", start=True, daemon="./d", daemon_arguments=["--log-level", "debug"])
    note = json.loads((tmp_path / "s.sock.note").read_text())
    path = os.fspath(tmp_path / "s.sock")
    log = os.fspath(tmp_path / "watchwordd.log")
    settings = ["--log-file", log, "--idle-exit", "3600"]
    assert note["arguments"] == ["--socket", path, *settings, "--log-level", "debug"]
    assert (note["directory"], note["leads"]) == ("/", True)
    assert note["descriptors"] == ["/dev/null", "pipe", "pipe"]


def test_a_lost_race_waits_for_the_winner(tmp_path: Path) -> None:
    import sys

    program(tmp_path / "winner", DAEMON.format(python=sys.executable, hello=HELLO))
    loser = program(
        tmp_path / "loser",
        f'#!/bin/sh\n(sleep 0.3; exec "{tmp_path}/winner" --socket "$2" >/dev/null 2>&1) &\n'
        "echo 'Error: another daemon holds the lock' >&2\nexit 1\n",
    )
    with Client(tmp_path / "s.sock", start=True, daemon=loser) as client:
        assert client.daemon.name == "watchwordd"


def test_nothing_is_started_for_another_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    starter = program(tmp_path / "watchwordd", f"#!/bin/sh\ntouch '{tmp_path}/started'\n")
    (tmp_path / "plain").touch()
    for path in (tmp_path / "plain" / "s", Path("/" + "x" * 200)):
        with pytest.raises(watchword.DaemonUnavailable):
            Client(path, start=True, daemon=starter)
    # What lies in the current directory is not run either.
    monkeypatch.delenv("WATCHWORDD", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", ":.")
    with pytest.raises(watchword.DaemonUnavailable, match="no watchwordd in PATH"):
        Client(tmp_path / "s", start=True)
    assert not (tmp_path / "started").exists()


def test_a_daemon_that_cannot_start_is_daemon_unavailable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WATCHWORDD", raising=False)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    path = tmp_path / "s.sock"
    with pytest.raises(watchword.DaemonUnavailable, match="no watchwordd in PATH"):
        Client(path, start=True)
    with pytest.raises(watchword.DaemonUnavailable, match="ended with 3"):
        Client(path, start=True, daemon=program(tmp_path / "ends", "#!/bin/sh\nexit 3\n"))
    with pytest.raises(watchword.DaemonUnavailable, match="none"):
        Client(path, start=True, daemon=tmp_path / "none")
    monkeypatch.setattr("watchword._connecting.START_SECONDS", 0.1)
    with pytest.raises(watchword.DaemonUnavailable, match="not ready"):
        Client(path, start=True, daemon=program(tmp_path / "hangs", "#!/bin/sh\nexec /bin/sleep 60\n"))


@pytest.mark.parametrize("failing", [False, True])
def test_a_task_may_be_waited_for_by_several_threads(failing: bool) -> None:
    waiting = threading.Barrier(10)

    def script(peer: Peer) -> None:
        peer.open_session()
        request = peer.expect("task/start")
        task = request["params"]["task"]
        peer.reply(request, {"task": task})
        peer.reply(peer.expect("ping"), {})
        waiting.wait(10)
        for sent in range(100):
            peer.notify("task/didSendBodyData", {"task": task, "bytesSent": sent, "totalBytes": 100})
        error = {"code": 1304, "message": "late", "data": {"kind": "timedOut", "phase": "request"}}
        peer.notify("task/didFinish", {"task": task, "error": error} if failing else {**response(), "task": task})
        peer.serve_fetches()

    def wait() -> None:
        waiting.wait(10)
        try:
            outcomes.append(task.wait(20))
        except Exception as error:
            outcomes.append(error)

    outcomes: list[Any] = []
    with FakeDaemon(script) as path, Client(path) as client:
        task = client.session().start("http://a/")
        client.ping()
        threads = [threading.Thread(target=wait) for _ in range(8)]
        for thread in threads:
            thread.start()
        waiting.wait(10)
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert len(outcomes) == 8
        if failing:
            assert {type(outcome) for outcome in outcomes} == {watchword.TimedOut}
            assert len({id(outcome) for outcome in outcomes}) == 8
        else:
            assert [outcome.text for outcome in outcomes] == ["body"] * 8
        assert list(task) == []
