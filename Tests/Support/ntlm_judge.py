"""NTLM at a proxy: `pyspnego` judges the tokens of each connection (MS-NLMP)."""

from __future__ import annotations

import base64
import threading
from dataclasses import dataclass, field

import spnego

from Support.relaying_proxy import ProxyRequest, Verdict


@dataclass
class NTLMJudge:
    """Lets a connection through whose three messages are right, and every later request on it.

    The library reads lines `DOMAIN:user:password` from the file in the environment's NTLM_USER_FILE.
    """

    scheme: str = "NTLM"
    contexts: dict[int, spnego.ContextProxy] = field(default_factory=dict)
    refused: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: ProxyRequest) -> Verdict:
        with self._lock:
            return self._judge(request)

    def _judge(self, request: ProxyRequest) -> Verdict:
        context = self.contexts.get(request.connection)
        given = request.authorization or ""
        if context is not None and context.complete and not given:
            return Verdict(True)
        if not given.startswith(self.scheme + " "):
            return self._refusal(self.scheme)
        if context is None or context.complete:
            protocol = "ntlm" if self.scheme == "NTLM" else "negotiate"
            context = spnego.server(protocol=protocol, options=spnego.NegotiateOptions.use_ntlm)
            self.contexts[request.connection] = context
        try:
            answer = context.step(base64.b64decode(given.partition(" ")[2]))
        except spnego.exceptions.SpnegoError:
            self.refused += 1
            del self.contexts[request.connection]
            return self._refusal(self.scheme)
        if context.complete:
            return Verdict(True)
        return self._refusal(f"{self.scheme} {base64.b64encode(answer or b'').decode()}")

    def _refusal(self, challenge: str) -> Verdict:
        return Verdict(False, (("Proxy-Authenticate", challenge),))
