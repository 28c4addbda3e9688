"""What a caller of another library wants of TLS, which a session of its own fulfils."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable
from weakref import WeakKeyDictionary

from .._challenges import Challenge, perform_default_handling, trust_certificate, use_credential
from .._conversation import Conversation
from .._delegate import Delegate
from .._errors import InvalidArgument, WatchwordError
from .._identities import Identity
from .._opening import Opening
from .._roots import blocks_of, text_of, with_roots
from .._session import Session

__all__ = ["NO_WISH", "Siblings", "Wish", "opening_of", "read_wish"]

#: Sessions that one adapter has beside its own; the one used longest ago is closed.
MOST_SIBLINGS = 16
_BLOCKS = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----\s*", re.DOTALL)


@dataclass(frozen=True)
class Wish:
    """Roots instead of the system's, no verification, a client certificate, or who answers Digest."""

    roots: str | None = None
    verifies: bool = True
    identity: Identity | None = None
    #: User and password.
    digest: tuple[str, str | bytes] | None = None


NO_WISH = Wish()


def read_wish(verify: Any, cert: Any) -> Wish:
    """Of ``verify`` and ``cert``. OSError as the libraries raise it, for files that cannot be read."""
    identity = None if not cert else _identity(cert)
    if isinstance(verify, (str, os.PathLike)):
        return Wish(roots=blocks_of(verify), identity=identity)
    if verify is not None and not isinstance(verify, bool):
        kind = type(verify).__name__
        raise InvalidArgument(f"the daemon does TLS and cannot use an {kind}: give verify the file of its roots")
    return Wish(verifies=verify is not False, identity=identity)


def _identity(cert: Any) -> Identity:
    files = (cert,) if isinstance(cert, (str, os.PathLike)) else tuple(cert)
    if not 1 <= len(files) <= 3:
        raise InvalidArgument("cert is a file, or the files of the certificate and its key, perhaps with a passphrase")
    certificates, key = text_of(files[0]), text_of(files[min(1, len(files) - 1)])
    passphrase = files[2] if len(files) == 3 else None
    return Identity.from_pem(_blocks(certificates, "CERTIFICATE"), _blocks(key, "PRIVATE KEY"), passphrase)


def _blocks(text: str, kind: str) -> str:
    """The parts of a PEM file: the key may be in the certificate's."""
    return "".join(block[0] for block in _BLOCKS.finditer(text) if block[1].endswith(kind))


def opening_of(wish: Wish, base: Opening) -> Opening:
    """How a session like ``base`` is opened that fulfils the wish.

    Where ``base`` has a name, it is named after its settings: another program with the same wish meets the same
    passwords again. No other session shares them, since a caller's root could lead them to a server of its own. A
    client certificate and a password are no settings: their session is this connection's own.
    """
    settings = base.configuration if wish.roots is None else with_roots(base.configuration, wish.roots)
    variant = None
    if base.name is not None and wish.identity is None and wish.digest is None:
        variant = f"beside {base.name}" if wish.verifies else f"unverified beside {base.name}"
    delegate = base.delegate if wish.verifies else _trusting(base.delegate)
    if wish.digest is not None:
        delegate = _knowing(delegate, *wish.digest)
    return Opening(None, settings, delegate, by_settings=variant is not None, variant=variant)


def _trusting(delegate: Delegate) -> Delegate:
    """Accepts any certificate, for the fetch that meets it; other questions are the handler's."""
    handler = delegate.on_challenge
    methods = ("serverTrust",) if handler is None else (*delegate.methods, "serverTrust")

    def answer(challenge: Challenge) -> Any:
        if challenge.server_trust is not None:
            return trust_certificate()
        return perform_default_handling() if handler is None else handler(challenge)

    listed = ("*",) if "*" in methods else methods
    return Delegate(answer, listed, on_redirect=delegate.on_redirect, trust_verdicts="refused")


def _knowing(delegate: Delegate, user: str, password: str | bytes) -> Delegate:
    """Answers Digest with the caller's user and password, which are refused at most once for a request."""
    handler = delegate.on_challenge

    def answer(challenge: Challenge) -> Any:
        space = challenge.protection_space
        if space.authentication_method == "digest" and not space.is_proxy:
            is_refused = challenge.previous_failure_count > 0
            return perform_default_handling() if is_refused else use_credential(user, password)
        return perform_default_handling() if handler is None else handler(challenge)

    methods = delegate.methods if handler is not None else ()
    listed = ("*",) if "*" in methods else tuple({*methods, "digest"})
    return Delegate(answer, listed, on_redirect=delegate.on_redirect, trust_verdicts=delegate.trust_verdicts)


class Siblings:
    """The sessions beside one that fulfil wishes."""

    def __init__(self, session: Session | Callable[[], Session]) -> None:
        self._given = session
        self._opened: OrderedDict[Wish, Session] = OrderedDict()
        #: Where each one's client certificate is known.
        self._presented: WeakKeyDictionary[Session, Conversation] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def session_for(self, wish: Wish) -> Session:
        """The session itself where nothing is wished."""
        if wish == NO_WISH:
            return self._session()
        with self._lock:
            session = self._opened.pop(wish, None) or self._open(wish)
            self._opened[wish] = session
            if wish.identity is not None:
                self._present(wish.identity, session)
            if len(self._opened) > MOST_SIBLINGS:
                _leave(self._opened.popitem(last=False)[1])
        return session

    def _session(self) -> Session:
        return self._given if isinstance(self._given, Session) else self._given()

    def __str__(self) -> str:
        return repr(self._given.id) if isinstance(self._given, Session) else "of its own"

    def _open(self, wish: Wish) -> Session:
        base = self._session()
        return base._open_beside(opening_of(wish, base._core.opening))

    def _present(self, identity: Identity, session: Session) -> None:
        """Once for each daemon: one that was restarted has forgotten it."""
        session._connection.ready()
        conversation = session._core.conversation
        if self._presented.get(session) is not conversation:
            session.add_identity(identity)
            self._presented[session] = conversation

    def close(self) -> None:
        """Leaves them."""
        self.leave()()

    def leave(self) -> Callable[[], None]:
        """Opens others from now on; the function leaves those until now."""
        with self._lock:
            opened, self._opened = self._opened, OrderedDict()

        def close() -> None:
            while opened:
                _leave(opened.popitem()[1])

        return close

    def opener(self) -> Callable[[], Session]:
        """The function that opens the session, for a copy in another process. TypeError where there is none."""
        if isinstance(self._given, Session):
            raise TypeError("a session of a watchword.Client belongs to its process and cannot be pickled")
        return self._given


def _leave(session: Session) -> None:
    try:
        session.close()
    except WatchwordError:
        pass  # it ended with its client
