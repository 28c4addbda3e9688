"""A ready handler: the person at the terminal, or in a notebook, answers."""

from __future__ import annotations

import builtins
import getpass
import logging
import os
import sys
from typing import Protocol

from ._challenges import (
    Answer,
    Challenge,
    DeviceCode,
    cancel,
    perform_default_handling,
    trust_certificate,
    use_credential,
    use_passphrase,
    use_token,
)
from ._credentials import Persistence
from ._errors import printable
from ._terminal import terminal_turn
from ._trust import ServerTrust

__all__ = ["ask"]

logger = logging.getLogger("watchword")

#: Of what a server chose, so much is shown.
LONGEST_SHOWN = 200
_USUAL_PORTS = {"http": 80, "https": 443}


class Person(Protocol):
    """Who is asked, and how."""

    def show(self, text: str) -> None:
        """One line."""

    def line(self, question: str) -> str:
        """What is typed; EOFError when nothing will be."""

    def secret(self, question: str) -> str:
        """What is typed and not shown."""


class PersonHandler:
    """A challenge handler that asks the person at this process's terminal, or in the notebook that it runs in.

    User and password, token, passphrase of a lock, an untrusted certificate, and the use of a credential that waits
    for confirmation. An empty user and ^D cancel the challenge. Other programs that ask at the terminal wait. Without
    anybody to ask, the challenge gets default handling: a 401 is delivered then.
    """

    def __call__(self, challenge: Challenge) -> Answer | None:
        person = _person()
        if person is None:
            # Which certificate is presented, nobody is asked anyway.
            if challenge.authentication_method != "clientCertificate":
                logger.warning("no terminal to ask at: %s", _question(challenge))
            return perform_default_handling()
        try:
            with terminal_turn():
                return _answer(person, challenge)
        except EOFError:
            person.show("")
            return cancel()

    @property
    def runs_apart(self) -> bool:
        """Whether asyncio runs it in a thread: a person takes their time. The front end of a notebook has one only."""
        return not _is_notebook()

    def __repr__(self) -> str:
        return "watchword.ask"


def _answer(person: Person, challenge: Challenge) -> Answer | None:
    if challenge.device_code is not None:
        _show_code(person, challenge.device_code)
        return None
    if challenge.server_trust is not None:
        return _ask_for_trust(person, challenge, challenge.server_trust)
    if (challenge.error or {}).get("kind") == "confirmUse":
        return _ask_for_use(person, challenge)
    method = challenge.authentication_method
    if method == "clientCertificate":
        return perform_default_handling()
    if method == "agentUnlock":
        return use_passphrase(person.secret("lock: Passphrase: "))
    if method == "bearer":
        return use_token(person.secret(f"{place(challenge)}: Token: "))
    return _ask_for_password(person, challenge)


def _question(challenge: Challenge) -> str:
    """What would have been asked."""
    trust = challenge.server_trust
    if trust is None:
        return place(challenge)
    return f"{place(challenge)}: {shown(', '.join(reason.sentence for reason in trust.reasons))}"


def _ask_for_password(person: Person, challenge: Challenge) -> Answer:
    proposed = challenge.proposed_credential.user if challenge.proposed_credential else None
    hint = f" [{shown(proposed)}]" if proposed else ""
    user = person.line(f"{place(challenge)}: User{hint}: ") or proposed
    if not user:
        return cancel()
    return use_credential(user, person.secret(f"{place(challenge)}: Password for {shown(user)}: "))


def _ask_for_use(person: Person, challenge: Challenge) -> Answer:
    process = (challenge.error or {}).get("process")
    user = challenge.proposed_credential.user if challenge.proposed_credential else None
    whose = f"the credential of {shown(user)}" if user else "a stored credential"
    who = f"process {process}" if isinstance(process, int) else "an unknown process"
    allowed = _is_yes(person, f"{place(challenge)}: {who} would use {whose}. Allow it? [yes/no]: ")
    return perform_default_handling() if allowed else cancel()


def _ask_for_trust(person: Person, challenge: Challenge, trust: ServerTrust) -> Answer:
    if trust.is_trusted:
        return perform_default_handling()
    person.show(f"{place(challenge)}: the server's certificate failed verification:")
    for reason in trust.reasons:
        person.show(f"  {shown(reason.sentence)}")
    if trust.certificate is not None:
        person.show(f"  subject {shown(trust.certificate.subject)}, issuer {shown(trust.certificate.issuer)}")
        person.show(f"  public key {shown(trust.certificate.public_key)}")
    if _is_yes(person, "Accept it for this session? [yes/no]: "):
        return trust_certificate(persistence=Persistence.FOR_SESSION)
    return perform_default_handling()  # the verdict decides


def _is_yes(person: Person, question: str) -> bool:
    """Only the whole word counts."""
    return person.line(question).strip().lower() == "yes"


def _show_code(person: Person, code: DeviceCode) -> None:
    person.show(f"open {shown(code.verification_uri)} and enter the code {shown(code.user_code)}")


def place(challenge: Challenge) -> str:
    """What asks, as askpass programs are told (messages.md 16.3)."""
    space = challenge.protection_space
    port = "" if space.port == _USUAL_PORTS.get(space.protocol) else f":{space.port}"
    host = f"[{space.host}]" if ":" in space.host else space.host
    told = [space.authentication_method]
    if space.realm:
        realm = space.realm.replace("\\", "\\\\").replace('"', '\\"')
        told.append(f'realm "{shown(realm)}"')
    if space.is_proxy:
        told.append("proxy")
    if challenge.host_field is not None:
        told.append(f"to {shown(challenge.host_field)}")
    if challenge.proxy is not None:
        told.append(f"through {shown(challenge.proxy)}")
    told += [_way(way) for way in challenge.callers_ways]
    if space.receives_credential_securely is False:
        told.append("over cleartext")
    if (challenge.error or {}).get("kind") == "weakerOffer":
        told.append("weaker than before")
    if challenge.previous_failure_count:
        told.append("refused before")
    return f"{space.protocol}://{shown(host)}{port} ({', '.join(told)})"


def _way(way: str) -> str:
    return "accepted certificate" if way == "acceptedCertificate" else f"{shown(way)} of the session"


def shown(text: str) -> str:
    """Text that others chose, as a terminal may get it."""
    return printable(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


def _person() -> Person | None:
    if _is_notebook():
        return Notebook()
    try:
        with open("/dev/tty", "w"):
            return AtTerminal()
    except OSError:
        return None


def _is_notebook() -> bool:
    """Whether a kernel runs this process: it has replaced ``input`` and ``getpass`` by questions to its front end."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class Notebook:
    """The person in front of a notebook."""

    def show(self, text: str) -> None:
        print(text)

    def line(self, question: str) -> str:
        return builtins.input(question)

    def secret(self, question: str) -> str:
        return getpass.getpass(question)


class AtTerminal:
    """The person at /dev/tty, whatever the standard streams are."""

    def show(self, text: str) -> None:
        self._write(f"{text}\n")

    def line(self, question: str) -> str:
        self._write(question)
        with open("/dev/tty", errors="surrogateescape") as terminal:
            typed = terminal.readline()
        if not typed:
            raise EOFError
        return typed.rstrip("\n")

    def secret(self, question: str) -> str:
        return getpass.getpass(question)  # by way of /dev/tty, which is there

    def _write(self, text: str) -> None:
        descriptor = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            os.write(descriptor, text.encode("utf-8", "replace"))
        finally:
            os.close(descriptor)


ask = PersonHandler()
