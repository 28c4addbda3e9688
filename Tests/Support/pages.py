"""The blocks of a page, and a reader who pastes them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from Support.daemon import PROJECT, clean_environment, program
from Support.terminal import Terminal

PATIENCE_SECONDS = 60
#: Answers a prompt by its end, as a person would, and notes it. The answers are files beside it.
ASKPASS = """#!/bin/sh
cd "$HOME/answers" || exit 1
printf '%s\\n' "$1" >>../prompts
case $1 in
*': User: ' | *': User ['*']: ' | Username*) cat user ;;
*'Token: ' | *'Key: ') cat token ;;
*'Passphrase: ') cat passphrase ;;
*'PIN: ') cat pin ;;
*) cat password ;;
esac
"""


def all_pages() -> list[str]:
    """The names of the project's pages, from the top."""
    folders = (".github", "Sources", "Tests", "clients", "protocol")
    found = [path for folder in folders for path in (PROJECT / folder).rglob("*.md")]
    names = [str(path.relative_to(PROJECT)) for path in found]
    return ["README.md", *sorted(name for name in names if not re.search(r"/\.", name))]


@dataclass(frozen=True)
class Block:
    """A fenced block below a heading."""

    heading: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    """All of a page, in their order."""
    found, heading = [], ""
    pattern = re.compile(r"^#+ (?P<heading>.*)$|^```(?P<language>.*)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)
    for match in pattern.finditer(page.read_text()):
        if match["heading"] is not None:
            heading = match["heading"]
        else:
            found.append(Block(heading, match["language"], match["text"]))
    return found


def programs(page: Path, language: str) -> list[str]:
    """The texts of the blocks in one language."""
    return [block.text for block in blocks(page) if block.language == language]


class Reader:
    """A person with a home of their own, who pastes blocks and answers the prompts.

    The daemon is the one that the commands start at the default path, with what is in `environment` then.
    """

    def __init__(self, **answers: str) -> None:
        # The name of a Unix socket holds 107 bytes, so a test's own long directory will not do.
        self.shell = "bash"
        self.python = sys.executable
        self.home = Path(tempfile.mkdtemp(prefix="watchword-"))
        (self.home / "answers").mkdir()
        self.answer(**answers)
        self.programs = self.home / ".local" / "bin"
        self.programs.mkdir(parents=True)
        self.environment = clean_environment(self.home)
        folders = [self.programs, program().parent, Path(sys.executable).parent]
        self.environment["PATH"] = os.pathsep.join([*map(str, folders), self.environment["PATH"]])
        self.environment["PYTHONPATH"] = str(PROJECT / "clients" / "python" / "src")
        askpass = str(self.add_program("askpass", ASKPASS))
        self.environment |= {"WATCHWORD_ASKPASS": askpass, "GIT_ASKPASS": askpass}
        runtime = self.home / "run"
        runtime.mkdir(0o700)
        self.environment["XDG_RUNTIME_DIR"] = str(runtime)
        self.socket = runtime / "watchword" / "watchword.sock"

    def answer(self, **answers: str) -> None:
        """What they say from now on: `user`, `password`, `token`, `passphrase` or `pin`."""
        for name, text in answers.items():
            (self.home / "answers" / name).write_text(text + "\n")

    def trust(self, certificate: Path) -> None:
        """Adds this authority to the system's. SSL_CERT_FILE would be an option of the command."""
        folder = self.home / "roots"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(certificate, folder / "authority.pem")
        subprocess.run(["openssl", "rehash", folder], check=True, capture_output=True)
        self.environment["SSL_CERT_DIR"] = str(folder)

    def add_program(self, name: str, text: str) -> Path:
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o700)
        return path

    @property
    def prompts(self) -> list[str]:
        """What they were asked so far."""
        noted = self.home / "prompts"
        return noted.read_text().splitlines() if noted.exists() else []

    def paste(self, language: str, text: str, status: int = 0, send: str = "") -> str:
        """Runs a block, which has to end with this status; what it printed."""
        command = self.interpreter(language, text)
        # Not a pipe: the daemon that a block starts keeps it open.
        with tempfile.TemporaryFile() as output:
            done = subprocess.run(
                command,
                input=send.encode(),
                stdout=output,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=self.home,
                timeout=PATIENCE_SECONDS,
                start_new_session=True,
            )
            output.seek(0)
            printed = output.read().decode(errors="replace")
        assert done.returncode == status, f"{text}ended with {done.returncode}:\n{printed}"
        return printed

    def on_terminal(self, language: str, text: str) -> Terminal:
        """The same with a terminal, at which the test answers."""
        return Terminal(self.interpreter(language, text), self.environment)

    def interpreter(self, language: str, text: str) -> list[str]:
        """The command that runs a block."""
        return {"sh": [f"/bin/{self.shell}", "-e", "-c", text], "python": [self.python, "-c", text]}[language]

    def wait_for_daemon(self) -> None:
        """Until the one that a block has put into the background listens."""
        self.wait_until(lambda: self.watchword("status", "--no-start", status=None).returncode == 0)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        limit = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < limit, "it did not become true"

    def watchword(self, *arguments: str, status: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Runs the command beside what the page says."""
        done = subprocess.run(
            ["watchword", *arguments],
            executable=program("watchword"),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            start_new_session=True,
        )
        assert status is None or done.returncode == status, done.stdout + done.stderr
        return done

    def leave(self) -> None:
        """Stops the daemon and removes everything."""
        try:
            if self.socket.exists():
                self.watchword("shutdown", "--now", "--no-start")
        finally:
            shutil.rmtree(self.home, ignore_errors=True)


class Section:
    """The blocks below one heading, which are pasted one after the other with the names of the test."""

    def __init__(self, page: Path, heading: str, reader: Reader) -> None:
        self.reader = reader
        #: What stands on the page, and what the test has in its place.
        self.names: dict[str, str] = {}
        self._named: set[str] = set()
        self._blocks = [block for block in blocks(page) if block.heading == heading]
        assert self._blocks, heading

    def text(self, language: str) -> str:
        """The next block, which has to be in this language."""
        block = self._blocks.pop(0)
        assert block.language == language, block
        text = block.text
        for name in sorted(self.names, key=len, reverse=True):
            if name in text:
                self._named.add(name)
                text = text.replace(name, self.names[name])
        return text

    def shell(self, status: int = 0, send: str = "") -> str:
        return self.reader.paste("sh", self.text("sh"), status, send)

    def on_terminal(self) -> Terminal:
        return self.reader.on_terminal("sh", self.text("sh"))

    def python(self) -> str:
        return self.reader.paste("python", self.text("python"))

    def finish(self) -> None:
        """Nothing of the section was left out, and no name is stale."""
        assert self._blocks == []
        assert self.names.keys() - self._named == set(), "names that are not on the page"
