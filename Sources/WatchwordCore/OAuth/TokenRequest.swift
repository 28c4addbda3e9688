package import WatchwordSecret
package import WatchwordVocabulary

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

  /// - Parameter secret: the client's; nil for a public client, which is named in the content (RFC 6749 §3.2.1).
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
