"""Credentials that a program stores, at a protected origin."""

from __future__ import annotations

import asyncio

import pytest

import watchword
from watchword import AsyncClient, Client

USER, PASSWORD = "reader", "open sesame"


def test_what_was_stored_readable_comes_back(daemon: str) -> None:
    space = watchword.ProtectionSpace("https", "code.test", 443, None, "basic", any_realm=True)
    with Client(daemon) as client, client.session("kept") as session:
        session.set_credential(space, watchword.Credential(user=USER, password=PASSWORD), readable=True)
        read = session.read_credential(space)
        assert (read.user, read.secret, read.seconds_left) == (USER, PASSWORD, None)
        assert PASSWORD not in repr(read)
        assert [one.readable for one in session.list_credentials()] == [True]
        session.set_credential(space, watchword.Credential(user=USER, password=PASSWORD))
        with pytest.raises(watchword.CredentialNotFound):
            session.read_credential(space, USER, path="/x")


def test_what_goes_with_the_first_request_is_set_once(daemon: str) -> None:
    space = watchword.ProtectionSpace("https", "ci.test", 443, None, "basic", any_realm=True)
    limits = watchword.Limits(path_prefixes=["/job/"])
    with Client(daemon) as client, client.session("first") as session:
        credential = watchword.Credential(user=USER, password=PASSWORD, limits=limits, preemptive=True)
        session.set_credential(space, credential)
        assert [one.preemptive for one in session.list_credentials()] == [True]
        assert session.explain("https://ci.test/job/x")["preemptive"]
        assert not session.explain("https://ci.test/x")["preemptive"]


def test_what_is_given_can_be_set_as_preemptive(daemon: str) -> None:
    space = watchword.ProtectionSpace("https", "ci.test", 443, None, "basic", any_realm=True)

    async def with_asyncio() -> list[bool]:
        async with AsyncClient(daemon) as client:
            session = await client.session("asked")
            await session.set_credential(space, watchword.Credential(user=USER, password=PASSWORD), preemptive=True)
            return [one.preemptive for one in await session.list_credentials()]

    assert asyncio.run(with_asyncio()) == [True]
    with Client(daemon) as client, client.session("given") as session:
        session.set_credential(space, watchword.Credential(user=USER, password=PASSWORD), preemptive=True)
        assert [one.preemptive for one in session.list_credentials()] == [True]
        with pytest.raises(watchword.InvalidArgument, match="first request"):
            session.set_credential(space, watchword.KerberosCredential(cache="default"), preemptive=True)


def test_a_key_is_kept_for_its_field(daemon: str) -> None:
    space = watchword.ProtectionSpace.for_key("https://api.test/v1/", "X-Api-Key")
    limits = watchword.Limits(path_prefixes=["/v1/"])
    with Client(daemon) as client, client.session("keys") as session:
        session.set_credential(space, watchword.Credential.key("k41", prefix="Token ", limits=limits))
        (one,) = session.list_credentials()
        assert (one.protection_space, one.user, one.kind, one.prefix) == (space, None, "token", "Token ")
        assert session.explain("https://api.test/v1/x")["keys"] == [{"field": "x-api-key", "source": "session"}]
        assert session.remove_credential(space, path="/v1/") == 1
        assert session.list_credentials() == []


def test_what_is_stored_for_a_path_is_removed_alone(daemon: str) -> None:
    space = watchword.ProtectionSpace("https", "paths.test", 443, None, "basic", any_realm=True)

    async def with_asyncio() -> int:
        async with AsyncClient(daemon) as client:
            return await (await client.session("paths")).remove_credential(space, path=None)

    with Client(daemon) as client, client.session("paths") as session:
        for prefixes in [None, ["/a"], ["/b"]]:
            limits = None if prefixes is None else watchword.Limits(path_prefixes=prefixes)
            credential = watchword.Credential(user=USER, password=PASSWORD, limits=limits)
            session.set_credential(space, credential, readable=True)
        assert session.remove_credential(space, path="/a") == 1
        assert session.remove_credential(space, path="/c") == 0
        assert asyncio.run(with_asyncio()) == 1
        assert [one.limits for one in session.list_credentials()] == [{"pathPrefixes": ["/b"]}]
        assert session.remove_credential(space) == 1
