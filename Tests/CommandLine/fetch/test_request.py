"""What the options of `watchword fetch` make of its request."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from CommandLine.conftest import Command
from Support.fake_daemon import Conversation, FakeDaemon, Message

URL = "http://origin.test/a/name?q=1"


def test_a_plain_fetch_is_one_request(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", URL)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"hello\n", b"")
    (request,) = daemon.heard
    assert request["method"] == "task/start"
    assert request["params"]["url"] == URL
    assert request["params"]["output"] == {"descriptor": 0}
    assert request["descriptors"] == 1


@pytest.mark.parametrize(
    ("arguments", "method", "headers", "body"),
    [
        ([], "GET", None, None),
        (["-X", "PURGE"], "PURGE", None, None),
        (["-XPURGE"], "PURGE", None, None),
        (["--request=PURGE"], "PURGE", None, None),
        (["-I"], "HEAD", None, None),
        (["-d", "a=1", "--data", "b=2"], "POST", "application/x-www-form-urlencoded", "a=1&b=2"),
        (["--data-raw", "@a"], "POST", "application/x-www-form-urlencoded", "@a"),
        (["--data-urlencode", "a=b c&d"], "POST", "application/x-www-form-urlencoded", "a=b+c%26d"),
        (["--json", '{"a":1}'], "POST", "application/json", '{"a":1}'),
        (["-d", "a", "-H", "content-type: text/plain"], "POST", "text/plain", "a"),
        (["-d", "a", "-H", "Content-Type:"], "POST", None, "a"),
    ],
)
def test_method_and_body_follow_the_options(
    watchword: Command,
    daemon: FakeDaemon,
    arguments: list[str],
    method: str,
    headers: str | None,
    body: str | None,
) -> None:
    assert watchword("fetch", *arguments, URL).returncode == 0
    # -I prints the heads before the result's, too.
    parameters = daemon.parameters("task/start" if "-I" in arguments else "fetch")
    assert parameters["method"] == method
    types = [value for name, value in parameters.get("headers", []) if name.lower() == "content-type"]
    assert types == ([headers] if headers else [])
    assert parameters.get("body") == ({"text": body} if body is not None else None)


def test_headers_keep_their_order(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "fields").write_text("X-B: from file\r\nAuthorization: Bearer sentinel-1\n")
    done = watchword(
        "fetch", "-H", "X-A:  1", "-H", f"@{tmp_path}/fields", "-H", "X-A;", "-A", "me", "-r", "0-9", URL
    )
    assert done.stderr == b""
    assert daemon.parameters("fetch")["headers"] == [
        ["X-A", "1"],
        ["X-B", "from file"],
        ["Authorization", "Bearer sentinel-1"],
        ["X-A", ""],
        ["Range", "bytes=0-9"],
        ["User-Agent", "me"],
    ]


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        (["-A", "x", "-A", "y"], [["User-Agent", "y"]]),
        (["-A", "x", "-A", "", "-e", "", "-r", ""], []),
        (["-A", "x", "-H", "user-agent: z"], [["user-agent", "z"]]),
        (["-A", "", "-H", "Referer:", "-e", "a"], []),
        (["-A", "", "-r", "0-1", "-r", "5-"], [["Range", "bytes=5-"]]),
        (["-A", "", "-b", "a=b", "-b", "c=d"], [["Cookie", "a=b; c=d"]]),
    ],
)
def test_an_option_for_a_field_means_what_it_means_to_curl(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], fields: list[list[str]]
) -> None:
    assert watchword("fetch", *arguments, URL).returncode == 0
    assert daemon.parameters("fetch").get("headers", []) == fields


@pytest.mark.parametrize(
    ("name", "url", "sent"),
    [
        ("q3 a.csv", "http://origin.test/reports/", "http://origin.test/reports/q3%20a.csv"),
        ("q3.csv", "http://origin.test", "http://origin.test/q3.csv"),
        ("q3.csv", "origin.test/reports/?a=/b#c", "http://origin.test/reports/q3.csv?a=/b#c"),
        ("q3.csv", "http://origin.test/name?a/", "http://origin.test/name?a/"),
        (None, "http://origin.test/reports/", "http://origin.test/reports/"),
    ],
)
def test_an_upload_to_a_folder_goes_under_its_name(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, name: str | None, url: str, sent: str
) -> None:
    path = tmp_path / (name or "unused")
    path.write_text("body")
    assert watchword("fetch", "-G", "-T", str(path) if name else "-", url, send=b"body").returncode == 0
    parameters = daemon.parameters("fetch")
    assert (parameters["method"], parameters["url"]) == ("PUT", sent)
    assert "body" in parameters


def test_data_can_go_into_the_url(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "-G", "-d", "a=1", "-d", "b=2", "http://origin.test/#top")
    assert daemon.parameters("fetch")["url"] == "http://origin.test/?a=1&b=2#top"
    assert daemon.parameters("fetch")["method"] == "GET"


def test_a_large_body_travels_beside_the_message(watchword: Command, daemon: FakeDaemon) -> None:
    bodies: list[bytes] = []

    def take(conversation: Conversation, message: Message) -> Message:
        number = conversation.peer.descriptors[message["params"]["body"]["descriptor"]]
        bodies.append(os.read(number, 1 << 20))
        return conversation.deliver({**message, "params": {**message["params"], "output": "discard"}})

    daemon.fetch(take)
    large = "x" * 100_000
    assert watchword("fetch", "--data-raw", large, URL).returncode == 0
    assert bodies == [large.encode()]


def test_timeouts_and_codings_are_said(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "-m", "2.5", "--connect-timeout", "1", "--compressed", URL)
    parameters = daemon.parameters("fetch")
    assert parameters["timeouts"] == {"connectSeconds": 1, "resourceSeconds": 2.5}
    assert parameters.get("decodeContent", True) is True
    watchword("fetch", URL)
    assert daemon.parameters("fetch")["decodeContent"] is False
    watchword("fetch", "-m", "0", "--connect-timeout", "0", URL)
    assert "timeouts" not in daemon.parameters("fetch")
    for wrong in ("-1", "long", "nan", "inf", ""):
        assert watchword("fetch", "-m", wrong, URL).returncode == 2


def test_settings_name_the_session(watchword: Command, daemon: FakeDaemon, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("-----BEGIN CERTIFICATE-----\n")
    (tmp_path / "lists.pem").write_text("-----BEGIN X509 CRL-----\n")
    watchword(
        *("fetch", "--cacert", f"{tmp_path}/ca.pem", "--resolve", "a.test:443:127.0.0.1"),
        *("--crlfile", f"{tmp_path}/lists.pem", "--cert-status", "-L", URL),
    )
    assert daemon.parameters("session/open") == {
        "bySettings": True,
        "configuration": {
            "tls": {
                "roots": {"certificates": "-----BEGIN CERTIFICATE-----\n", "exclusive": True},
                "revocation": "stapleRequired",
                "revocationLists": "-----BEGIN X509 CRL-----\n",
            },
            "addresses": {"resolve": {"a.test:443": "127.0.0.1"}},
        },
    }
    assert daemon.parameters("fetch")["session"] == "p1-secret"
    watchword("fetch", "--private", "--resolve", "a.test:443:127.0.0.1", URL)
    assert "bySettings" not in daemon.parameters("session/open")


@pytest.mark.parametrize("session", [[], ["--session", "s"]])
def test_limits_of_the_fetch_go_with_it(watchword: Command, daemon: FakeDaemon, session: list[str]) -> None:
    watchword("fetch", *session, "--http1.1", "--max-redirs", "3", "-L", URL)
    parameters = daemon.parameters("fetch")
    assert parameters["redirects"] == {"limit": 3}
    assert parameters["httpVersions"] == ["1.1"]
    assert "tls" not in parameters
    opened = [message.get("params") for message in daemon.heard if message.get("method") == "session/open"]
    assert opened == ([{"name": "s"}] if session else [])


def test_a_private_session_follows_only_when_asked(watchword: Command, daemon: FakeDaemon) -> None:
    watchword("fetch", "--private", URL)
    assert daemon.parameters("session/open")["configuration"] == {}
    assert daemon.parameters("fetch")["followRedirects"] is False
    watchword("fetch", "--private", "-L", URL)
    assert "followRedirects" not in daemon.parameters("fetch")


@pytest.mark.parametrize("follow", [True, False])
def test_a_session_that_asks_is_told(watchword: Command, daemon: FakeDaemon, follow: bool) -> None:
    def redirect(conversation: Conversation, message: Message) -> Message:
        conversation.notify("task/willRedirect", task="t1", session="s", response={}, request={})
        reply = conversation.peer.expect("redirect/reply")
        daemon.heard.append(reply)
        conversation.peer.reply(reply, {"task": "t1"})
        return conversation.deliver(message)

    daemon.fetch(redirect)
    assert watchword("fetch", "--session", "s", *(["-L"] if follow else []), URL).returncode == 0
    assert daemon.parameters("redirect/reply") == {"task": "t1", "request": {} if follow else None}


@pytest.mark.parametrize(
    ("data", "sent"),
    [
        ("a b", "a+b"),
        ("=x=y", "x%3Dy"),
        ("a@b=c d", "a@b=c+d"),
        ("@FILE", "a+b%0A%26%FF"),
        ("name@FILE", "name=a+b%0A%26%FF"),
        ("name@-", "name=%40"),
        ("", ""),
    ],
)
def test_data_is_percent_encoded_as_curl_does(
    watchword: Command, daemon: FakeDaemon, tmp_path: Path, data: str, sent: str
) -> None:
    (tmp_path / "file").write_bytes(b"a b\n&\xff")
    data = data.replace("FILE", f"{tmp_path}/file")
    assert watchword("fetch", "--data-urlencode", data, URL, send=b"@").returncode == 0
    assert daemon.parameters("fetch")["body"] == {"text": sent}


def test_a_file_of_data_that_is_not_there_is_an_error(watchword: Command, daemon: FakeDaemon) -> None:
    done = watchword("fetch", "--data-urlencode", "name@/no/such", URL)
    assert (done.returncode, done.stdout, daemon.heard) == (26, b"", [])
    assert done.stderr.startswith(b"watchword: /no/such cannot be read: ")


def test_a_checksum_is_given_to_the_daemon(watchword: Command, daemon: FakeDaemon) -> None:
    """In hexadecimal digits, as sha256sum prints them, or as RFC 9530 writes it."""
    digits = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    digest = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"
    for argument in (f"sha-256={digits}", f"sha-256={digits.upper()}", digest):
        assert watchword("fetch", "--checksum", argument, URL).returncode == 0
        assert daemon.heard[-1]["params"]["output"] == {"descriptor": 0, "digest": digest}
    for argument in ("", digits, "md5=00", f"sha-512={digits}", f"sha-256={digits}0", "sha-256=x"):
        done = watchword("fetch", "--checksum", argument, URL)
        assert (done.returncode, b"--checksum takes" in done.stderr) == (2, True)
    for options in (["-I"], ["-C", "-", "-o", "part"]):
        assert watchword("fetch", *options, "--checksum", digest, URL).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "proxies"),
    [
        ([], None),
        (["-x", "proxy.test:3128"], {"all": "http://proxy.test:3128"}),
        (["--proxy", "socks5h://proxy.test"], {"all": "socks5h://proxy.test"}),
        (["-x", ""], "none"),
        (["--noproxy", "*"], "none"),
        (
            ["-x", "http://p", "--noproxy", "a.test,\t10.0.0.0/8"],
            {"all": "http://p", "except": ["a.test", "10.0.0.0/8"]},
        ),
        (["-x", "http://p:1", "--proxy-user", "a b"], {"all": "http://a%20b@p:1"}),
        (["-x", "http://old@p:1", "--proxy-user", "joe"], {"all": "http://joe@p:1"}),
    ],
)
def test_a_proxy_is_the_fetchs_own(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], proxies: object
) -> None:
    assert watchword("fetch", *arguments, URL).returncode == 0
    assert daemon.parameters("fetch").get("proxies") == proxies
    assert not [message for message in daemon.heard if message["method"] == "session/open"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-x", "http://joe:secret@p"], b"password"),
        (["-x", "http://p", "--proxy-user", "joe:secret"], b"password"),
        (["-x", "http://p", "--proxy-user", ""], b"user"),
        (["--proxy-user", "joe"], b"goes with -x"),
        (["--noproxy", "a.test"], b"goes with -x"),
    ],
)
def test_a_proxy_option_that_cannot_be_used_is_refused(
    watchword: Command, daemon: FakeDaemon, arguments: list[str], text: bytes
) -> None:
    done = watchword("fetch", *arguments, URL)
    assert done.returncode == 2
    assert text in done.stderr and b"secret" not in done.stderr
    assert daemon.heard == []
