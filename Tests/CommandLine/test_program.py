"""The program itself: its help, its completions and what it needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from CommandLine.conftest import Command
from Support.daemon import program


def test_every_command_has_help_with_an_example_last(watchword: Command) -> None:
    overview = watchword("help").stdout.decode()
    names = re.findall(r"^  ([a-z]+(?: [a-z]+)?) {2,}", overview, re.M)
    assert {"fetch", "status", "answer", "credentials set", "sessions reset", "call"} <= set(names)
    for name in names:
        done = watchword("help", *name.split())
        assert done.returncode == 0
        assert watchword(*name.split(), "--help").stdout == done.stdout
        text = done.stdout.decode()
        assert f"usage: watchword {name}" in text
        assert re.search(rf"\nexample:\n  .*watchword {name}.*\n$", text) or name == "completions"
        assert max(len(line) for line in text.splitlines()) <= 80
    assert watchword("help", "nope").returncode == 2
    assert watchword().returncode == 2


def test_an_operand_that_a_command_does_not_take_is_named(watchword: Command) -> None:
    for words, said in (
        (("reload", "now"), "reload takes no operand now"),
        (("completions", "tcsh"), "no script for tcsh"),
        (("sessions", "lst"), "unknown command sessions lst"),
        (("vault", "opn"), "unknown command vault"),
    ):
        done = watchword(*words)
        assert done.returncode == 2
        assert done.stderr.decode().startswith(f"watchword: {said}"), done.stderr
    assert watchword("completions", "bash").stdout == watchword("completions").stdout


def test_completions_are_a_script_that_bash_takes(watchword: Command, tmp_path: Path) -> None:
    script = tmp_path / "completions"
    script.write_bytes(watchword("completions").stdout)

    def complete(*words: str) -> list[str]:
        lines = [
            f"source {script}",
            f"COMP_WORDS=({' '.join(repr(word) for word in ('watchword', *words))})",
            f"COMP_CWORD={len(words)}",
            "_watchword",
            'printf "%s\\n" "${COMPREPLY[@]}"',
        ]
        done = subprocess.run(["bash", "-c", "\n".join(lines)], capture_output=True, check=True, text=True)
        return done.stdout.split()

    assert complete("fe") == ["fetch"]
    assert "--compressed" in complete("fetch", "--co")
    assert complete("credentials", "s") == ["set"]
    assert "--realm" in complete("credentials", "set", "--r")
    assert complete("fetch", "--persistence", "n") == ["none"]


def test_the_program_needs_no_library_of_its_own() -> None:
    """A shared libcurl or Foundation would make every start several times as long."""
    done = subprocess.run(["ldd", str(program("watchword"))], capture_output=True, text=True)
    for library in ("curl", "ssl", "Foundation"):
        assert library not in done.stdout
