"""Every command and program of clients/cookbook.md, as a reader pastes it."""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from Integration.sentinels import OTHER_PASSWORD, PASSWORD, TOKEN, USER, WRONG_TOKEN
from Support.certificates import Authority
from Support.client_identities import ClientAuthority
from Support.daemon import PROJECT, program
from Support.docker_registry import DockerRegistry, make_image
from Support.etcd import Etcd
from Support.exchange import Exchange
from Support.git_server import GitServer
from Support.guards import BasicGuard, BearerGuard, guarded, silent
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache
from Support.mutual_tls import MutualTLS
from Support.nginx import Nginx
from Support.package_index import PackageIndex
from Support.pages import Reader, Section, blocks
from Support.scripted_origin import ScriptedOrigin
from Support.soft_token import MODULE, SoftToken
from Support.squid import Squid
from Support.tls_server import TLSServer

PAGE = PROJECT / "clients" / "cookbook.md"
CONFIGURATION = "A configuration file"
KNOWN = "the watchword is known\n"
HIDDEN = "there is no such page\n"
#: The headings that a test pastes.
PASTED: set[str] = set()


def recipe(heading: str) -> pytest.MarkDecorator:
    """A test of the blocks below a heading."""
    PASTED.add(heading)
    return pytest.mark.parametrize("section", [heading], indirect=True)


@pytest.fixture
def section(request: pytest.FixtureRequest, reader: Reader) -> Iterator[Section]:
    made = Section(PAGE, request.param, reader)
    yield made
    made.finish()


@pytest.fixture
def staff_page(origin: ScriptedOrigin) -> str:
    return origin.serve("/q3.csv", guarded(BasicGuard("staff", USER, PASSWORD)))


def test_every_section_is_pasted() -> None:
    assert {block.heading for block in blocks(PAGE)} == PASTED


def configured(reader: Reader, text: str) -> None:
    """Has the daemon use this configuration file as the page says. Some members count from its next start."""
    reader.watchword("sessions")
    configuration_file(reader).write_text(text)
    Section(PAGE, CONFIGURATION, reader).shell()
    reader.watchword("shutdown")


def configuration_file(reader: Reader) -> Path:
    """In a folder that is there."""
    folder = reader.home / ".config" / "watchword"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "config.json"


@recipe("A private CA for everything")
def test_a_private_ca(section: Section, authority: Authority, nginx: Nginx) -> None:
    reader = section.reader
    store, local = reader.home / "store", reader.home / "local"
    for folder in (store, local, reader.home / "hooks"):
        folder.mkdir()
    reader.add_program("sudo", '#!/bin/sh\nexec "$@"\n')
    update = f'exec /usr/sbin/update-ca-certificates --localcertsdir "{local}" --etccertsdir "{store}"'
    reader.add_program("update-ca-certificates", f'#!/bin/sh\n{update} --hooksdir "{reader.home}/hooks"\n')
    reader.environment["SSL_CERT_DIR"] = str(store)
    shutil.copy(authority.certificate, reader.home / "company-ca.pem")
    section.names = {"https://intranet.example/q3.csv": nginx.tls + "/small"}
    section.names["/usr/local/share/ca-certificates"] = str(local)
    reader.watchword("fetch", nginx.tls + "/small", status=4)
    assert section.shell().endswith(KNOWN), "a daemon that runs already takes it, too"
    shutil.rmtree(store)
    store.mkdir()
    reader.watchword("shutdown")
    reader.watchword("fetch", nginx.tls + "/small", status=4)
    shown = section.shell()
    assert shown.endswith(KNOWN), "a daemon that runs already takes it, too"
    (fingerprint,) = set(re.findall(r"\b[0-9a-f]{64}\b", shown))
    reader.watchword("trust", "remove-ca", fingerprint)
    reader.watchword("fetch", nginx.tls + "/small", status=4)
    assert section.shell() == KNOWN
    del section.names["/usr/local/share/ca-certificates"]
    assert section.python() == KNOWN + "\n"


