package import WatchwordSecret

/// Makes `Authorization` values of the Bearer scheme (RFC 6750 §2.1).
package enum BearerAuthorization {
  private static let scheme: StaticString = "Bearer "

  /// The whole field value; the token is sent as it is.
  package static func value(token: Secret) throws(CredentialFault) -> Secret {
    if let fault = CredentialCheck.fault(ofToken: token) { throw fault }
    return Secret(count: scheme.utf8CodeUnitCount + token.count) { target in
      var writer = AuthorizationWriter(target)
      writer.append(scheme)
      token.withBytes { writer.append($0) }
    }
  }
}
