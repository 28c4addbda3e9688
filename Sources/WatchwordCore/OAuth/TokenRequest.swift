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

/// One request to an authorization server, ready to be sent by POST as `application/x-www-form-urlencoded`.
package struct TokenRequest: Sendable, Equatable {
  /// What is asked for.
  package enum Purpose: Sendable, Equatable {
    case clientCredentials
    /// With this refresh token; nil: with that of the administrator's file.
    case refresh(Secret?)
    /// A code that a person approves (RFC 8628 §3.1).
    case deviceAuthorization
    /// Has a person approved this code (RFC 8628 §3.4)?
    case deviceCode(Secret)
  }

  package let url: RequestURL
  package let content: Secret
  /// The whole value of `Authorization`; nil for a public client.
  package let authorization: Secret?

  /// - Parameter secret: the client's; nil for a public client, which is named in the content (RFC 6749
  ///   §3.2.1).
  /// - Throws: `unfit` when the client's identifier and secret cannot be sent.
  package init(
    _ purpose: Purpose, of client: OAuthClient, secret: Secret?
  ) throws(SourceFault) {
    var form = FormWriter()
    var endpoint: RequestURL? = client.tokenEndpoint
    // A code is for what it was asked for.
    var namesTarget = true
    switch purpose {
    case .clientCredentials:
      form.add("grant_type", "client_credentials")
    case .refresh(let token):
      form.add("grant_type", "refresh_token")
      if let token { form.add("refresh_token", token) }
    case .deviceAuthorization: endpoint = client.deviceEndpoint
    case .deviceCode(let code):
      form.add("grant_type", "urn:ietf:params:oauth:grant-type:device_code")
      form.add("device_code", code)
      namesTarget = false
    }
    guard let endpoint else { throw .unfit }
    if namesTarget { form.add(targetOf: client) }
    if let secret, client.secretPlace == .header {
      authorization = try Self.authorization(client.identifier, secret)
    } else {
      form.add("client_id", client.identifier)
      if let secret { form.add("client_secret", secret) }
      authorization = nil
    }
    url = endpoint
    content = form.content
  }

  /// Both are encoded as in a form before Basic encodes them (RFC 6749 §2.3.1).
  private static func authorization(_ identifier: String, _ secret: Secret) throws(SourceFault) -> Secret {
    do throws(CredentialFault) {
      return try BasicAuthorization.value(
        user: FormEncoding.text(identifier), password: FormEncoding.secret(secret))
    } catch {
      throw .unfit
    }
  }
}

/// `name=value&…`, in memory that is wiped.
private struct FormWriter {
  private var parts: [Secret] = []

  var content: Secret { Secret(joining: parts) }

  mutating func add(_ name: String, _ value: String) {
    parts.append(Secret("\(separator)\(name)=\(FormEncoding.text(value))".utf8))
  }

  mutating func add(_ name: String, _ value: Secret) {
    parts.append(Secret("\(separator)\(name)=".utf8))
    parts.append(FormEncoding.secret(value))
  }

  /// What the token is to open.
  mutating func add(targetOf client: OAuthClient) {
    if let scope = client.scope { add("scope", scope) }
    if let audience = client.audience { add("audience", audience) }
    for resource in client.resources { add("resource", resource) }
  }

  private var separator: String { parts.isEmpty ? "" : "&" }
}
