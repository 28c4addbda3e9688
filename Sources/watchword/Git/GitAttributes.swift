internal import WatchwordSecret

/// What git says to a credential helper: `key=value` lines up to an empty one (gitcredentials(7)).
///
/// Secrets are cut out of the input in place. Keys that are not known are skipped, as git wants.
struct GitAttributes {
  private(set) var scheme: String?
  /// With its port, if it has one.
  private(set) var host: String?
  private(set) var path: String?
  private(set) var user: String?
  private(set) var password: Secret?
  /// Of a credential that is not a user and a password, as `Bearer`.
  private(set) var authenticationType: String?
  private(set) var credential: Secret?
  /// In seconds since 1970.
  private(set) var expires: Int64?
  /// Not to be stored.
  private(set) var isEphemeral = false

  init(_ input: Secret) {
    input.withBytes { bytes in
      for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.isEmpty { break }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let value = line[(equals + 1)...]
        switch String(decoding: line[..<equals], as: UTF8.self) {
        case "password": password = Secret(value)
        case "credential": credential = Secret(value)
        case let key: take(key, String(decoding: value, as: UTF8.self))
        }
      }
    }
  }

  private mutating func take(_ key: String, _ value: String) {
    switch key {
    case "protocol": scheme = value
    case "host": host = value
    case "path": path = value
    case "username": user = value
    case "authtype": authenticationType = value
    case "password_expiry_utc": expires = Int64(value)
    case "ephemeral": isEphemeral = value == "1" || value == "true"
    default: break
    }
  }

  /// The URL of the server; nil for what the daemon does not fetch from.
  var url: String? {
    guard let scheme, scheme == "http" || scheme == "https", let host, !host.isEmpty else { return nil }
    return "\(scheme)://\(host)/"
  }
}
