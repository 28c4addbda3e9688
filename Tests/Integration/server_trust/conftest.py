"""An origin that nothing vouches for, and one that is known."""

from __future__ import annotations

import ssl
from collections.abc import Callable

import pytest

from Integration.server_trust.scene import fine
from Integration.wire import Json
from Support.certificates import Authority
from Support.scripted_origin import ScriptedOrigin

Origins = Callable[..., ScriptedOrigin]


@pytest.fixture
def strange(origins: Origins, tls_context: ssl.SSLContext) -> ScriptedOrigin:
    """An origin whose issuer no session here knows."""
    origin = origins(tls_context)
    origin.serve("/*", fine)
    return origin


@pytest.fixture
def known(authority: Authority) -> Json:
    return {"tls": {"roots": {"certificates": authority.pem}}}
