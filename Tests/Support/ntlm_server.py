"""An NTLM server: `pyspnego` judges the tokens of each connection (MS-NLMP)."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from pathlib import Path

import spnego
import spnego.channel_bindings

from Support.exchange import Exchange


@dataclass
class NTLMServer:
    """Authenticates connections; a request on one that is authenticated needs no token.

    The library reads lines `DOMAIN:user:password` from the file in the environment's NTLM_USER_FILE.
    `scheme` is `NTLM`, or `Negotiate` for NTLM inside SPNEGO.
    """

    scheme: str = "NTLM"
    binding: bytes | None = None
    body: bytes = b"the watchword is known\n"
    #: Fields of every refusal.
    fields: tuple[tuple[str, str], ...] = ()
    contexts: dict[int, spnego.ContextProxy] = field(default_factory=dict)
    refused: int = 0
    bodies: list[tuple[str, int]] = field(default_factory=list)

    async def __call__(self, exchange: Exchange) -> None:
        connection = exchange.connection.number
        content = await exchange.read_body() if exchange.request.method == "POST" else b""
        given = exchange.request.authorization or ""
        context = self.contexts.get(connection)
        if context is not None and context.complete and not given:
            return await exchange.respond(200, body=self.body)
        if not given.startswith(self.scheme + " "):
            return await exchange.respond(
                401, [("WWW-Authenticate", self.scheme), *self.fields], b"who are you?"
            )
        self.bodies.append((exchange.request.method, len(content)))
        token = base64.b64decode(given.partition(" ")[2])
        if context is None or context.complete:
            bindings = None
            if self.binding is not None:
                data = b"tls-server-end-point:" + self.binding
                bindings = spnego.channel_bindings.GssChannelBindings(application_data=data)
            kinds = spnego.NegotiateOptions
            context = (
                spnego.server(protocol="ntlm", channel_bindings=bindings, options=kinds.use_ntlm)
                if self.scheme == "NTLM"
                else spnego.server(
                    protocol="negotiate", channel_bindings=bindings, options=kinds.use_negotiate
                )
            )
            self.contexts[connection] = context
        try:
            answer = context.step(token)
        except spnego.exceptions.SpnegoError:
            self.refused += 1
            del self.contexts[connection]
            return await exchange.respond(401, [("WWW-Authenticate", self.scheme), *self.fields], b"no")
        text = f"{self.scheme} {base64.b64encode(answer).decode()}" if answer else None
        if context.complete:
            fields = [("WWW-Authenticate", text)] if text else []
            return await exchange.respond(200, fields, self.body)
        await exchange.respond(401, [("WWW-Authenticate", text or self.scheme), *self.fields], b"")


def user_file(path: Path, domain: str, user: str, password: str) -> Path:
    path.write_text(f"{domain}:{user}:{password}\n")
    return path