@recipe("Mutual TLS")
def test_mutual_tls(section: Section, mutual: MutualTLS, staff: ClientAuthority) -> None:
    alice = staff.issue("alice")
    home = section.reader.home
    shutil.copy(alice.certificate, home / "alice.pem")
    shutil.copy(alice.key, home / "alice.key")
    (home / "alice.p12").write_bytes(base64.b64decode(alice.pkcs12["pkcs12"]))
    section.names = {"https://vault.example/report": mutual.url()}
    assert "CN=alice|" in section.shell()
    section.reader.watchword("identities", "remove", "--all")
    section.reader.watchword("sessions", "reset", "default")
    section.shell()
    section.reader.watchword("shutdown")
    assert "CN=alice|" in section.reader.watchword("fetch", mutual.url()).stdout, "it is permanent"
    assert len(section.reader.prompts) == 1
    section.reader.watchword("identities", "remove", "--all")
    assert "CN=alice|" in section.shell()


@recipe("A smart card")
def test_a_smart_card(
    section: Section, mutual: MutualTLS, staff: ClientAuthority, run_directory: Path
) -> None:
    card = SoftToken(run_directory / "page-card", "card")
    card.take(staff.issue("carol"), 1)
    section.reader.environment |= card.environment
    section.names = {"/usr/lib/x86_64-linux-gnu/opensc-pkcs11.so": str(MODULE)}
    section.names["https://vault.example/report"] = mutual.url()
    configured(section.reader, section.text("json"))
    shown = section.shell()
    assert shown.startswith("pkcs11:") and "CN=carol|" in shown
    assert section.reader.prompts == ["pkcs11:token=card;id=%01: PIN: "]


@recipe("Kerberos")
def test_kerberos(section: Section, realm: Realm, web: KerberosApache) -> None:
    reader = section.reader
    reader.environment["KRB5_CONFIG"] = realm.environment["KRB5_CONFIG"]
    reader.environment["KRB5CCNAME"] = str(reader.home / "tickets")
    resolve = f"--resolve {HOST}:{web.plain_port}:127.0.0.1"
    section.names = {"https://sso.example/report": f"{resolve} {web.plain}/negotiate/small"}
    assert section.shell(send=PASSWORD + "\n").endswith(KNOWN)
    shutil.copy(realm.add_keytab("guard"), reader.home / "guard.keytab")
    # The name is in no name service: the session knows its address first.
    reader.watchword("fetch", "--session", "night", *resolve.split(), "--no-ask", web.plain, status=None)
    section.names["https://sso.example/report"] = f"{web.plain}/negotiate/small"
    section.names["https://sso.example/"] = f"{web.plain}/"
    assert section.shell() == KNOWN


@recipe("A proxy at work")
def test_a_proxy(section: Section, proxy: Squid, nginx: Nginx) -> None:
    section.names = {"https://www.example/": nginx.plain + "/small"}
    section.names["http://proxy.example:3128"] = proxy.url
    assert section.shell() == KNOWN
    assert section.shell().endswith(KNOWN)
    used = [exchange for exchange in proxy.exchanges() if exchange.status == 200]
    assert [exchange.user for exchange in used] == [USER] * 2
    assert len(section.reader.prompts) == 2, "for one fetch, and to keep it"


@recipe("git")
def test_git(section: Section, code: GitServer, authority: Authority) -> None:
    reader = section.reader
    reader.environment |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}
    reader.environment["GIT_SSL_CAINFO"] = str(authority.certificate)
    section.names = {"https://code.example": code.tls}
    section.shell()
    assert len(reader.prompts) == 2, "user and password"
    reader.paste("sh", f"git clone {code.tls}/app.git again\n")
    assert len(reader.prompts) == 2
    assert (reader.home / "again" / "file").exists()
    section.shell()
    assert len(reader.prompts) == 3


