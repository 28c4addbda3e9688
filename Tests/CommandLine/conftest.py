"""The built command beside a daemon that says what the test wants."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from Support.daemon import clean_environment, program
from Support.fake_daemon import FakeDaemon
from Support.terminal import Terminal

PATIENCE = 20


class Command:
    """Runs `watchword` in an environment of its own, without a terminal unless asked for."""

    def __init__(self, directory: Path) -> None:
        self.environment = clean_environment(directory)
        self.program = program("watchword")

    def __call__(
        self,
        *arguments: str | bytes,
        send: bytes = b"",
        environment: Mapping[str, str] | None = None,
        directory: Path | None = None,
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(self.program), *arguments],
            input=send,
            cwd=directory,
            capture_output=True,
            env={**self.environment, **(environment or {})},
            timeout=PATIENCE,
            start_new_session=True,
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(self.program), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            start_new_session=True,
        )

    def on_terminal(self, *arguments: str) -> Terminal:
        return Terminal([str(self.program), *arguments], self.environment)


@pytest.fixture
def directory() -> Iterator[Path]:
    # The name of a Unix socket holds 107 bytes, so a test's own long directory will not do.
    with tempfile.TemporaryDirectory(prefix="watchword-") as name:
        yield Path(name)


@pytest.fixture
def watchword(directory: Path) -> Command:
    return Command(directory)


@pytest.fixture
def daemon(directory: Path, watchword: Command) -> Iterator[FakeDaemon]:
    fake = FakeDaemon(directory / "fake.sock")
    watchword.environment["WATCHWORD_SOCKET"] = str(fake.path)
    yield fake
    fake.stop()
    assert not fake.failures


@pytest.fixture
def askpass(directory: Path) -> Callable[..., str]:
    """Makes a program that notes its prompts in `prompts` and gives the answers, one a call."""

    def make(*answers: str) -> str:
        for number, answer in enumerate(answers):
            (directory / f"answer{number}").write_text(answer + "\n")
        path = directory / "askpass"
        path.write_text(
            f'#!/bin/sh\ncd "{directory}" || exit 1\nprintf "%s\\n" "$1" >>prompts\n'
            'n=$(($(wc -l <prompts) - 1))\n[ -e "answer$n" ] || exit 1\ncat "answer$n"\n'
        )
        path.chmod(0o700)
        return str(path)

    return make
