"""The contract, read from its files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import schema
from .faults import ContractFault

TOP = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class DataMember:
    """A member that the errors of one kind have in `data`, beside `kind` and `retry`."""

    name: str
    type: str
    #: What the elements of an array are.
    items: str | None
    #: Of `openrpc.json`; the value is a word of one of them.
    enumerations: tuple[str, ...]
    description: str
    #: Whether some errors of the kind do not have it.
    is_optional: bool


@dataclass(frozen=True)
class ErrorRow:
    """One row of `errors.json`."""

    code: int
    kind: str
    meaning: str
    retry: str
    #: What a person does about it.
    remedy: str
    #: With which a command-line client ends.
    exit_status: int
    data: tuple[DataMember, ...]


@dataclass(frozen=True)
class ExitStatus:
    """One row of `exit-statuses.json`."""

    status: int
    meaning: str
    #: What a person does about it.
    remedy: str


class WithoutRemedy(ContractFault):
    """A row says what happened, and not what to do."""


class Unreadable(ContractFault):
    """A file of the contract cannot be read:"""


def document() -> dict[str, Any]:
    """`openrpc.json`, with the parameters of a method where `x-paramsOf` says that another has the same."""
    value: dict[str, Any] = _json("openrpc.json")
    methods = {method.get("name"): method for method in value["methods"]}
    for method in value["methods"]:
        if (other := method.get("x-paramsOf")) is None:
            continue
        if other not in methods:
            raise Unreadable(f"openrpc.json: {method['name']} takes those of {other}, which is no method")
        method["params"] = methods[other]["params"]
    return value


def configuration() -> dict[str, Any]:
    """`configuration.json`."""
    value: dict[str, Any] = _json("configuration.json")
    return value


def _json(name: str) -> Any:
    try:
        return json.loads(page(name))
    except ValueError as fault:
        raise Unreadable(f"{name}: {fault}") from None


def pages() -> dict[str, str]:
    """The pages with rules by their paths from the top."""
    names = [f"protocol/{name}" for name in schema.RULES]
    return {name: (TOP / name).read_text("utf-8") for name in names}


def page(name: str) -> str:
    """A page of `protocol` by its name."""
    return (TOP / "protocol" / name).read_text("utf-8")


def security_tests() -> dict[str, list[str]]:
    """What checks each rule of `security.md`, by its number."""
    value: dict[str, list[str]] = _json("security-tests.json")
    return value


def transcripts() -> dict[str, str]:
    """The transcripts of `examples` by the names of their files."""
    files = sorted((TOP / "protocol/examples").glob("*.jsonl"))
    return {file.name: file.read_text("utf-8") for file in files}


def errors() -> list[ErrorRow]:
    rows = _json("errors.json")
    return [
        ErrorRow(
            row["code"],
            row["kind"],
            row["meaning"],
            row["retry"],
            _remedy(row, row["kind"]),
            row.get("exitStatus", 1),
            tuple(
                DataMember(
                    name,
                    member["type"],
                    member.get("items"),
                    tuple(member.get("enumerations", ())),
                    member["description"],
                    member.get("optional", False),
                )
                for name, member in row.get("data", {}).items()
            ),
        )
        for row in rows
    ]


def exit_statuses() -> list[ExitStatus]:
    rows = _json("exit-statuses.json")
    return [
        ExitStatus(row["status"], row["meaning"], _remedy(row, f"exit status {row['status']}"))
        for row in rows
    ]


def _remedy(row: dict[str, Any], name: str) -> str:
    remedy = row.get("remedy")
    if not isinstance(remedy, str) or not remedy.strip():
        raise WithoutRemedy(name)
    return remedy
