"""Who answers for a session of one connection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable

from ._challenges import Challenge
from ._redirects import RedirectProposal

__all__ = ["Delegate"]


class Delegate:
    """The functions that answer for one session of this connection."""

    __slots__ = ("methods", "on_challenge", "on_redirect", "on_session_challenge", "session_methods", "trust_verdicts")

    def __init__(
        self,
        on_challenge: Callable[[Challenge], Any] | None = None,
        methods: Sequence[str] = ("*",),
        on_session_challenge: Callable[[Challenge], Any] | None = None,
        session_methods: Sequence[str] = ("*",),
        on_redirect: Callable[[RedirectProposal], Any] | None = None,
        trust_verdicts: str | None = None,
    ) -> None:
        self.on_challenge = on_challenge
        self.methods = tuple(methods) if on_challenge else ()
        self.on_session_challenge = on_session_challenge
        self.session_methods = tuple(session_methods) if on_session_challenge else ()
        self.on_redirect = on_redirect
        self.trust_verdicts = trust_verdicts or self._usual_verdicts()

    def _usual_verdicts(self) -> str | None:
        """What is asked about certificates by default: a handler of passwords is not asked about good ones."""
        for handler in (self.on_challenge, self.on_session_challenge):
            own = getattr(handler, "trust_verdicts", None)
            if isinstance(own, str):
                return own
        listed = (*self.methods, *self.session_methods)
        return "refused" if "*" in listed and "serverTrust" not in listed else None

    @property
    def asks(self) -> bool:
        """Whether anything can be asked, so that tasks need ids that we know before they are answered."""
        return bool(self.on_challenge or self.on_session_challenge or self.on_redirect)
