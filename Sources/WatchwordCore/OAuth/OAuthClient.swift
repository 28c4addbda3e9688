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

  package let grant: Grant
  package let tokenEndpoint: RequestURL
  /// Of `deviceCode` only.
  package let deviceEndpoint: RequestURL?
  package let identifier: String
  package let scope: String?

  package init(
    grant: Grant, tokenEndpoint: RequestURL, deviceEndpoint: RequestURL? = nil, identifier: String,
    scope: String? = nil
  ) {
    self.grant = grant
    self.tokenEndpoint = tokenEndpoint
    self.deviceEndpoint = deviceEndpoint
    self.identifier = identifier
    self.scope = scope
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
