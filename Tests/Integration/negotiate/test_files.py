"""Keytabs and caches in files of the caller, by descriptor: read whole, bounded, and regular files only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import Json
from Support import documents
from Support.kerberos import Realm
from Support.kerberos_apache import KerberosApache

READER = {"user": sentinels.USER, "password": sentinels.PASSWORD}
SMALL = documents.SMALL.decode()
BY_DESCRIPTOR: Json = {"descriptor": 0}


@pytest.fixture(params=["keytab", "cache"])
def file(
    request: pytest.FixtureRequest, realm: Realm, tmp_path: Path
) -> Iterator[tuple[int, dict[str, Json]]]:
    """An open file, and the credential that names it."""
    if request.param == "keytab":
        path = realm.add_keytab("porter")
        given: dict[str, Json] = {"kerberos": {"keytab": BY_DESCRIPTOR, "principal": "porter"}}
    else:
        path = tmp_path / "tickets"
        realm.kinit(sentinels.USER, sentinels.PASSWORD, path)
        given = {"kerberos": {"cache": BY_DESCRIPTOR}}
    with path.open("rb") as opened:
        yield opened.fileno(), given


def test_a_file_opens_the_page_in_a_reply(
    peer: RealmPeer, web: KerberosApache, file: tuple[int, dict[str, Json]]
) -> None:
    descriptor, credential = file
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    reply = {"challenge": peer.asked()["challenge"], "disposition": "useCredential", "credential": credential}
    peer.call("challenge/reply", reply, [descriptor])
    assert peer.result(fetch)["body"]["text"] == SMALL
    listed = peer.call("credential/list", {"session": session})["credentials"]
    assert [entry["kind"] for entry in listed] == ["kerberos"]


def test_a_file_opens_the_page_before_a_question(
    peer: RealmPeer, web: KerberosApache, file: tuple[int, dict[str, Json]]
) -> None:
    descriptor, credential = file
    session = peer.session(web)
    end = os.lseek(descriptor, 0, os.SEEK_END)
    peer.call("credential/set", stored(web, session, credential), [descriptor])
    assert peer.fetch(session, web.plain + "/negotiate/small")["body"]["text"] == SMALL
    assert os.lseek(descriptor, 0, os.SEEK_CUR) == end, "the caller's offset has moved"


def stored(web: KerberosApache, session: str, credential: Json, method: str = "negotiate") -> Json:
    space = {"protocol": "http", "host": "web.watchword.test", "port": web.plain_port}
    space["authenticationMethod"] = method
    return {"session": session, "protectionSpace": space, "credential": credential}


@pytest.mark.parametrize("kind", ["directory", "pipe", "device", "path", "write-only", "huge", "empty"])
def test_a_file_of_another_kind_leaves_the_challenge_pending(
    peer: RealmPeer, web: KerberosApache, tmp_path: Path, kind: str
) -> None:
    session = peer.session(web, asks=True)
    fetch = peer.start_fetch(session, web.plain + "/negotiate/small")
    challenge = peer.asked()
    kerberos = {"keytab": BY_DESCRIPTOR, "principal": "porter"}
    reply = {"challenge": challenge["challenge"], "disposition": "useCredential"}
    descriptor = opened(kind, tmp_path)
    try:
        error = peer.error(
            lambda: peer.call(
                "challenge/reply", {**reply, "credential": {"kerberos": kerberos}}, [descriptor]
            )
        )
    finally:
        os.close(descriptor)
    assert error.kind == "descriptorUnusable"
    assert error.data["path"] == "params.credential.kerberos.keytab.descriptor"
    peer.answer(challenge, READER)
    assert peer.result(fetch)["status"] == 200


def opened(kind: str, directory: Path) -> int:
    path = directory / "file"
    path.write_bytes({"huge": bytes(262_145), "empty": b""}.get(kind, b"keys"))
    if kind == "pipe":
        reading, writing = os.pipe()
        os.close(writing)
        return reading
    special = {
        "directory": (directory, os.O_RDONLY),
        "device": (Path("/dev/zero"), os.O_RDONLY),
        "path": (path, os.O_PATH),
        "write-only": (path, os.O_WRONLY),
    }
    name, flags = special.get(kind, (path, os.O_RDONLY))
    return os.open(name, flags)


@pytest.mark.parametrize(
    "contents, place",
    [
        ({"descriptor": 1}, ".descriptor"),
        ({"descriptor": -1}, ".descriptor"),
        ({"descriptor": 0, "base64": "QUJD"}, ""),
        ({"descriptor": 0, "path": "/etc/krb5.keytab"}, ".path"),
        ({}, ""),
    ],
)
def test_contents_are_in_one_place(
    peer: RealmPeer, web: KerberosApache, tmp_path: Path, contents: Json, place: str
) -> None:
    session = peer.session(web)
    credential = {"kerberos": {"keytab": contents, "principal": "porter"}}
    descriptor = opened("regular", tmp_path)
    try:
        error = peer.error(
            lambda: peer.call("credential/set", stored(web, session, credential), [descriptor])
        )
    finally:
        os.close(descriptor)
    assert error.kind == "invalidParams"
    assert error.data["path"] == "params.credential.kerberos.keytab" + place


def test_a_file_does_not_answer_basic(
    peer: RealmPeer, web: KerberosApache, file: tuple[int, dict[str, Json]]
) -> None:
    descriptor, credential = file
    session = peer.session(web)
    parameters = stored(web, session, credential, "basic")
    error = peer.error(lambda: peer.call("credential/set", parameters, [descriptor]))
    assert (error.kind, error.data["reason"]) == ("credentialUnusable", "wrongKind")
