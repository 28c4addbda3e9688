"""Challenges of a real run, kept in a file without secrets, to be put to a handler again."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from .._challenges import Answer, Challenge, ChallengeHandler, read_challenge
from .._credentials import Credential
from .._errors import InvalidArgument, ProtocolError

__all__ = ["Recording", "record"]

#: A larger file is no recording.
LARGEST_FILE = 64 << 20


def record(handler: ChallengeHandler, path: str | os.PathLike[str]) -> ChallengeHandler:
    """The handler, which writes each challenge and what was answered behind the others of a file.

    Of an answer only the disposition and the user are kept; of a URL no query; of a device's code nothing.
    """

    def recording(challenge: Challenge) -> Answer | None:
        answer = handler(challenge)
        line = json.dumps({"challenge": _without_secrets(challenge.wire), **_told(answer)})
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with open(descriptor, "a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        return answer

    return recording


def _without_secrets(wire: Any) -> dict[str, Any]:
    kept = {**wire, "url": str(wire.get("url")).partition("?")[0]}
    space = {**kept["protectionSpace"]}
    hidden = ("userCode", "verificationUriComplete")
    space["parameters"] = {
        name: "…" if name in hidden else value for name, value in (space.get("parameters") or {}).items()
    }
    return {**kept, "protectionSpace": space}


def _told(answer: Answer | None) -> dict[str, Any]:
    """What can be compared of an answer."""
    if answer is None:
        return {"disposition": None}
    user = answer.credential.user if isinstance(answer.credential, Credential) else None
    return {"disposition": answer.disposition.value, **({} if user is None else {"user": user})}


@dataclass(frozen=True)
class Recording:
    """The challenges of a run, in order, and how they were answered."""

    challenges: Sequence[Challenge]
    answers: Sequence[dict[str, Any]]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """Reads what ``record`` has written."""
        if os.stat(path).st_size > LARGEST_FILE:
            raise InvalidArgument(f"{os.fspath(path)} has more than {LARGEST_FILE} bytes")
        challenges, answers = [], []
        for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
            try:
                entry = json.loads(line)
                challenges.append(read_challenge(entry.pop("challenge")))
            except (ValueError, TypeError, AttributeError, KeyError, ProtocolError):
                raise InvalidArgument(f"{os.fspath(path)}: line {number} is no recorded challenge") from None
            answers.append(entry)
        return cls(challenges, answers)

    def replay(self, handler: Callable[[Challenge], Answer | None]) -> None:
        """Puts the challenges to a handler; AssertionError where it answers in another way than it did."""
        for number, (challenge, before) in enumerate(zip(self.challenges, self.answers), 1):
            now = _told(handler(challenge))
            if now != before:
                raise AssertionError(f"challenge {number} ({challenge}): recorded {before}, now {now}")
