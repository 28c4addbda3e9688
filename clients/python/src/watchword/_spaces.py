"""The part of an origin or proxy that one credential opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from ._errors import InvalidArgument, printable
from ._json import Reader
from ._trust import ServerTrust, read_server_trust

__all__ = ["ProtectionSpace", "read_protection_space"]


@dataclass(frozen=True)
class ProtectionSpace:
    """The part of an origin or proxy that one credential opens. ``realm`` is text that the server chose.

    ``any_realm`` stands for every realm of the hop; ``realm`` is ``None`` then, which alone is a challenge without
    realm.
    """

    protocol: str
    host: str
    port: int
    realm: str | None
    authentication_method: str
    is_proxy: bool = False
    proxy_type: str | None = None
    receives_credential_securely: bool | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)
    distinguished_names: Sequence[str] | None = field(default=None, compare=False)
    server_trust: ServerTrust | None = field(default=None, compare=False)
    #: For a client certificate: the keys whose signatures the server takes.
    key_types: Sequence[str] | None = field(default=None, compare=False)
    any_realm: bool = False
    #: The realm exactly, in base64, where it is not UTF-8 and ``realm`` has replacements.
    realm_bytes: str | None = None
    #: Of a key: the header field that carries it, in place of a realm.
    field: str | None = None

    @classmethod
    def for_key(cls, url: str, field: str) -> ProtectionSpace:
        """What a key in a header field of its own opens, at the origin of this URL: for ``set_credential``."""
        parts = urlsplit(url)
        try:
            port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
        except ValueError:
            port = None
        if not parts.hostname or port is None:
            raise InvalidArgument("a key is for an http or https URL")
        return cls(parts.scheme, parts.hostname, port, None, "key", field=field.lower())

    def __str__(self) -> str:
        hop = "proxy " if self.is_proxy else ""
        text = f"{hop}{self.protocol}://{self.host}:{self.port} {self.authentication_method}"
        if self.field is not None:
            text += f" {self.field}"
        elif self.realm is not None:
            text += f" \N{LEFT DOUBLE QUOTATION MARK}{self.realm}\N{RIGHT DOUBLE QUOTATION MARK}"
        if self.server_trust is not None:
            text += ": " + ", ".join(str(reason) for reason in self.server_trust.reasons)
        return printable(text)

    def to_wire(self) -> dict[str, Any]:
        """The members that name the space in ``credential/*``."""
        return {
            "protocol": self.protocol,
            "host": self.host,
            "port": self.port,
            **({} if self.any_realm or self.authentication_method == "key" else {"realm": self.realm}),
            **({} if self.realm_bytes is None else {"realmBytes": self.realm_bytes}),
            "authenticationMethod": self.authentication_method,
            **({} if self.field is None else {"field": self.field}),
            "isProxy": self.is_proxy,
            **({} if self.proxy_type is None else {"proxyType": self.proxy_type}),
        }


def read_protection_space(reader: Reader) -> ProtectionSpace:
    """A protection space as the daemon writes it."""
    names = None if reader.members.get("distinguishedNames") is None else reader.strings("distinguishedNames")
    trust = reader.object_or_none("serverTrust")
    secure = reader.members.get("receivesCredentialSecurely")
    return ProtectionSpace(
        protocol=reader.string("protocol"),
        host=reader.string("host"),
        port=reader.integer("port"),
        realm=reader.string_or_none("realm"),
        any_realm="realm" not in reader.members and "field" not in reader.members,
        realm_bytes=reader.string_or_none("realmBytes"),
        field=reader.string_or_none("field"),
        authentication_method=reader.string("authenticationMethod"),
        is_proxy=reader.boolean("isProxy", False),
        proxy_type=reader.string_or_none("proxyType"),
        receives_credential_securely=None if secure is None else reader.boolean("receivesCredentialSecurely"),
        parameters={} if reader.members.get("parameters") is None else reader.mapping("parameters"),
        distinguished_names=names,
        server_trust=None if trust is None else read_server_trust(trust),
        key_types=None if reader.members.get("keyTypes") is None else reader.strings("keyTypes"),
    )
