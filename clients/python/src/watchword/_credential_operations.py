"""Requests about what is kept: credentials, the vault and the lock."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from ._credentials import AnyCredential, Credential, KerberosCredential, SourceCredential, StorableCredential
from ._errors import InvalidArgument
from ._json import Reader, read_time
from ._operation import Operation, members, no_result, parameters, plain, reader
from ._secrets import holds_secrets
from ._spaces import ProtectionSpace, read_protection_space

if TYPE_CHECKING:
    from . import results

__all__ = ["ANY_PATH", "AnyPath", "ImportResult", "ReadCredential", "StoredCredential"]


class AnyPath(Enum):
    """The type of ``ANY_PATH``."""

    ANY_PATH = "any path"


#: Credentials for every path, and those that are for none.
ANY_PATH: Final = AnyPath.ANY_PATH


@dataclass(frozen=True)
class StoredCredential:
    """A credential as the daemon lists it: whose, for what, until when; never the secret."""

    protection_space: ProtectionSpace
    user: str | None
    kind: str
    persistence: str
    is_default: bool
    source: str
    #: For the source ``named``: the administrator's.
    source_name: str | None
    #: Whether ``read_credential`` gives its secret back.
    readable: bool
    #: Whether it was given to go with the first request.
    preemptive: bool
    #: Of a key: what stands in front of it in its header field.
    prefix: str | None
    uses: int
    created: datetime | None
    last_used: datetime | None
    seconds_left: float | None
    limits: Mapping[str, Any]


@holds_secrets("secret")
@dataclass(frozen=True)
class ReadCredential:
    """A credential that was stored to be given back. ``secret`` is the password, or the token when ``user`` is None."""

    user: str | None
    secret: str = field(repr=False)
    seconds_left: float | None


def set_credential(
    session: str | None,
    space: ProtectionSpace,
    credential: StorableCredential,
    default: bool | None,
    readable: bool | None,
    preemptive: bool | None = None,
) -> Operation[None]:
    wire = credential.to_wire()
    if preemptive is not None:
        if not isinstance(credential, (Credential, SourceCredential)):
            raise InvalidArgument("only a password or a token goes with the first request")
        wire["preemptive"] = preemptive
    params = parameters(
        session=session,
        protectionSpace=space.to_wire(),
        credential=wire,
        default=default,
        readable=readable,
    )
    return with_file(credential, "credential/set", params)


def with_file(credential: AnyCredential | None, method: str, params: dict[str, Any]) -> Operation[None]:
    """A request about a credential, which may be in a file."""
    file = credential.file if isinstance(credential, KerberosCredential) else None
    opened = () if file is None else (os.open(file, os.O_RDONLY | os.O_CLOEXEC),)
    return Operation(method, params, no_result, descriptors=opened, owned=opened)


class _Memory:
    """A file in memory that the daemon writes a secret to; gone with its last reference."""

    def __init__(self) -> None:
        self.number = os.memfd_create("watchword", os.MFD_CLOEXEC)

    def __del__(self) -> None:
        if hasattr(self, "number"):
            os.close(self.number)


def read_credential(
    session: str | None, space: ProtectionSpace, user: str | None, path: str | None
) -> Operation[ReadCredential]:
    memory = _Memory()

    def read(result: Any) -> ReadCredential:
        r = reader(result)
        secret = os.pread(memory.number, r.integer("size"), 0)
        return ReadCredential(r.string_or_none("user"), secret.decode(), r.number_or_none("secondsLeft"))

    params = parameters(session=session, protectionSpace=space.to_wire(), user=user, path=path, descriptor=0)
    return Operation("credential/read", params, plain(read), descriptors=(memory.number,))


def list_credentials(session: str | None) -> Operation[list[StoredCredential]]:
    def read(result: Any) -> list[StoredCredential]:
        return [_stored(item) for item in reader(result).objects("credentials")]

    return Operation("credential/list", parameters(session=session), plain(read))


def _stored(r: Reader) -> StoredCredential:
    def time(name: str) -> datetime | None:
        return None if r.members.get(name) is None else read_time(r, name)

    return StoredCredential(
        protection_space=read_protection_space(r.object("protectionSpace")),
        user=r.string_or_none("user"),
        kind=r.string("kind"),
        persistence=r.string("persistence"),
        is_default=r.boolean("isDefault", False),
        source=r.string("source"),
        source_name=r.string_or_none("sourceName"),
        readable=r.boolean("readable", False),
        preemptive=r.boolean("preemptive", False),
        prefix=r.string_or_none("prefix"),
        uses=r.integer("uses", 0),
        created=time("created"),
        last_used=time("lastUsed"),
        seconds_left=r.number_or_none("secondsLeft"),
        limits={} if r.members.get("limits") is None else r.mapping("limits"),
    )


def remove_credential(
    session: str | None, space: ProtectionSpace, user: str | None, path: str | AnyPath | None
) -> Operation[int]:
    params = parameters(session=session, protectionSpace=space.to_wire(), user=user)
    if path is not ANY_PATH:
        params["path"] = path  # The null of the protocol is a value: those for no path.
    return Operation(
        "credential/remove",
        params,
        plain(lambda result: reader(result).integer("removed")),
    )


def set_default_credential(session: str | None, space: ProtectionSpace, user: str) -> Operation[None]:
    params = parameters(session=session, protectionSpace=space.to_wire(), user=user)
    return Operation("credential/setDefault", params, no_result)


def retry_credentials(session: str | None, url: str, proxies: str | Mapping[str, Any] | None = None) -> Operation[int]:
    params = parameters(session=session, url=url)
    if proxies is not None:
        params["proxies"] = proxies if isinstance(proxies, str) else dict(proxies)
    return Operation("credential/retry", params, plain(lambda result: reader(result).integer("retried")))


def make_vault(passphrase: str | None) -> Operation[None]:
    return Operation("vault/init", parameters(passphrase=passphrase), no_result)


def set_vault_passphrase(passphrase: str, keep_others: bool) -> Operation[None]:
    params = parameters(passphrase=passphrase, keepOthers=keep_others or None)
    return Operation("vault/passphrase", params, no_result)


def rekey_vault(opener: str | None) -> Operation[None]:
    return Operation("vault/rekey", parameters(opener=opener), no_result)


def check_vault() -> Operation[results.VaultReport]:
    return Operation("vault/check", {}, plain(members))


def export_credentials(descriptor: int, passphrase: str) -> Operation[int]:
    return Operation(
        "vault/export",
        {"descriptor": 0, "passphrase": passphrase},
        plain(lambda result: reader(result).integer("credentials")),
        descriptors=(descriptor,),
    )


@dataclass(frozen=True)
class ImportResult:
    """What became of the credentials of an export."""

    added: int
    #: Older ones of the vault.
    replaced: int
    #: Expired, or the vault has the same or a newer one of this user.
    skipped: int


def import_credentials(descriptor: int, passphrase: str) -> Operation[ImportResult]:
    def read(result: Any) -> ImportResult:
        r = reader(result)
        return ImportResult(r.integer("added"), r.integer("replaced"), r.integer("skipped"))

    params = {"descriptor": 0, "passphrase": passphrase}
    return Operation("vault/import", params, plain(read), descriptors=(descriptor,))


def lock(passphrase: str) -> Operation[None]:
    return Operation("agent/lock", {"passphrase": passphrase}, no_result)


def unlock(passphrase: str) -> Operation[None]:
    return Operation("agent/unlock", {"passphrase": passphrase}, no_result)


def forget() -> Operation[None]:
    return Operation("agent/forget", {}, no_result)
