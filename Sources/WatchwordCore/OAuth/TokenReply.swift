package import WatchwordVocabulary

/// A token as an authorization server issued it.
package struct IssuedToken: Sendable, Equatable {
  package let token: Secret
  /// Seconds from its issue on; nil: the server does not say.
  package let lifetime: Double?
  /// Takes the place of the one that was sent (RFC 6749 §6).
  package let refreshToken: Secret?

  package init(_ token: Secret, lifetime: Double? = nil, refreshToken: Secret? = nil) {
    self.token = token
    self.lifetime = lifetime
    self.refreshToken = refreshToken
  }
}

/// Judges what a token endpoint has answered (RFC 6749 §5). Nothing of an answer becomes part of an error.
package enum TokenReply {
  /// Of a response's body: tokens with many claims reach several KiB.
  package static let maximumBytes = 131_072

  /// The members of a reply's JSON object; nil where one is missing.
  package struct Members: Sendable, Equatable {
    package var accessToken: Secret?
    package var tokenType: String?
    package var expiresIn: Double?
    package var refreshToken: Secret?
    package var error: String?
    // Of a device authorization endpoint (RFC 8628 §3.2).
    package var deviceCode: Secret?
    package var userCode: String?
    package var verificationURI: String?
    package var completeURI: String?
    package var interval: Double?

    package init() {}
  }

  /// What arrived, as far as it counts.
  package struct Answer: Sendable, Equatable {
    package let status: Int
    /// Nil when the body is not a JSON object, or one of its members has another type than
    /// it must have.
    package let members: Members?

    package init(status: Int, _ members: Members?) {
      self.status = status
      self.members = members
    }
  }

  /// Longer ones say nothing that could be planned for.
  private static let lifetimes = 1.0...315_360_000.0

  package static func token(of answer: Answer) -> Result<IssuedToken, SourceFault> {
    if let fault = fault(of: answer) { return .failure(fault) }
    guard let members = answer.members, let token = members.accessToken,
      CredentialCheck.fault(ofToken: token) == nil
    else { return .failure(.malformed) }
    // No other type can be sent as a bearer token (RFC 6749 §7.1); servers leave out this one.
    guard members.tokenType?.asciiLowercased ?? "bearer" == "bearer" else { return .failure(.unfit) }
    if let lifetime = members.expiresIn, !lifetimes.contains(lifetime) { return .failure(.malformed) }
    if let refreshToken = members.refreshToken, !isVisible(refreshToken) { return .failure(.malformed) }
    return .success(
      IssuedToken(token, lifetime: members.expiresIn, refreshToken: members.refreshToken))
  }

  /// Whether a text can be sent as a refresh token (RFC 6749, appendix A.17).
  package static func isVisible(_ secret: Secret) -> Bool {
    !secret.isEmpty && secret.withBytes { $0.allSatisfy(OAuthText.isVisible) }
  }

  /// Why a reply holds no success; nil when it may. An error counts whatever the status says.
  static func fault(of answer: Answer) -> SourceFault? {
    switch answer.status {
    case 300..<400: return .redirected
    case 429, 500...: return .unavailable
    default: break
    }
    if let error = answer.members?.error { return fault(of: error) }
    switch answer.status {
    case 200..<300: return answer.members == nil ? .malformed : nil
    case 401: return .clientRefused
    default: return .requestRefused
    }
  }

  /// RFC 6749 §5.2.
  private static func fault(of error: String) -> SourceFault {
    switch error {
    case "invalid_client", "unauthorized_client": .clientRefused
    case "invalid_grant": .grantRefused
    case "temporarily_unavailable", "server_error": .unavailable
    default: .requestRefused
    }
  }
}
