import Glibc

/// nginx with HTTP/2 over TLS, and over cleartext HTTP/1.1; ends with this process.
final class HTTP2Origin: Sendable {
  static let shared = HTTP2Origin()

  /// PEM text of its own certificate.
  let certificate: String
  private let ports: [String]

  var url: String { "https://localhost:\(ports[0])" }

  private init() {
    let text = ChildProcess.python("http2_origin").readUntil("ready")
    let lines = text.split(separator: "\n")
    ports = lines.first.map { $0.split(separator: " ").map(String.init) } ?? ["1"]
    certificate = lines.dropFirst().dropLast().joined(separator: "\n") + "\n"
  }
}
