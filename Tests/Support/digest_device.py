"""Devices with a Digest of their own, such as cameras: nonces that belong to connections or serve once."""

from __future__ import annotations

from dataclasses import dataclass, field

from Support.exchange import Exchange, Script
from Support.guards import DigestGuard, parameters_of
from Support.scripted_origin import Gate


@dataclass
class DigestDevice:
    """Takes a nonce only on the connection on which it gave it, if `binds`.

    One that has served is answered with `reuse_status`, if that is given.
    """

    ORIGIN = ("Authorization", "WWW-Authenticate", 401)
    PROXY = ("Proxy-Authorization", "Proxy-Authenticate", 407)

    guard: DigestGuard
    names: tuple[str, str, int] = ORIGIN
    binds: bool = True
    #: Whether a nonce of another connection is called stale.
    says_stale: bool = False
    reuse_status: int | None = None
    #: Where each nonce was given.
    places: dict[str, int] = field(default_factory=dict)
    #: Right answers with the nonce of another connection.
    misplaced: int = 0
    #: Answers with a nonce that has served.
    reused: int = 0

    async def __call__(self, exchange: Exchange) -> None:
        """Serves a page to requests that pass."""
        await self._answer(exchange, 200)

    def held(self, gate: Gate) -> Script:
        """Serves a page to requests that pass once the gate is open; until then each takes a connection."""

        async def script(exchange: Exchange) -> None:
            await self._answer(exchange, 200, gate)

        return script

    async def forbidding(self, exchange: Exchange) -> None:
        """Forbids a page to requests that pass."""
        await self._answer(exchange, 403)

    async def _answer(self, exchange: Exchange, success: int, gate: Gate | None = None) -> None:
        asked, challenge, refusal = self.names
        request = exchange.request
        value = request.header(asked)
        stale = False
        if value is not None:
            request.headers.append(("Authorization", value))
            given = parameters_of(value)
            nonce = given["nonce"]
            if self.binds and self.places.get(nonce) != request.connection:
                self.misplaced += 1
                stale = self.says_stale
            elif self.reuse_status is not None and self.guard.issued.get(nonce, 0) > 0:
                self.reused += 1
                return await exchange.respond(self.reuse_status, [], b"not again")
            elif self.guard.passes(request):
                if gate is not None:
                    await gate.opened()
                return await exchange.respond(success, self.guard.fields_of_success(request), b"page")
        offered = self.guard.challenge(stale)
        self.places[parameters_of(offered)["nonce"]] = request.connection
        return await exchange.respond(refusal, [(challenge, offered)], b"who goes there?")
