"""Manual pages and completions of the packages, which clients/packages/write-pages makes from the help."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from CommandLine.commands.scene import SESSION
from CommandLine.conftest import Command
from Support.daemon import PROJECT, program
from Support.fake_daemon import FakeDaemon, a_challenge

PACKAGES = PROJECT / "clients" / "packages"


@pytest.fixture(scope="module")
def help_text() -> Iterator[ModuleType]:
    """The reader of helps, which is no part of the tests."""
    sys.path.insert(0, str(PACKAGES))
    yield importlib.import_module("pages.help_text")
    sys.path.remove(str(PACKAGES))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the packages get."""
    output = tmp_path_factory.mktemp("pages")
    programs = tmp_path_factory.mktemp("programs")
    for name in ("watchword", "watchwordd"):
        (programs / name).symlink_to(program(name))
    subprocess.run([sys.executable, "-B", PACKAGES / "write-pages", programs, output], check=True)
    return output


def plain(page: str) -> str:
    """A page as it is read, without the marks of roff."""
    page = re.sub(r"\\f[BIR]|\\&", "", page)
    for mark, letter in (("\\-", "-"), ("\\(aq", "'"), ("\\(ha", "^"), ("\\(ti", "~"), ("\\(rs", "\\")):
        page = page.replace(mark, letter)
    return page


def command_names(watchword: Command) -> list[str]:
    overview = watchword("help").stdout.decode()
    return re.findall(r"^  ([a-z-]+(?: [a-z]+)?) {2,}[a-z]", overview, re.M)


def test_a_help_that_was_read_has_every_word(watchword: Command, help_text: ModuleType) -> None:
    names = command_names(watchword)
    assert len(names) > 30
    for topic in ([], *(name.split() for name in names)):
        text = watchword("help", *topic).stdout.decode()
        told = help_text.read(text)
        words = [
            *told.about,
            "usage:",
            told.usage,
            *(part for group in told.groups for row in group.rows for part in (row.label, row.text)),
            *told.remarks,
            *(f"{number} {meaning}" for number, meaning in told.codes),
            *told.example,
        ]
        # Titles are lines of their own.
        titles = [group.title + ":" for group in told.groups if group.title]
        missing = set(text.split()) - set(" ".join([*words, *titles]).split())
        assert missing <= {"example:", "exit", "codes,", "from", "6", "on", "curl's:"}, topic


def test_a_help_of_another_form_is_refused(help_text: ModuleType) -> None:
    for text in (
        "no usage",
        "a\n\nusage: b\n\nno example",
        "a\n\nusage: b\n\n" + " " * 30 + "x\n\nexample:\n  y\n",
    ):
        with pytest.raises(help_text.Unreadable):
            help_text.read(text)
    with pytest.raises(help_text.Unreadable):
        _ = help_text.Row("no option", "text").option


def test_every_command_has_a_page_with_its_options(watchword: Command, made: Path) -> None:
    for name in command_names(watchword):
        page = plain((made / "man" / f"watchword-{name.replace(' ', '-')}.1").read_text())
        text = watchword("help", *name.split()).stdout.decode()
        options = re.findall(r"^ {2}(?:-\S, | {4})(--[\w.-]+)", text, re.M)
        assert options[-1] == "--help"
        for option in options:
            assert re.search(rf"^(-\S, )?{re.escape(option)}( .+)?$", page, re.M), (name, option)
        example = [line[2:] for line in text.split("\nexample:\n")[1].splitlines()]
        assert "\n".join(example) in page.split(".SH EXAMPLE")[1]


