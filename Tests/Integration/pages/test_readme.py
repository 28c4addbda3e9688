"""Every command and program of README.md, as a reader pastes it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator

import pytest

from Support.daemon import PROJECT, program
from Support.pages import Reader, Section, all_pages, blocks

PAGE = PROJECT / "README.md"
CONTRIBUTING = PROJECT / ".github" / "CONTRIBUTING.md"
#: These take minutes and install packages: Tests/bare pastes them, into a system of its own.
ON_A_BARE_SYSTEM = ["clients/demo\n", "Tests/run\n"]


@pytest.fixture
def person() -> Iterator[Reader]:
    """Has installed nothing yet."""
    made = Reader(user="reader", password="open sesame")
    made.environment["PATH"] = f"{made.programs}:/usr/bin:/bin"
    del made.environment["PYTHONPATH"]
    yield made
    made.leave()


def test_what_the_readme_says_works_when_pasted(person: Reader, demo: str) -> None:
    built = person.home / "built"
    built.mkdir()
    for name in ("watchword", "watchwordd"):
        (built / name).symlink_to(program(name))
    person.add_program("sudo", '#!/bin/sh\nexec "$@"\n')
    person.add_program("python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    # pip reaches its packages as on this machine.
    person.environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    # A copy: the package is built in its folder.
    shutil.copytree(PROJECT / "clients" / "python", person.home / "clients" / "python")
    section = Section(PAGE, "Install", person)
    section.names = {"$(clients/release)": str(built), "/usr/local/bin": str(person.programs)}
    assert section.text("sh") == ON_A_BARE_SYSTEM[0]
    section.shell()
    section.finish()
    assert not (person.programs / "watchword").is_symlink()
    person.python = f"{person.home}/watchword-python/bin/python"

    section = Section(PAGE, "Try it", person)
    section.names = {"http://127.0.0.1:8401": demo}
    printed = section.shell()
    welcome = "basic: welcome, reader\n"
    assert printed.startswith(2 * welcome + f'reader at {demo} basic "basic demo"')
    assert printed.count(welcome) == 3, "the job fetches, too"
    assert len(person.prompts) == 2, "user and password, once"
    assert "open sesame" not in printed
    assert section.python() == f"asked: {demo} digest “digest demo”\n" + 2 * "digest: welcome, reader\n\n"
    section.finish()


def test_the_other_commands_are_those_of_the_bare_system() -> None:
    others = [block.text for block in blocks(PAGE) if block.heading == "Tests"]
    assert others == ON_A_BARE_SYSTEM[1:]
    assert [block.text for block in blocks(CONTRIBUTING)] == ON_A_BARE_SYSTEM
    bare = (PROJECT / "Tests" / "bare").read_text()
    assert f"commands=({' '.join(text.strip() for text in ON_A_BARE_SYSTEM)})" in bare
    pasted = {"Install", "Try it", "Tests"}
    assert {block.heading for block in blocks(PAGE) if block.language} == pasted


def test_the_readme_names_every_library_of_the_table() -> None:
    table = (PROJECT / "Sources" / "dependencies.md").read_text().split("\n\n")[2].splitlines()[2:]
    libraries = [
        name
        for row in table
        for name in re.split(r", | and ", row.split("|")[1].replace("(Debian)", "").strip())
    ]
    assert len(libraries) > 10
    text = PAGE.read_text().split("## Libraries")[1]
    assert [name for name in libraries if not re.search(rf"\b{re.escape(name)}\b", text)] == []


def test_every_page_with_commands_is_pasted() -> None:
    """By the tests beside this one, test_client_guide.py and test_readme.py of the Python client.

    Those of the packages are pasted by hand.
    """
    found = {name: blocks(PROJECT / name) for name in all_pages()}
    assert {
        name for name, texts in found.items() if any(text.language in ("sh", "python") for text in texts)
    } == {
        "README.md",
        ".github/CONTRIBUTING.md",
        "clients/cookbook.md",
        "clients/packages/README.md",
        "clients/python/README.md",
        "clients/shell/README.md",
        "protocol/client-guide.md",
    }
