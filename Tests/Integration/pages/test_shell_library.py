"""The blocks of clients/shell/README.md, as a reader pastes them into bash or dash."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from Integration.sentinels import PASSWORD, USER
from Support.daemon import PROJECT
from Support.guards import BasicGuard, guarded
from Support.pages import Reader, Section
from Support.scripted_origin import ScriptedOrigin

PAGE = PROJECT / "clients" / "shell" / "README.md"
LIBRARY = PROJECT / "clients" / "shell" / "watchword.sh"


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_the_library_works_when_pasted(
    reader: Reader, origins: Callable[..., ScriptedOrigin], demo: str, shell: str
) -> None:
    origin = origins()
    origin.serve("/q3.csv", guarded(BasicGuard("staff", USER, PASSWORD)))
    reader.shell = shell
    reader.watchword("sessions")
    shutil.copy(LIBRARY, reader.home)
    folder = reader.home / "clients" / "shell"
    folder.mkdir(parents=True)
    shutil.copy(LIBRARY, folder)
    section = Section(PAGE, "Watchword for shell scripts", reader)
    section.names = {"https://intranet.example": origin.url, "http://127.0.0.1:8401": demo}
    assert section.shell() == ""
    assert (reader.home / "q3.csv").read_text() == "the watchword is known\n"
    reader.answer(password="open sesame")
    printed = section.shell()
    assert printed.startswith(2 * "basic: welcome, reader\n")
    assert f'reader\t{demo} basic "basic demo"' in printed
    assert len(reader.prompts) == 4, "user and password, once for each server"
    section.finish()