@recipe("docker and skopeo")
def test_docker_and_skopeo(section: Section, registry: DockerRegistry) -> None:
    reader = section.reader
    section.names = {"registry.example": registry.host}
    section.shell()
    configuration = reader.home / ".docker" / "config.json"
    configuration.parent.mkdir()
    assert json.loads(section.text("json")) == {"credsStore": "watchword"}
    stored = json.dumps({"ServerURL": registry.host, "Username": USER, "Secret": PASSWORD})
    reader.paste("sh", "docker-credential-watchword store\n", send=stored)
    configuration.write_text(section.text("json"))
    # The registry of the test has no TLS.
    names = {"skopeo ": "skopeo --insecure-policy ", "login ": "login --tls-verify=false "}
    section.names |= {**names, "inspect ": "inspect --tls-verify=false "}
    target = f"docker://{registry.host}/app:1"
    image = make_image(reader.home / "image")
    reader.environment["REGISTRY_AUTH_FILE"] = str(configuration)
    reader.paste("sh", f"skopeo --insecure-policy copy --dest-tls-verify=false oci:{image} {target}\n")
    reader.paste("sh", f"skopeo logout {registry.host}\n")
    del reader.environment["REGISTRY_AUTH_FILE"]
    terminal = section.on_terminal()
    for prompt, answer in (("Username: ", USER), ("Password: ", PASSWORD)):
        terminal.read_until(prompt.encode())
        terminal.type(answer)
    terminal.read_until(b'"RepoTags"')
    assert terminal.end() == 0
    assert PASSWORD not in configuration.read_text()


@recipe("pip and twine")
def test_pip_and_twine(section: Section, index: PackageIndex) -> None:
    reader = section.reader
    section.names = {"https://pypi.example": f"http://{index.host}"}
    section.names["https://reader@pypi.example"] = f"http://reader@{index.host}"
    # Into a folder of its own, and without TLS.
    section.names["pip install "] = f"pip install --target {reader.home}/site --trusted-host 127.0.0.1 "
    (reader.home / "dist").mkdir()
    shutil.copy(index.wheel, reader.home / "dist")
    printed = section.shell(send=PASSWORD + "\n")
    assert "Successfully installed greeting-1.0" in printed
    assert (reader.home / "site" / "greeting.py").exists()
    assert "Uploading greeting-1.0" in printed


@recipe("cron")
def test_cron(section: Section, staff_page: str, origin: ScriptedOrigin) -> None:
    reader = section.reader
    section.names = {"https://intranet.example": origin.url}
    section.shell()
    reader.watchword("shutdown")
    section.names["/usr/local/bin"] = str(reader.programs)
    for name in ("watchword", "watchwordd"):
        (reader.programs / name).symlink_to(program(name))
    path, line = section.text("crontab").splitlines()
    assert line.startswith("15 6 * * * ")
    asked = list(reader.prompts)
    reader.environment["PATH"] = path.removeprefix("PATH=")
    del reader.environment["WATCHWORD_ASKPASS"]
    assert reader.paste("sh", line.split(" ", 5)[5]) == ""
    assert (reader.home / "q3.csv").read_text() == KNOWN
    assert reader.prompts == asked


@recipe("A CI job or a model that never reads the credential")
def test_a_job_that_never_reads_the_credential(section: Section, origin: ScriptedOrigin) -> None:
    origin.serve("/v1/report", guarded(BearerGuard("api", TOKEN)))
    origin.serve("/v2/admin", guarded(BearerGuard("api", TOKEN)))
    section.names = {"https://api.example": origin.url}
    first, job = section.text("sh"), section.text("sh")
    nightly = section.reader.home / "nightly"
    nightly.write_text(job)
    nightly.chmod(0o700)
    printed = section.reader.paste("sh", first)
    assert printed.startswith(KNOWN) and printed.endswith("not allowed\n")
    assert TOKEN not in printed
    assert {request.path for request in origin.requests} == {"/v1/report"}


