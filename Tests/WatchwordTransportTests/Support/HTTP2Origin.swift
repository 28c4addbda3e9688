import Glibc

/// nginx with HTTP/2 over TLS, and over cleartext HTTP/1.1; ends with this process.
final class HTTP2Origin: Sendable {
  static let shared = HTTP2Origin()

  /// PEM text of its own certificate.
  let certificate: String
  private let ports: [String]

  var url: String { "https://localhost:\(ports[0])" }

  private init() {
    let text = ChildProcess.start("python3", ["-c", Self.script]).readUntil("ready")
    let lines = text.split(separator: "\n")
    ports = lines.first.map { $0.split(separator: " ").map(String.init) } ?? ["1"]
    certificate = lines.dropFirst().dropLast().joined(separator: "\n") + "\n"
  }

  private static let script = #"""
    import os, shutil, socket, subprocess, sys, tempfile, time

    os.closerange(3, 65536)
    folder = tempfile.mkdtemp(prefix="watchword-nginx-")
    os.chmod(folder, 0o755)
    os.chdir(folder)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-days", "3", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", "key.pem", "-out", "cert.pem"], check=True, capture_output=True)
    os.makedirs("root/logs")
    with open("root/small", "w") as file:
        file.write("small")
    with open("root/large", "wb") as file:
        file.write(b"0123456789abcdef" * (32 << 16))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with open("nginx.conf", "w") as file:
        file.write(f"""
    daemon off; worker_processes 1; pid {folder}/pid; error_log stderr crit;
    events {{ worker_connections 512; }}
    http {{
      access_log off; keepalive_requests 100000; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
      fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
      client_max_body_size 64m;
      server {{
        listen 127.0.0.1:{port} ssl http2; ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
        root {folder}/root;
        location /method {{ return 200 "$request_method $content_length $http_x_empty $server_protocol"; }}
      }}
    }}
    """)
    child = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.01)
    print(port)
    print(open("cert.pem").read(), end="")
    print("ready", flush=True)
    sys.stdin.read()
    child.terminate()
    child.wait()
    shutil.rmtree(folder)
    """#
}
