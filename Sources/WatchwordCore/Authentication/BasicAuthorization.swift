package import WatchwordSecret

/// Makes `Authorization` values of the Basic scheme (RFC 7617).
///
/// User and password are encoded as UTF-8 whether or not the challenge says `charset="UTF-8"`: without it the
/// encoding is the client's guess (RFC 7617 §3), UTF-8 is what browsers settled on, and it agrees with every
/// other guess on ASCII.
package enum BasicAuthorization {
  private static let scheme: StaticString = "Basic "

  /// The whole field value.
  ///
  /// - Parameter isComposed: whether user and password go in Normalization Form C, which a server that says its charset
  ///   expects (RFC 7617 §2.1).
  package static func value(
    user: String, password: Secret, isComposed: Bool = false
  ) throws(CredentialFault) -> Secret {
    if let fault = CredentialCheck.fault(ofBasicUser: user, password: password) { throw fault }
    let user = isComposed ? Normalization.composed(user) : user
    let password = isComposed ? Normalization.composed(password) : password
    let count = (user.utf8.count + 1 + password.count + 2) / 3 * 4
    return Secret(count: scheme.utf8CodeUnitCount + count) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      var encoder = Base64Encoder()
      for byte in user.utf8 { encoder.encode(byte, into: &writer) }
      encoder.encode(UInt8(ascii: ":"), into: &writer)
      password.withBytes { for byte in $0 { encoder.encode(byte, into: &writer) } }
      encoder.finish(into: &writer)
    }
  }
}

/// Base64 (RFC 4648 §4) byte by byte, without a buffer of its own.
private struct Base64Encoder {
  private var pending: UInt32 = 0
  private var pendingCount = 0

  mutating func encode(_ byte: UInt8, into writer: inout AuthorizationWriter) {
    pending = pending << 8 | UInt32(byte)
    pendingCount += 1
    if pendingCount == 3 { flush(into: &writer) }
  }

  mutating func finish(into writer: inout AuthorizationWriter) {
    guard pendingCount > 0 else { return }
    pending <<= UInt32(8 * (3 - pendingCount))
    flush(into: &writer)
  }

  private mutating func flush(into writer: inout AuthorizationWriter) {
    for place in 0..<4 {
      let sextet = UInt8(truncatingIfNeeded: pending >> UInt32(18 - 6 * place)) & 0x3F
      writer.append(place <= pendingCount ? Self.character(of: sextet) : UInt8(ascii: "="))
    }
    pending = 0
    pendingCount = 0
  }

  /// Computed, not looked up: a table's cache lines would tell of the password.
  private static func character(of sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: UInt8(ascii: "A") + sextet
    case 26..<52: UInt8(ascii: "a") + (sextet - 26)
    case 52..<62: UInt8(ascii: "0") + (sextet - 52)
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
