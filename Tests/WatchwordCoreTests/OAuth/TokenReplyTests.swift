import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// What an endpoint that lies may say (RFC 6749 §5).
struct TokenReplies {
  private static func members(
    _ token: String? = "token", type: String? = "bearer", lifetime: Double? = nil,
    refreshToken: String? = nil, error: String? = nil
  ) -> TokenReply.Members {
    var members = TokenReply.Members()
    members.accessToken = token.map { Secret($0.utf8) }
    members.tokenType = type
    members.expiresIn = lifetime
    members.refreshToken = refreshToken.map { Secret($0.utf8) }
    members.error = error
    return members
  }

  private static func fault(_ status: Int, _ members: TokenReply.Members?) -> SourceFault? {
    switch TokenReply.token(of: TokenReply.Answer(status: status, members)) {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  /// Servers leave it out, too.
  @Test(arguments: ["bearer", "Bearer", "BEARER", nil]) func theTypeIsBearerInAnyCase(_ type: String?) {
    #expect(Self.fault(200, Self.members(type: type)) == nil)
  }

  /// Tokens are opaque (challenges.md 5.5).
  @Test(arguments: ["tök", "a=b", "perm:x", "1|x"]) func aTokenHasAnyOctetsThatAFieldMayHave(_ token: String)
  {
    #expect(Self.fault(200, Self.members(token)) == nil)
  }

  @Test(arguments: [
    (members(nil), SourceFault.malformed), (members(""), .malformed), (members("a\r\nb"), .malformed),
    (members("a b"), .malformed),
    (members(String(repeating: "a", count: 65_537)), .malformed),
    (members(type: "mac"), .unfit), (members(type: "DPoP"), .unfit),
    (members(lifetime: 0), .malformed), (members(lifetime: -1), .malformed),
    (members(lifetime: 1e300), .malformed), (members(lifetime: .infinity), .malformed),
    (members(lifetime: .nan), .malformed), (members(refreshToken: ""), .malformed),
    (members(refreshToken: "a\nb"), .malformed), (members(error: "invalid_grant"), .grantRefused),
    (members(error: "none of ours"), .requestRefused),
  ])
  func aSuccessThatIsNoneIsAFault(_ members: TokenReply.Members, _ fault: SourceFault) {
    #expect(Self.fault(200, members) == fault)
  }

  @Test(arguments: [
    (301, SourceFault.redirected), (307, .redirected), (400, .requestRefused), (401, .clientRefused),
    (404, .requestRefused), (429, .unavailable), (500, .unavailable), (503, .unavailable),
    (599, .unavailable),
  ])
  func aStatusCountsEvenWithAToken(_ status: Int, _ fault: SourceFault) {
    #expect(Self.fault(status, nil) == fault)
    #expect(Self.fault(status, Self.members()) == fault)
  }

  @Test(arguments: [
    ("invalid_client", SourceFault.clientRefused), ("unauthorized_client", .clientRefused),
    ("invalid_grant", .grantRefused), ("temporarily_unavailable", .unavailable),
    ("invalid_scope", .requestRefused), ("", .requestRefused),
  ])
  func anErrorHasItsMeaning(_ error: String, _ fault: SourceFault) {
    #expect(Self.fault(400, Self.members(nil, error: error)) == fault)
  }

  @Test func whatIsNoJSONIsMalformed() {
    #expect(Self.fault(200, nil) == .malformed)
  }
}

/// RFC 6749 §2.3.1 and appendix B.
struct TokenRequests {
  private static func request(
    _ purpose: TokenRequest.Purpose, identifier: String = "a b", scope: String? = nil, secret: String?,
    in place: OAuthClient.SecretPlace = .header, audience: String? = nil, resources: [String] = []
  ) throws -> TokenRequest {
    let url = RequestURL(
      origin: Origin(scheme: .https, host: "id.test", port: 443), path: "/token", query: nil)
    let client = OAuthClient(
      grant: .clientCredentials, tokenEndpoint: url, deviceEndpoint: url, identifier: identifier,
      secretPlace: place, scope: scope, audience: audience, resources: resources)
    return try TokenRequest(purpose, of: client, secret: secret.map { Secret($0.utf8) })
  }

  private static func text(_ secret: Secret?) -> String? {
    secret?.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aClientWithASecretUsesBasic() throws {
    let request = try Self.request(.clientCredentials, identifier: "a:b", scope: "read write", secret: "p+ä")
    // a%3Ab:p%2B%C3%A4
    #expect(Self.text(request.authorization) == "Basic YSUzQWI6cCUyQiVDMyVBNA==")
    #expect(Self.text(request.content) == "grant_type=client_credentials&scope=read+write")
  }

  /// `client_secret_post` of RFC 7591 §2.
  @Test func aSecretIsInTheContentWhereTheServerWantsItThere() throws {
    let request = try Self.request(.clientCredentials, identifier: "a:b", secret: "p+ä", in: .body)
    #expect(request.authorization == nil)
    #expect(
      Self.text(request.content)
        == "grant_type=client_credentials&client_id=a%3Ab&client_secret=p%2B%C3%A4")
    let unnamed = try Self.request(.clientCredentials, secret: nil, in: .body)
    #expect(Self.text(unnamed.content) == "grant_type=client_credentials&client_id=a+b")
  }

  /// RFC 8707 §2: `resource` may be there more than once. A code is for what it was asked for.
  @Test func whatATokenIsForIsSaidWhereItIsAskedFor() throws {
    let resources = ["https://api.test/", "urn:a:b"]
    let named = "audience=api%2F+1&resource=https%3A%2F%2Fapi.test%2F&resource=urn%3Aa%3Ab"
    let code = Secret("c".utf8)
    for purpose in [
      TokenRequest.Purpose.clientCredentials, .refresh(nil), .deviceAuthorization, .deviceCode(code),
    ] {
      let request = try Self.request(purpose, secret: nil, audience: "api/ 1", resources: resources)
      #expect(Self.text(request.content)?.contains(named) == (purpose != .deviceCode(code)))
    }
  }

  @Test(arguments: [
    ("https://api.test/", true), ("urn:a:b", true), ("api://1", true), ("", false), ("api", false),
    ("/a", false),
    ("https://api.test/#a", false), ("https://api.test/ a", false), ("https://ä.test/", false),
    ("1a:b", false),
    ("a:", false),
  ])
  func aResourceIsAnAbsoluteURIWithoutFragment(_ text: String, _ isOne: Bool) {
    #expect(OAuthClient.isResource(text) == isOne)
  }

  @Test func aPublicClientIsNamedInTheContent() throws {
    let request = try Self.request(.refresh(Secret("r&=".utf8)), secret: nil)
    #expect(request.authorization == nil)
    #expect(Self.text(request.content) == "grant_type=refresh_token&refresh_token=r%26%3D&client_id=a+b")
  }

  @Test(arguments: [
    ("read", true), ("read write", true), ("a:b/c", true), ("", false), (" read", false), ("a  b", false),
    ("a\"b", false), ("a\\b", false), ("ä", false), ("a\nb", false),
  ])
  func aScopeIsWords(_ text: String, _ isScope: Bool) {
    #expect(OAuthClient.isScope(text) == isScope)
  }

  /// RFC 6749, appendix A.1; an empty one names no client.
  @Test(arguments: [("a", true), ("a b~", true), ("", false), ("a\u{7}", false), ("ä", false)])
  func anIdentifierOfAClientIsVisible(_ text: String, _ isOne: Bool) {
    #expect(OAuthClient.isIdentifier(text) == isOne)
  }
}