def test_the_page_of_the_daemon_and_that_of_its_configuration_are_whole(made: Path) -> None:
    daemon = plain((made / "man" / "watchwordd.8").read_text())
    for option in ("--socket", "--state-directory", "--configuration", "--log-level", "--idle-exit"):
        assert f"\n{option} " in daemon
    assert "\n.TP\nagent.idleLockSeconds\n" in daemon
    configuration = plain((made / "man" / "watchword.json.5").read_text())
    schema = json.loads((PROJECT / "protocol" / "configuration.json").read_text())
    for member in schema["properties"]:
        assert f"\n.TP\n{member}\n" in configuration
    for member in schema["definitions"]["OAuthSource"]["properties"]:
        assert f"\n.TP\n{member}\n" in configuration


def complete(made: Path, environment: dict[str, str], *words: str) -> list[str]:
    lines = [
        f"source {made}/watchword.bash",
        f"COMP_WORDS=({' '.join(repr(word) for word in ('watchword', *words))})",
        f"COMP_CWORD={len(words)}",
        "_watchword_with_names",
        'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)], capture_output=True, check=True, text=True, env=environment
    )
    return done.stdout.split()


@pytest.fixture
def environment(watchword: Command, directory: Path) -> dict[str, str]:
    """Of a shell that finds the command."""
    folder = directory / "bin"
    folder.mkdir()
    (folder / "watchword").symlink_to(watchword.program)
    return {**watchword.environment, "PATH": f"{folder}:/usr/bin:/bin"}


def test_bash_completes_sessions_and_challenges(
    made: Path, environment: dict[str, str], daemon: FakeDaemon
) -> None:
    challenge = str(a_challenge()["challenge"])
    assert complete(made, environment, "answer", "") == [challenge]
    assert SESSION["session"] in complete(made, environment, "sessions", "describe", "")
    assert SESSION["session"] in complete(made, environment, "fetch", "--session", "")
    # And what the command's own script completes.
    assert complete(made, environment, "fe") == ["fetch"]
    assert complete(made, environment, "sessions", "d") == ["describe"]
    assert "--cert" in complete(made, environment, "answer", "--ce")
    assert complete(made, environment, "fetch", "--persistence", "n") == ["none"]


def test_a_name_that_a_shell_would_run_is_not_offered(
    made: Path, environment: dict[str, str], daemon: FakeDaemon, directory: Path
) -> None:
    """Sessions of all uids are shown to root, and shells expand the words that they are given."""
    trap = directory / "trap"
    names = [f"$(touch {trap})", f"`touch {trap}`", f"a;touch {trap}", "*", "-o", "a\nb", "reports"]
    daemon.answers["session/list"] = lambda conversation, message: {
        "sessions": [{**SESSION, "session": name} for name in names]
    }
    assert complete(made, environment, "sessions", "describe", "") == ["reports"]
    assert complete(made, environment, "fetch", "--session", "") == ["reports"]
    assert not trap.exists()


def test_completion_starts_no_daemon(made: Path, environment: dict[str, str], directory: Path) -> None:
    socket = directory / "none" / "watchword.sock"
    environment = {**environment, "WATCHWORD_SOCKET": str(socket)}
    assert complete(made, environment, "fetch", "--session", "") == []
    assert not socket.parent.exists()


def test_zsh_and_fish_know_every_command_and_option(watchword: Command, made: Path) -> None:
    zsh, fish = ((made / name).read_text() for name in ("_watchword", "watchword.fish"))
    for name in command_names(watchword):
        of_zsh = zsh.split(f"    ('{name}')\n")[1].split(" ;;")[0]
        of_fish = [line for line in fish.splitlines() if f"-n '__watchword_is {name}' " in line]
        text = watchword("help", *name.split()).stdout.decode()
        for option in re.findall(r"^ {2}(?:-\S, | {4})--([\w.-]+)", text, re.M):
            assert f"'*--{option}[" in of_zsh, (name, option)
            assert any(f" -l {option} " in line for line in of_fish), (name, option)
    assert "'*--session[the session; created if there is none \\[default\\]]:NAME:_watchword_sessions'" in zsh
    assert "-l session -r -f -a '(__watchword_sessions)'" in fish
