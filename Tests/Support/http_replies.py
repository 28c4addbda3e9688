"""Broken and odd replies of other projects' suites: `Tests/Vectors/http_replies.json`."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "Vectors" / "http_replies.json"


@dataclass(frozen=True)
class OddReply:
    """`succeeds` is what clients agree on; None where they do not."""

    name: str
    data: bytes
    closes: bool
    succeeds: bool | None


def _data(case: dict[str, Any]) -> bytes:
    data = base64.b64decode(case["reply"])
    if filler := case.get("filler"):
        repeated = base64.b64decode(filler["bytes"]) * filler["times"]
        data = data[: filler["offset"]] + repeated + data[filler["offset"] :]
    return data


def _reply(case: dict[str, Any]) -> OddReply:
    agreed = case["level"] == "should"
    name = f"{case['id']} {case['name']}"
    return OddReply(name, _data(case), case["close"], case["expect"] == "ok" if agreed else None)


ODD_REPLIES = [_reply(case) for case in json.loads(FILE.read_text())["cases"]]
