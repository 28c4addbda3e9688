"""Restricted connections, of a real daemon."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

import watchword
from watchword import AsyncClient, Client, FetchRule


def answer(_: watchword.Challenge) -> watchword.Answer:
    return watchword.use_credential("reader", "watchword")


def test_a_restricted_client_fetches_by_its_rules(daemon: str, origin: str) -> None:
    with Client(daemon) as owner, Client(daemon) as child:
        owner.session("jobs")
        name = child.restrict([FetchRule(origin, "/public/*", methods=["GET"])], session="jobs", expires_seconds=60)
        assert name.startswith("r")
        with pytest.raises(watchword.Restricted) as caught:
            child.fetch(f"{origin}/staff/")
        assert caught.value.data["reason"] == "path"
        with pytest.raises(watchword.Restricted):
            child.status()


def test_a_lent_socket_serves_commands(daemon: str, origin: str, tmp_path: Path) -> None:
    path = tmp_path / "socket"

    async def lend() -> None:
        async with AsyncClient(daemon) as owner:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
                listener.bind(str(path))
                listener.listen()
                await owner.listen(listener, [FetchRule(origin, "/public/*")])
            async with AsyncClient(str(path)) as child:
                with pytest.raises(watchword.Restricted):
                    await child.sessions()

    asyncio.run(lend())
