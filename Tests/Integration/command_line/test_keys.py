"""`credentials set --key`: keys in header fields of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from Integration.command_line.scene import FAILED, OK, USAGE, Command, complaint
from Integration.sentinels import TOKEN, USER
from Support.exchange import Exchange
from Support.scripted_origin import ScriptedOrigin
from Support.scripts import OK_BODY, reply

KEY = ("credentials", "set", "--key", "X-Api-Key")


def keyed(origin: ScriptedOrigin, path: str, value: str = TOKEN) -> str:
    async def script(exchange: Exchange) -> None:
        known = exchange.request.all("x-api-key") == [value]
        await exchange.respond(200 if known else 403, [], OK_BODY)

    return origin.serve(path, script)


def test_a_key_is_asked_for_once_and_shown_by_its_field(
    watchword: Command, origin: ScriptedOrigin, askpass: Callable[..., str], tmp_path: Path
) -> None:
    url = keyed(origin, "/v1/x", f"Token {TOKEN}")
    done = watchword(*KEY, "--key-prefix", "Token ", "--askpass", askpass(TOKEN), f"{origin.url}/v1/")
    assert (done.returncode, done.stderr) == (OK, b"")
    (prompt,) = (tmp_path / "prompts").read_text().splitlines()
    assert prompt.rstrip().endswith("(key, field X-Api-Key, over cleartext): Key:")
    assert watchword("fetch", "-f", url).stdout == OK_BODY
    line = watchword("credentials").stdout.decode()
    assert "key x-api-key" in line and 'prefix "Token "' in line and "sent with the first request" in line
    assert "key         x-api-key, from session, sent unasked" in watchword("explain", url).stdout.decode()
    assert "key x-api-key" in watchword("credentials", "history").stdout.decode()
    verbose = watchword("fetch", "-v", url)
    shown = [watchword(*command).stdout for command in (("credentials",), ("explain", url), ("status",))]
    assert TOKEN.encode() not in b"".join([verbose.stderr, *shown])
    watchword("fetch", origin.url + "/other")
    assert origin.requests[-1].all("x-api-key") == []


def test_keys_are_removed_by_field_and_by_path(watchword: Command, origin: ScriptedOrigin) -> None:
    origin.serve("/*", reply())
    send = TOKEN.encode()
    for field, path in (("X-Api-Key", "/a/"), ("X-Api-Key", "/b/"), ("PRIVATE-TOKEN", "/a/")):
        done = watchword(
            "credentials", "set", "--key", field, "--password-fd", "0", origin.url + path, send=send
        )
        assert (done.returncode, done.stderr) == (OK, b"")
    remove = ("credentials", "remove")
    assert watchword(*remove, "--key", "X-Api-Key", "--path", "/b/", origin.url).stdout == b"removed 1\n"
    assert watchword(*remove, "--path", "/c/", origin.url).returncode == FAILED
    watchword("fetch", origin.url + "/b/x")
    assert origin.requests[-1].all("x-api-key") == []
    watchword("fetch", origin.url + "/a/x")
    assert origin.requests[-1].all("x-api-key") == [TOKEN]
    assert watchword(*remove, "--key", "private-token", origin.url).stdout == b"removed 1\n"
    assert watchword(*remove, origin.url).stdout == b"removed 1\n"


def test_a_preemptive_credential_of_one_path_is_removed_alone(
    watchword: Command, origin: ScriptedOrigin
) -> None:
    origin.serve("/*", reply())
    for path in ("/a/", "/b/"):
        token = ("--preemptive", "--token-fd", "0", origin.url + path)
        watchword("credentials", "set", *token, send=TOKEN.encode())
    assert watchword("credentials", "remove", "--path", "/a/", origin.url).stdout == b"removed 1\n"
    for path, is_sent in (("/a/x", False), ("/b/x", True)):
        watchword("fetch", origin.url + path)
        assert (origin.requests[-1].authorization is not None) is is_sent


def test_what_is_not_sent_over_cleartext_is_said(watchword: Command) -> None:
    done = watchword(*KEY, "--password-fd", "0", "http://far.example/", send=TOKEN.encode())
    assert done.returncode == OK
    assert "nothing goes with the first request to http://far.example:80" in done.stderr.decode()


@pytest.mark.parametrize(
    "options",
    [
        (*KEY, "-u", USER),
        (*KEY, "--realm", "r"),
        (*KEY, "--method", "bearer"),
        (*KEY, "--proxy"),
        ("credentials", "set", "--key-prefix", "Token ", "-u", USER),
    ],
)
def test_what_does_not_go_together_is_named(watchword: Command, options: tuple[str, ...]) -> None:
    done = watchword(*options, "https://a.example/")
    assert done.returncode == USAGE
    assert "--key" in complaint(done)


def test_a_field_that_carries_no_key_is_named(watchword: Command) -> None:
    done = watchword(
        "credentials", "set", "--key", "Cookie", "--password-fd", "0", "https://a.example/", send=b"k"
    )
    assert done.returncode != OK
    assert "field" in done.stderr.decode()


def test_other_tools_neither_get_nor_remove_a_key(watchword: Command) -> None:
    url = "https://a.example/"
    watchword(*KEY, "--readable", "--password-fd", "0", url, send=TOKEN.encode())
    asked = b"capability[]=authtype\nprotocol=https\nhost=a.example\n"
    for operation in ("get", "erase"):
        done = watchword("git-credential", operation, send=asked + b"\n")
        assert (done.returncode, done.stdout) == (OK, b"")
    assert b"key x-api-key" in watchword("credentials").stdout
