"""Sealed files with permanent credentials."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

import watchword
from fake_daemon import FakeDaemon
from Support.fake_daemon import Peer
from watchword import AsyncClient, Client

SENT = {"descriptor": 0, "passphrase": "sentinel-1"}


def test_the_file_goes_as_a_descriptor(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        request = peer.expect("vault/export")
        assert request["params"] == SENT
        os.write(peer.descriptors[0], b"sealed")
        peer.close_descriptors()
        peer.reply(request, {"credentials": 2})
        request = peer.expect("vault/import")
        assert request["params"] == SENT
        assert os.read(peer.descriptors[0], 99) == b"sealed"
        peer.close_descriptors()
        peer.reply(request, {"added": 1, "replaced": 2, "skipped": 3})
        request = peer.expect("vault/import")
        peer.close_descriptors()
        peer.fail(request, 1007, "descriptorUnusable", reason="truncated", path="params.descriptor")

    with FakeDaemon(script) as path, Client(path) as client:
        with (tmp_path / "backup").open("xb") as file:
            assert client.export_credentials(file, passphrase="sentinel-1") == 2
        with (tmp_path / "backup").open("rb") as sealed:
            result = client.import_credentials(sealed, passphrase="sentinel-1")
        assert result == watchword.ImportResult(added=1, replaced=2, skipped=3)
        with (tmp_path / "backup").open("rb") as sealed, pytest.raises(watchword.DescriptorUnusable) as refused:
            client.import_credentials(sealed, passphrase="sentinel-1")
        assert refused.value.reason == "truncated"


def test_the_same_with_asyncio(tmp_path: Path) -> None:
    def script(peer: Peer) -> None:
        peer.reply(peer.expect("vault/export"), {"credentials": 0})
        peer.reply(peer.expect("vault/import"), {"added": 0, "replaced": 0, "skipped": 0})
        peer.close_descriptors()

    async def run(path: str) -> None:
        async with AsyncClient(path) as client:
            with (tmp_path / "backup").open("w+b") as file:
                assert await client.export_credentials(file, passphrase="p") == 0
                assert (await client.import_credentials(file, passphrase="p")).added == 0

    with FakeDaemon(script) as path:
        asyncio.run(run(path))
