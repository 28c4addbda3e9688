internal import WatchwordPrimitives
package import WatchwordVocabulary

/// What the daemon is to an authorization server, as the administrator has registered it (RFC 6749 §2).
package struct OAuthClient: Sendable, Equatable {
  /// What a token is asked for with.
  package enum Grant: String, Sendable, CaseIterable {
    /// RFC 6749 §4.4.
    case clientCredentials
    /// RFC 6749 §6.
    case refreshToken
    /// RFC 8628: a person approves at a page of the authorization server.
    case deviceCode
  }

  /// Where the client's secret is in a request (RFC 6749 §2.3.1).
  package enum SecretPlace: String, Sendable, CaseIterable {
    /// In `Authorization`, by Basic, which every server has to take.
    case header
    /// In the content, for servers that take it there only.
    case body
  }

  package let grant: Grant
  package let tokenEndpoint: RequestURL
  /// Of `deviceCode` only.
  package let deviceEndpoint: RequestURL?
  package let identifier: String
  package let secretPlace: SecretPlace
  package let scope: String?
  /// Whom the token is for, as some servers want to be told; no RFC defines it for these grants.
  package let audience: String?
  /// Which servers the token is for (RFC 8707 §2).
  package let resources: [String]

  package init(
    grant: Grant, tokenEndpoint: RequestURL, deviceEndpoint: RequestURL? = nil, identifier: String,
    secretPlace: SecretPlace = .header, scope: String? = nil, audience: String? = nil,
    resources: [String] = []
  ) {
    self.grant = grant
    self.tokenEndpoint = tokenEndpoint
    self.deviceEndpoint = deviceEndpoint
    self.identifier = identifier
    self.secretPlace = secretPlace
    self.scope = scope
    self.audience = audience
    self.resources = resources
  }

  /// `resource` of RFC 8707 §2: an absolute URI without a fragment.
  package static func isResource(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, ASCIICase.isLetter(first), !parts[1].isEmpty else {
      return false
    }
    return parts[0].allSatisfy { ASCIICase.isLetter($0) || "0123456789+-.".utf8.contains($0) }
      && parts[1].allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
  }

  /// `client-id` of RFC 6749, appendix A.1; an empty one names no client.
  package static func isIdentifier(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { OAuthText.isVisible($0) }
  }

  /// `scope` of RFC 6749 §3.3: words with one space between them.
  package static func isScope(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty
        && word.allSatisfy {
          (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
    }
  }
}

/// The characters of OAuth's texts (RFC 6749, appendix A).
enum OAuthText {
  /// `VSCHAR`.
  static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }
}
