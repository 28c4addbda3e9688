import Glibc

/// HTTPS origins with a certificate each, minted by openssl and served by Python's ssl module.
///
/// They live as long as this process: theirs ends when its standard input does.
final class TLSOrigins: Sendable {
  static let shared = TLSOrigins()

  /// PEM text of the authority that issued all but `selfSigned` and `stranger`.
  let authority: String
  private let ports: [String: UInt16]

  /// The origin with the certificate of this name; `host` is an address or a name that leads to 127.0.0.1.
  func url(_ name: String, host: String = "localhost") -> String { "https://\(host):\(ports[name] ?? 1)/" }

  func port(_ name: String) -> UInt16 { ports[name] ?? 1 }

  private init() {
    let lines = ChildProcess.start("python3", ["-c", Self.script]).readUntil("ready")
    var ports: [String: UInt16] = [:]
    var authority = ""
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[0] == "port", let port = UInt16(words[2]) {
        ports[String(words[1])] = port
      } else if line != "ready" {
        authority += line + "\n"
      }
    }
    self.ports = ports
    self.authority = authority
  }

  private static let script = #"""
    import os, shutil, socket, ssl, subprocess, sys, tempfile, threading

    os.closerange(3, 65536)
    folder = tempfile.mkdtemp(prefix="watchword-tls-")
    os.chdir(folder)

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def authority(name):
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.pem",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign")

    def leaf(name, issuer="authority", names="DNS:localhost,IP:127.0.0.1", usage="serverAuth", start="20250101000000Z",
             end="20900101000000Z", key=("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"), common="leaf", digest="sha256"):
        openssl("req", "-newkey", *key, "-nodes", "-subj", f"/CN={common}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        extensions = f"[e]\nbasicConstraints=CA:FALSE\nextendedKeyUsage={usage}\n"
        if names:
            extensions += f"subjectAltName={names}\n"
        os.makedirs(f"{name}.d", exist_ok=True)
        open(f"{name}.d/index", "w").close()
        with open(f"{name}.cnf", "w") as file:
            file.write(f"[ca]\ndefault_ca=d\n[d]\ndatabase={name}.d/index\nnew_certs_dir={name}.d\nrand_serial=yes\n"
                       f"default_md={digest}\npolicy=p\n[p]\ncommonName=supplied\n{extensions}")
        openssl("ca", "-batch", "-config", f"{name}.cnf", "-cert", f"{issuer}.pem", "-keyfile", f"{issuer}.key",
                "-startdate", start, "-enddate", end, "-extensions", "e", "-in", f"{name}.csr", "-out", f"{name}.pem",
                "-notext")

    authority("authority")
    authority("unknown")
    leaf("good")
    leaf("otherName", names="DNS:other.test")
    leaf("expired", end="20250601000000Z")
    leaf("notYetValid", start="20800101000000Z")
    leaf("expiredOtherName", names="DNS:other.test", end="20250601000000Z")
    leaf("commonName", names="", common="localhost")
    leaf("addressAsName", names="DNS:127.0.0.1")
    leaf("wildcard", names="DNS:*.sub.test")
    leaf("clientOnly", usage="clientAuth")
    leaf("weakKey", key=("rsa:1024",))
    leaf("weakSignature", digest="sha1")
    leaf("stranger", issuer="unknown")
    leaf("rsa", key=("rsa:2048",))
    openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=middle",
            "-keyout", "middle.key", "-out", "middle.request")
    with open("middle.cnf", "w") as file:
        file.write("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
    openssl("x509", "-req", "-in", "middle.request", "-CA", "authority.pem", "-CAkey", "authority.key", "-days", "30",
            "-CAcreateserial", "-extfile", "middle.cnf", "-out", "middle.pem")
    leaf("chained", issuer="middle")
    with open("chained.pem", "a") as file:
        file.write(open("middle.pem").read())
    openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "selfSigned.key",
            "-out", "selfSigned.pem")

    def answer(connection, context):
        try:
            with context.wrap_socket(connection, server_side=True) as peer:
                data = b""
                while True:
                    while b"\r\n\r\n" not in data:
                        more = peer.recv(65536)
                        if not more:
                            return
                        data += more
                    head, data = data.split(b"\r\n\r\n", 1)
                    body = f"{peer.version()} {peer.session_reused}".encode()
                    field = b"Connection: close\r\n" if b"Connection: close" in head else b""
                    peer.sendall(b"HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s" % (field, len(body), body))
                    if field:
                        peer.unwrap()
                        return
        except OSError:
            connection.close()

    def serve(listener, context):
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection, context), daemon=True).start()

    def listen(name, certificate, ciphers="DEFAULT@SECLEVEL=0", **settings):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_ciphers(ciphers)
        for key, value in settings.items():
            setattr(context, key, value)
        context.load_cert_chain(f"{certificate}.pem", f"{certificate}.key")
        listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        threading.Thread(target=serve, args=(listener, context), daemon=True).start()
        print("port", name, listener.getsockname()[1])

    for file in sorted(os.listdir(".")):
        name, extension = os.path.splitext(file)
        if extension == ".csr" or name == "selfSigned" and extension == ".pem":
            listen(name, name)
    listen("tls12", "good", maximum_version=ssl.TLSVersion.TLSv1_2)
    listen("rsaKeyExchange", "rsa", "AES128-GCM-SHA256", maximum_version=ssl.TLSVersion.TLSv1_2)
    listen("chained12", "chained", maximum_version=ssl.TLSVersion.TLSv1_2)
    listen("tls13", "good", minimum_version=ssl.TLSVersion.TLSv1_3)
    print(open("authority.pem").read(), end="")
    shutil.rmtree(folder)
    print("ready", flush=True)
    sys.stdin.read()
    """#
}
