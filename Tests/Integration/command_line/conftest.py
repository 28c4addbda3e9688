"""The command beside a real daemon."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.command_line.scene import Command
from Integration.command_line.side_by_side import both as both
from Integration.sentinels import PASSWORD, USER, traces_in
from Support.daemon import Daemon
from Support.guards import BasicGuard, guarded
from Support.scripted_origin import ScriptedOrigin


@pytest.fixture
def watchword(daemon: Daemon) -> Iterator[Command]:
    command = Command(daemon)
    yield command
    assert traces_in(command.shown) == []


@pytest.fixture
def askpass(tmp_path: Path) -> Callable[..., str]:
    """Makes a program that notes its prompts and gives the answers, one a call."""

    def make(*answers: str) -> str:
        for number, answer in enumerate(answers):
            (tmp_path / f"answer{number}").write_text(answer + "\n")
        path = tmp_path / "askpass"
        path.write_text(
            f'#!/bin/sh\ncd "{tmp_path}" || exit 1\nprintf "%s\\n" "$1" >>prompts\n'
            'n=$(($(wc -l <prompts) - 1))\n[ -e "answer$n" ] || exit 1\ncat "answer$n"\n'
        )
        path.chmod(0o700)
        return str(path)

    return make


@pytest.fixture
def staff(origin: ScriptedOrigin) -> str:
    return origin.serve("/staff", guarded(BasicGuard("staff", USER, PASSWORD)))
