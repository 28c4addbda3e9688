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
    let lines = ChildProcess.python("tls_origins").readUntil("ready")
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
}
