internal import WatchwordPrimitives
package import WatchwordSecret

/// Makes `Authorization` values of the Basic scheme (RFC 7617).
///
/// User and password are encoded as UTF-8 whether or not the challenge says `charset="UTF-8"`: without it the
/// encoding is the client's guess (RFC 7617 §3), UTF-8 is what browsers settled on, and it agrees with every
/// other guess on ASCII. A password that is given as octets is sent as it is.
package enum BasicAuthorization {
  private static let scheme: StaticString = "Basic "

  /// The whole field value.
  ///
  /// - Parameter isComposed: whether user and password are sent in Normalization Form C, which a server that states
  ///   its charset expects (RFC 7617 §2.1).
  package static func value(
    user: String, password: Secret, isComposed: Bool = false
  ) throws(CredentialFault) -> Secret {
    if let fault = CredentialCheck.fault(ofBasicUser: user, password: password) { throw fault }
    guard !isComposed || password.isUTF8 else { throw .notUTF8 }
    let user = isComposed ? Normalization.composed(user) : user
    let password = isComposed ? Normalization.composed(password) : password
    let pair = Secret(count: user.utf8.count + 1 + password.count) { target in
      var writer = AuthorizationWriter(target)
      for byte in user.utf8 { writer.append(byte) }
      writer.append(UInt8(ascii: ":"))
      password.withBytes { writer.append($0) }
    }
    return Secret(count: scheme.utf8CodeUnitCount + Base64.encodedCount(of: pair.count)) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      let text = UnsafeMutableRawBufferPointer(rebasing: target[writer.position...])
      pair.withBytes { Base64.encode($0, into: text) }
    }
  }
}
