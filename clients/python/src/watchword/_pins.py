"""A ready-made handler that holds servers to their keys."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Mapping

from ._challenges import (
    Answer,
    Challenge,
    ChallengeHandler,
    cancel,
    perform_default_handling,
    trust_public_key,
)
from ._credentials import Persistence
from ._errors import InvalidArgument

__all__ = ["PinHandler", "pin_handler"]

_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PIN = re.compile(r"sha256/[A-Za-z0-9+/]{43}=")


class PinHandler:
    """Made by ``pin_handler``. Sessions ask it about good certificates, too."""

    trust_verdicts = "all"

    def __init__(
        self,
        pins: Mapping[str, Collection[str]],
        excuse: Collection[str],
        persistence: Persistence | str,
        otherwise: ChallengeHandler | None,
    ) -> None:
        for host, keys in pins.items():
            if isinstance(keys, str) or not keys or not all(_PIN.fullmatch(key) for key in keys):
                raise InvalidArgument(f"the pins of {host} are a list of sha256/ and base64 each")
        self._pins = {_host(host): frozenset(keys) for host, keys in pins.items()}
        self._excuse = frozenset(excuse)
        self._persistence = persistence
        self._otherwise = otherwise

    def __call__(self, challenge: Challenge) -> Answer | None:
        trust = challenge.server_trust
        pins = self._pins.get(_host(challenge.protection_space.host))
        if trust is None or pins is None:
            return perform_default_handling() if self._otherwise is None else self._otherwise(challenge)
        if trust.public_key not in pins:
            return cancel()
        if not trust.is_trusted and self._excuse.issuperset(fault.reason for fault in trust.reasons):
            return trust_public_key(persistence=self._persistence)
        return perform_default_handling()


def _host(text: str) -> str:
    """As challenges name it: a pin that no host could match would pin nothing."""
    host = text.lower()
    host = host[:-1] if host.endswith(".") else host
    # A last label of digits is for an address, in whatever form; challenges have the usual one.
    if _NAME.fullmatch(host) and not _NUMBER.fullmatch(host.rpartition(".")[2]):
        return host
    try:
        return str(ipaddress.ip_address(host[1:-1] if host.startswith("[") and host.endswith("]") else host))
    except ValueError:
        raise InvalidArgument(
            f"{text!r} is no host name in ASCII and no address: no port, no pattern and no URL is one"
        ) from None


def pin_handler(
    pins: Mapping[str, Collection[str]],
    *,
    excuse: Collection[str] = ("unknownIssuer", "selfSigned"),
    persistence: Persistence | str = Persistence.NONE,
    otherwise: ChallengeHandler | None = None,
) -> PinHandler:
    """A handler for ``on_challenge`` that lets each host of ``pins`` have one of its keys only (``sha256/…``).

    The right key excuses the reasons in ``excuse`` and no others: an expired certificate stays refused. Another key
    fails with ServerTrustRejected however good its certificate is. ``otherwise`` answers for other hosts and methods;
    default handling does where there is none. In a session that other programs share, a chain that one of them has
    accepted raises no challenge: there give the session ``tls.pins`` with ``excusable`` false (messages.md 14.3).
    """
    return PinHandler(pins, excuse, persistence, otherwise)
