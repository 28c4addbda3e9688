internal import WatchwordPrimitives
internal import WatchwordSecret

/// What git says to a credential helper: `key=value` lines up to an empty one (git-credential(1)).
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
  /// Whether git takes `authtype` and `credential`, which it says since 2.46.
  private(set) var takesTokens = false
  /// Whether the server offers Bearer, and whether it offers anything else; git says so since 2.41.
  private(set) var offersBearer = false
  private(set) var offersOther = false

  /// - Throws: for a value with a control character or without a meaning in UTF-8: it is refused, not repaired
  ///   (CVE-2020-5260, CVE-2024-52006).
  init(_ input: Secret) throws(Failure) {
    try input.withBytes { bytes throws(Failure) in
      for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.isEmpty { break }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
        let value = line[(equals + 1)...]
        let key = String(decoding: line[..<equals], as: UTF8.self)
        switch key {
        case "password": password = try Self.secret(value, key)
        case "credential": credential = try Self.secret(value, key)
        case "protocol", "host", "path", "username", "authtype", "password_expiry_utc", "ephemeral",
          "capability[]", "wwwauth[]":
          take(key, try Self.text(value, key))
        default: break
        }
      }
    }
    guard let host, !host.isEmpty, !Self.isHost(host) else { return }
    throw Failure("git names no host and port: \(DisplayText.escaped(host, longest: 200))")
  }

  /// Whether a text is a host, perhaps with a port: more would name another server, or a path of it.
  static func isHost(_ text: some StringProtocol) -> Bool {
    let signs = "-._~:[]".utf8
    return !text.isEmpty
      && text.utf8.allSatisfy {
        ASCIICase.isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || signs.contains($0)
      }
  }

  private static func secret(_ value: Slice<UnsafeRawBufferPointer>, _ key: String) throws(Failure) -> Secret
  {
    let secret = Secret(value)
    guard !secret.containsControlCharacter else { throw unsound(key) }
    return secret
  }

  private static func text(_ value: Slice<UnsafeRawBufferPointer>, _ key: String) throws(Failure) -> String {
    guard !value.contains(where: { $0 < 0x20 || $0 == 0x7F }),
      let text = String(validating: value, as: UTF8.self)
    else { throw unsound(key) }
    return text
  }

  private static func unsound(_ key: String) -> Failure {
    Failure("git's \(key) has a control character or is not UTF-8")
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
    case "capability[]": takesTokens = takesTokens || value == "authtype"
    case "wwwauth[]":
      let isBearer = String(value.prefix { $0 != " " }).matchesASCIICase(of: "bearer")
      offersBearer = offersBearer || isBearer
      offersOther = offersOther || !isBearer
    default: break
    }
  }

  /// The URL of the server; nil for what the daemon does not fetch from.
  var url: String? {
    guard let scheme, scheme == "http" || scheme == "https", let host, !host.isEmpty else { return nil }
    return "\(scheme)://\(host)/"
  }
}
