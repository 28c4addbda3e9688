"""Modules that would make the programs several times as large, and which one call brings in unnoticed."""

from __future__ import annotations

import subprocess

import pytest

from Support.daemon import program

#: As they are in mangled names: Swift's regular expressions, with every `contains` of a text, and Foundation.
UNWANTED = ("17_StringProcessing", "10Foundation", "20FoundationEssentials")


@pytest.mark.parametrize("name", ["watchwordd", "watchword"])
def test_no_code_needs_them(name: str) -> None:
    command = ["nm", "--dynamic", "--undefined-only", str(program(name))]
    # A program that is linked statically has nothing to list.
    needed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    assert [line.strip() for line in needed if any(module in line for module in UNWANTED)] == []
