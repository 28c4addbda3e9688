"""The command `watchword` as its own program describes it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from . import help_text
from .help_text import Help, Option

#: Of `watchword completions`: a command, and an option whose argument is completed.
_COMMAND = re.compile(r"    '([a-z][a-z -]*)'\)")
_FILE = re.compile(r"        (--?[\w.-]+)\) compopt -o filenames;")
_WORDS = re.compile(r"        (--?[\w.-]+)\) COMPREPLY=\(\$\(compgen -W '([^']*)'")

#: Commands whose operand is the name of a session, or the id of a challenge.
SESSION_OPERANDS = {"sessions describe", "sessions reset", "sessions finish", "sessions invalidate"}
CHALLENGE_OPERANDS = {"answer"}


@dataclass(frozen=True)
class Values:
    """What a shell offers for an argument: files, sessions, challenges, words, or nothing."""

    kind: str
    words: tuple[str, ...] = ()


NOTHING = Values("nothing")


@dataclass
class Command:
    """One command, with its name as it is typed: `credentials set`."""

    name: str
    summary: str
    help: Help
    #: By the names of options.
    values: dict[str, Values]

    @property
    def options(self) -> list[Option]:
        return self.help.options

    def argument(self, option: Option) -> Values:
        if option.long == "--session":
            return Values("sessions")
        return self.values.get(option.long, NOTHING)

    @property
    def operand(self) -> Values:
        if self.name in SESSION_OPERANDS:
            return Values("sessions")
        if self.name in CHALLENGE_OPERANDS:
            return Values("challenges")
        last = self.help.usage.split()[-1]
        if re.fullmatch(r"[a-z]+(\|[a-z]+)+", last):
            return Values("words", tuple(last.split("|")))
        return Values("files") if "FILE" in last or "COMMAND" in self.help.usage else NOTHING


@dataclass
class Program:
    """All that pages and completions are made of."""

    version: str
    overview: Help
    commands: list[Command]
    #: The script for bash that the program prints.
    bash: str

    def verbs(self, noun: str) -> list[Command]:
        """The commands of two words that begin with this one."""
        return [command for command in self.commands if command.name.startswith(noun + " ")]

    @property
    def first_words(self) -> list[tuple[str, str]]:
        """What can follow `watchword`, with its meaning; of a noun that is no command, its commands."""
        told = {command.name: command.summary for command in self.commands if " " not in command.name}
        for command in self.commands:
            noun, _, verb = command.name.partition(" ")
            if verb and noun not in told:
                told[noun] = "see " + ", ".join(each.name for each in self.verbs(noun))
        return [*told.items(), ("help", "show the help of a command")]


def read(program: Path) -> Program:
    """Runs the program for each of its commands."""
    overview = help_text.read(_run(program, "help"))
    bash = _run(program, "completions")
    values = completed(bash)
    commands = []
    for row in overview.rows:
        if row.label.startswith("help "):
            continue
        told = help_text.read(_run(program, "help", *row.label.split()))
        commands.append(Command(row.label, row.text, told, values.get(row.label, {})))
    return Program(_run(program, "--version").split()[-1], overview, commands, bash)


def completed(bash: str) -> dict[str, dict[str, Values]]:
    """What the script for bash offers for the arguments of options, by command."""
    found: dict[str, dict[str, Values]] = {}
    current: dict[str, Values] = {}
    for line in bash.splitlines():
        if match := _COMMAND.fullmatch(line):
            current = found.setdefault(match[1], {})
        elif match := _FILE.match(line):
            current[match[1]] = Values("files")
        elif match := _WORDS.match(line):
            current[match[1]] = Values("words", tuple(match[2].split()))
    return found


def _run(program: Path, *arguments: str) -> str:
    done = subprocess.run([program, *arguments], check=True, capture_output=True, text=True, encoding="utf-8")
    return done.stdout
