"""The README's programs, one after the other as a reader pastes them, against one daemon."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from development_server import DevelopmentServer
from Support.pages import programs

README = Path(__file__).parents[2] / "README.md"


def test_the_programs_of_the_readme_work_when_pasted(
    daemon: str, origin: str, development_server: DevelopmentServer
) -> None:
    def with_our_servers(program: str) -> str:
        program = program.replace("http://127.0.0.1:8401", origin)
        program = program.replace("https://localhost:8443", development_server.url)
        return program.replace("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", development_server.pin)

    printed = [
        subprocess.run(
            [sys.executable, "-c", with_our_servers(program)],
            env={**os.environ, "WATCHWORD_SOCKET": daemon},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for program in programs(README, "python")
    ]
    welcome = "digest: welcome, reader\n"
    asked = f"asked: {origin} digest \N{LEFT DOUBLE QUOTATION MARK}digest demo\N{RIGHT DOUBLE QUOTATION MARK}\n"
    trusted = "asked: CN=dev: selfSigned (certificate 0)\nfine\n\nfine\n\n"
    assert printed == [f"{asked}{welcome}\n200\n", f"{[200] * 64}\n", trusted, f"{welcome}\n", f"{welcome}\n"]