@recipe("A password from a file or a program")
def test_a_password_from_a_file(section: Section, origin: ScriptedOrigin) -> None:
    reader = section.reader
    file = reader.home / "api-token"
    file.touch(0o600)
    file.write_text(WRONG_TOKEN + "\n")
    origin.serve("/v1/report", guarded(BearerGuard("api", TOKEN)))
    section.names = {"https://api.example": origin.url, "/run/secrets/api-token": str(file)}
    configured(reader, section.text("json"))
    first = section.text("sh")
    reader.answer(token="another that is wrong")
    assert "another" not in reader.paste("sh", first, status=3)
    file.write_text(TOKEN + "\n")
    assert section.shell() == "may be tried again: 1\n"
    assert reader.paste("sh", first) == KNOWN


@recipe("A server that never asks")
def test_a_server_that_never_asks(section: Section, origin: ScriptedOrigin) -> None:
    url = origin.serve("/api/repos/private", silent(BearerGuard("api", TOKEN), 404))
    section.names = {"https://git.example": origin.url}
    assert section.reader.watchword("fetch", url).stdout == HIDDEN
    assert section.shell() == KNOWN
    assert len(section.reader.prompts) == 1


@recipe("An API key in its own field")
def test_an_api_key_in_its_own_field(section: Section, origin: ScriptedOrigin) -> None:
    async def script(exchange: Exchange) -> None:
        known = exchange.request.all("X-Api-Key") == [TOKEN]
        await exchange.respond(200 if known else 403, [], (KNOWN if known else HIDDEN).encode())

    url = origin.serve("/v1/reports", script)
    section.names = {"https://api.example": origin.url}
    section.reader.answer(token=TOKEN)
    assert section.reader.watchword("fetch", url).stdout == HIDDEN
    assert section.shell() == KNOWN + "removed 1\n"
    assert section.reader.prompts[-1].endswith("(key, field X-Api-Key, over cleartext): Key: ")
    assert section.reader.watchword("fetch", url).stdout == HIDDEN


@recipe("A password that changed")
def test_a_password_that_changed(section: Section, origin: ScriptedOrigin, staff_page: str) -> None:
    reader = section.reader
    section.names = {"https://intranet.example": origin.url}
    reader.watchword("fetch", "--persistence", "permanent", staff_page)
    origin.serve("/q3.csv", guarded(BasicGuard("staff", USER, OTHER_PASSWORD)))
    reader.answer(password=OTHER_PASSWORD)
    asked = len(reader.prompts)
    assert section.shell() == KNOWN
    assert "refused before" in reader.prompts[asked]
    reader.watchword("shutdown")
    assert reader.watchword("fetch", "--no-ask", staff_page).stdout == KNOWN, "it took the old one's place"


@recipe("A notebook")
def test_a_notebook(section: Section, origin: ScriptedOrigin, staff_page: str) -> None:
    section.names = {"https://intranet.example": origin.url}
    cell = section.text("python")
    terminal = section.reader.on_terminal("python", cell)
    terminal.read_until(b"User: ")
    terminal.type(USER)
    terminal.read_until(b"Password for reader: ")
    terminal.type(PASSWORD)
    terminal.read_until(KNOWN.strip().encode())
    assert terminal.end() == 0
    assert section.reader.paste("python", cell).startswith(KNOWN), "the next one is not asked"


@recipe("Several hosts")
def test_several_hosts(section: Section, origin: ScriptedOrigin, staff_page: str, etcd: Etcd) -> None:
    here = section.reader
    there = Reader(user=USER)
    try:
        section.shell()
        shutil.copy(here.home / "fleet.key", there.home)
        section.names = {"https://etcd.example:2379": etcd.members[0].url}
        section.names["/etc/watchword/fleet.key"] = f"{here.home}/fleet.key"
        text = section.text("json")
        section.names = {**section.names, "https://intranet.example": origin.url}
        configured(here, text)
        assert section.shell() == KNOWN
        configured(there, text.replace(str(here.home), str(there.home)))
        there.wait_until(lambda: "reader at" in there.watchword("credentials").stdout)
        assert there.watchword("fetch", "--no-ask", staff_page).stdout == KNOWN
        assert there.prompts == []
    finally:
        there.leave()


