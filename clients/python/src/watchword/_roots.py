"""Files of certificate authorities, and the variables of the environment that name one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._errors import InvalidArgument

if TYPE_CHECKING:
    from .configuration import SessionConfiguration

__all__ = ["blocks_of", "is_of_system", "may_be_added", "of_environment", "text_of", "with_roots"]

#: What ``tls.roots`` takes, and more than any key.
LARGEST_FILE = 1 << 20
#: As requests, curl and OpenSSL read them: the first that is set and not empty counts.
VARIABLES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE")
#: What the daemon trusts anyway; many installations name one of them for every program.
_SYSTEM_BUNDLES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)


def is_of_system(path: str) -> bool:
    """Whether a file is the system's own bundle of roots."""
    return os.path.exists(path) and any(
        os.path.exists(bundle) and os.path.samefile(path, bundle) for bundle in _SYSTEM_BUNDLES
    )


def of_environment() -> str | None:
    """The PEM text of the roots that the environment names; None: the system's. OSError when it cannot be read."""
    path = next(filter(None, map(os.environ.get, VARIABLES)), None)
    return None if path is None or is_of_system(path) else blocks_of(path)


def may_be_added(configuration: SessionConfiguration | None) -> bool:
    """Whether the settings name no roots; to what is malformed nothing is added, and the daemon says what is wrong."""
    if configuration is None:
        return True
    tls: Any = configuration.get("tls", {}) if isinstance(configuration, Mapping) else None
    return isinstance(tls, Mapping) and "roots" not in tls


def with_roots(configuration: SessionConfiguration | None, roots: str) -> SessionConfiguration:
    """Settings of a session that trusts these roots instead of the system's."""
    settings: SessionConfiguration = {} if configuration is None else {**configuration}
    settings["tls"] = {**settings.get("tls", {}), "roots": {"certificates": roots, "exclusive": True}}
    return settings


def blocks_of(path: Any) -> str:
    """The blocks of a PEM file without what is beside them, as the command sends them: one session for both."""
    blocks, is_inside = [], False
    for line in text_of(path).removesuffix("\n").split("\n"):
        begun = line.removeprefix("\ufeff")
        is_inside |= begun.startswith("-----BEGIN ")
        if is_inside:
            blocks.append(begun + "\n")
        is_inside &= not line.startswith("-----END ")
    if not blocks:
        raise InvalidArgument(f"{os.fspath(path)}: there is no PEM block")
    return "".join(blocks)


def text_of(path: Any) -> str:
    """The text of a PEM file. OSError when it cannot be read, InvalidArgument when it is a folder or too large."""
    if os.path.isdir(path):
        raise InvalidArgument(f"{os.fspath(path)} is a folder: write its certificates into one file, and name that")
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise InvalidArgument(f"{os.fspath(path)} has more than {LARGEST_FILE} bytes")
    return data.decode("utf-8", "replace")
