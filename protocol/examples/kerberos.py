"""A Kerberos realm of one run for the transcripts of Negotiate: a KDC of MIT krb5, a user with tickets, a service that accepts tokens.

Needs the programs of MIT krb5 (Debian: krb5-kdc, krb5-admin-server, krb5-user) and its GSSAPI library.
"""

import atexit
import base64
import ctypes
import functools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NAME = "TRANSCRIPTS.TEST"
USER, PASSWORD = "reader", "sentinel-Zk41"
SERVICE = "HTTP/127.0.0.1"

CONFIGURATION = """
[libdefaults]
  default_realm = {name}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  rdns = false
[realms]
  {name} = {{
    kdc = 127.0.0.1:{port}
  }}
[domain_realm]
  127.0.0.1 = {name}
"""

KDC_CONFIGURATION = """
[kdcdefaults]
  kdc_listen = 127.0.0.1:{port}
  kdc_tcp_listen = 127.0.0.1:{port}
[realms]
  {name} = {{
    database_name = {folder}/principal
    key_stash_file = {folder}/stash
  }}
"""


class Realm:
    """Its files are in a folder that goes with the process, as does the KDC."""

    def __init__(self, folder):
        self.folder = Path(folder)
        port = self._free_port()
        self.configuration = self._write("krb5.conf", CONFIGURATION.format(name=NAME, port=port))
        kdc = self._write("kdc.conf", KDC_CONFIGURATION.format(name=NAME, port=port, folder=folder))
        path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        self.environment = {"KRB5_CONFIG": self.configuration, "KRB5_KDC_PROFILE": kdc, "PATH": path}
        self._run("kdb5_util", "create", "-s", "-r", NAME, "-P", "master")
        self._administer(f"addprinc +requires_preauth -pw {PASSWORD} {USER}")
        for principal, keytab in ((SERVICE, "service.keytab"), ("porter", "porter.keytab")):
            self._administer(f"addprinc -randkey {principal}")
            self._administer(f"ktadd -k {self.folder / keytab} {principal}")
        self._start(port)
        self._run("kinit", "-c", str(self.folder / "tickets"), USER, text=PASSWORD + "\n")
        self.tickets = self._contents("tickets")
        self.keytab = self._contents("porter.keytab")
        self.service = Service(self.configuration, self.folder / "service.keytab")

    def _start(self, port):
        process = subprocess.Popen(
            [shutil.which("krb5kdc", path=self.environment["PATH"]) or "krb5kdc", "-n"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        atexit.register(lambda: (process.kill(), process.wait()))
        end = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                if time.monotonic() > end or process.poll() is not None:
                    raise
                time.sleep(0.02)

    @staticmethod
    def _free_port():
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            return listener.getsockname()[1]

    def _administer(self, query):
        self._run("kadmin.local", "-r", NAME, "-q", query)

    def _run(self, program, *arguments, text=""):
        # The program is looked up in the PATH of its own environment, which has the folders of an administrator.
        program = shutil.which(program, path=self.environment["PATH"]) or program
        done = subprocess.run([program, *arguments], env=self.environment, input=text, text=True, capture_output=True)
        if done.returncode:
            raise OSError(f"{program}: {done.stderr}")

    def _write(self, name, text):
        (self.folder / name).write_text(text, "ascii")
        return str(self.folder / name)

    def _contents(self, name):
        return base64.b64encode((self.folder / name).read_bytes()).decode("ascii")


class Buffer(ctypes.Structure):
    """gss_buffer_desc of RFC 2744 §3.2."""

    _fields_ = (("length", ctypes.c_size_t), ("value", ctypes.c_void_p))

    @property
    def data(self):
        return ctypes.string_at(self.value, self.length) if self.length else b""


class Service:
    """Accepts the tokens that clients send to `HTTP/127.0.0.1` (RFC 2744 §5.1)."""

    def __init__(self, configuration, keytab):
        os.environ["KRB5_CONFIG"] = configuration  # what the library reads in this process
        self.library = ctypes.CDLL("libgssapi_krb5.so.2")
        self.library.krb5_gss_register_acceptor_identity(os.fsencode(keytab))

    def accept(self, field):
        """The user whose token is in a field `Negotiate TOKEN`, and the token for the answer, in base64; None when it is refused."""
        scheme, _, text = (field or "").partition(" ")
        if scheme != "Negotiate":
            return None
        token = base64.b64decode(text)
        given = ctypes.create_string_buffer(token, len(token))
        entered = Buffer(len(token), ctypes.cast(given, ctypes.c_void_p))
        minor, context, name, answer, shown = ctypes.c_uint32(), ctypes.c_void_p(), ctypes.c_void_p(), Buffer(), Buffer()
        major = self.library.gss_accept_sec_context(
            ctypes.byref(minor), ctypes.byref(context), None, ctypes.byref(entered), None, ctypes.byref(name), None,
            ctypes.byref(answer), None, None, None,
        )  # fmt: skip
        if major:
            return None
        self.library.gss_display_name(ctypes.byref(minor), name, ctypes.byref(shown), None)
        return shown.data.decode(), base64.b64encode(answer.data).decode()


@functools.lru_cache(maxsize=None)
def realm():
    """Made when the first transcript asks, for the whole run."""
    folder = tempfile.mkdtemp(prefix="watchword-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Realm(folder)