@recipe("Upgrade")
def test_an_upgrade(section: Section, staff_page: str) -> None:
    reader = section.reader
    reader.watchword("fetch", "--persistence", "permanent", staff_page)
    section.shell()
    assert (reader.home / "backup.watchword").stat().st_size > 0
    assert "fetches.started" not in section.shell(), "a new daemon"
    assert reader.watchword("fetch", "--no-ask", staff_page).stdout == KNOWN


@recipe("Certificate expired")
def test_an_expired_certificate(section: Section, run_directory: Path, tmp_path: Path) -> None:
    issuer = ClientAuthority(run_directory / "page-expired", "Servers")
    purpose = "extendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost\n"
    expired = issuer.issue("localhost", extensions=purpose, days=-1)
    section.reader.trust(issuer.certificate)
    server = TLSServer(tmp_path / "log", expired)  # type: ignore[arg-type]
    try:
        section.names = {"https://intranet.example/": server.url}
        assert "expired" in section.shell(status=4)
        section.names["https://intranet.example/q3.csv"] = server.url
        printed = section.shell()
        assert "certificate renewal, ticket 4711" in printed and "expired" in printed
        del section.reader.environment["WATCHWORD_ASKPASS"]
        terminal = section.reader.on_terminal("sh", f"watchword fetch -o /dev/null {server.url}")
        terminal.read_until(b"has expired")
        terminal.read_until(b"always")
        terminal.type("session")
        assert terminal.end() == 0
        assert section.shell().splitlines()[-1] == "removed 1"
    finally:
        server.stop()


@recipe("Graphs and alarms")
def test_graphs_and_alarms(section: Section) -> None:
    """Every series of the table and of the questions is there."""
    (section.reader.home / "metrics").mkdir()
    section.reader.watchword("sessions")
    section.shell()
    made = (section.reader.home / "metrics" / "watchword.prom").read_text()
    assert made.endswith("# EOF\n")
    page = PAGE.read_text().partition("## Graphs and alarms")[2].partition("\n## ")[0]
    named = re.findall(r"watchword_\w+", page)
    of_sessions = section.reader.watchword("status", "--metrics", "--by-session").stdout
    assert len(named) > 20
    for name in named:
        family = re.sub("_(total|bucket|sum|count)$", "", name)
        assert f"# TYPE {family} " in of_sessions, name


@recipe("What is cached, and how to remove it")
def test_what_is_cached(section: Section, origin: ScriptedOrigin, staff_page: str) -> None:
    reader = section.reader
    assert reader.watchword("fetch", staff_page).stdout == KNOWN
    section.names = {"https://intranet.example/q3.csv": staff_page}
    shown = section.shell()
    assert f"reader at {origin.url} basic" in shown and PASSWORD not in shown
    section.names["https://intranet.example/"] = f"{origin.url}/"
    assert section.shell() == "removed 1\n"
    for _ in ("sessions reset", "forget"):
        reader.watchword("fetch", staff_page)
        assert reader.watchword("credentials").stdout != ""
        section.shell()
        assert reader.watchword("credentials").stdout == ""
    reader.watchword("fetch", "--session", "reports", staff_page)
    assert section.shell() == "changed: redirects.limit, timeouts.requestSeconds\n"


@recipe(CONFIGURATION)
def test_a_configuration_file(section: Section) -> None:
    reader = section.reader
    reader.watchword("sessions")
    file = configuration_file(reader)
    file.write_text('{"logLevel": "info"}')
    assert f"{file}: ok\n" in section.shell()
    file.write_text('{"logLevel": "loud"}')
    assert "logLevel" in reader.watchword("reload", status=1).stderr
    assert "logLevel" in reader.watchword("config", "check", status=1).stderr
