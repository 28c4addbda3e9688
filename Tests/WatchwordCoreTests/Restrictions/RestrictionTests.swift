import Testing
import WatchwordJSON
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// What the rules of a restricted connection allow.
struct RestrictionTests {
  private static let origin = Origin(scheme: .https, host: "a.example", port: 443)

  private static func url(_ path: String, query: String? = nil, host: String = "a.example") -> RequestURL {
    RequestURL(origin: Origin(scheme: .https, host: host, port: 443), path: path, query: query)
  }

  private static func pattern(_ path: String) -> PathPattern? {
    let isPrefix = path.hasSuffix("*")
    return PathPattern(url(isPrefix ? String(path.dropLast()) : path), isPrefix: isPrefix)
  }

  private static func restriction(
    _ path: String = "/v1/*", methods: Set<String>? = ["GET"], requestBytes: Int64? = nil,
    responseBytes: Int64? = nil, perMinute: Double? = nil, expires: Double? = nil
  ) throws -> Restriction {
    let rule = RestrictionRule(
      methods: methods, origin: origin, path: try #require(pattern(path)), requestBytes: requestBytes,
      responseBytes: responseBytes, perMinute: perMinute)
    return Restriction([rule], expires: expires, now: 0)
  }

  private static func reason(
    _ restriction: inout Restriction, _ url: RequestURL, method: String = "GET", fields: Set<String> = [],
    bodyBytes: Int64? = 0, now: Double = 0
  ) -> RestrictionFault.Reason? {
    do throws(RestrictionFault) {
      _ = try restriction.permit(method, url, fields: fields, bodyBytes: bodyBytes, now: now)
      return nil
    } catch {
      return error.reason
    }
  }

  @Test(arguments: [
    ("/v1/*", "/v1/", true), ("/v1/*", "/v1/a/b", true), ("/v1/*", "/v1", false), ("/v1/*", "/v10", false),
    ("/v1*", "/v10", true), ("/v1", "/v1", true), ("/v1", "/v1/", false), ("/v1", "/V1", false),
    ("/*", "/anything", true), ("/*", "/a/..%2fb", true),
    ("/v1/*", "/v1/../v2", false), ("/v1/*", "/v1/%2e%2e/v2", false), ("/v1/*", "/v1/%252e%252e/v2", false),
    ("/v1/*", "/v1/..%2fv2", false), ("/v1/*", "/v1/..%5cv2", false), ("/v1/*", "/v1/..;a/v2", false),
    ("/v1/*", "/v1/%c0%ae%c0%ae/v2", false), ("/v1/*", "/v1/%u002e%u002e/v2", false),
    ("/v1/*", "/v1/..%20%2b/v2", false), ("/v1/*", "/v1/..+/v2", false),
    // Of octets that are no UTF-8 in its shortest form every decoder makes something else.
    ("/v1/*", "/v1/%e9", false), ("/v1/*", "/v1/%ed%a0%80", false), ("/v1/*", "/v1/%f4%90%80%80", false),
    ("/v1/*", "/v1/%c3", false), ("/v1/*", "/v1/%c3%25a9", false), ("/v1/*", "/v1/%25c3%25a9", true),
    // Normalized, these are `..;x`, `..?` and `%2e%2e`.
    ("/v1/*", "/v1/..%ef%bc%9bx/v2", false), ("/v1/*", "/v1/..%cd%be/v2", false),
    ("/v1/*", "/v1/..%ef%bc%9f/v2", false), ("/v1/*", "/v1/%25%ef%bc%92%ef%bd%85./v2", false),
    ("/v1/*", "/v1/%ef%bc%92%ef%bd%85./v2", true), ("/v1/*", "/v1/%ef%bc%85%32%65./v2", false),
    // Without a letter for them a server drops characters, or takes them for a slash.
    ("/v1/*", "/v1/.%ef%b8%8f./v2", false), ("/v1/*", "/v1/..%e6%97%a5/v2", false),
    ("/v1/*", "/v1/..%e2%88%95v2", false), ("/v1/*", "/v1/%e6%97%a5..txt", true),
    ("/v1/*", "/%76%31/a", false), ("/v1/file", "/v1/f%69le", false),
  ])
  func pathsAreComparedAsTheyStand(pattern: String, path: String, isCovered: Bool) throws {
    #expect(try #require(Self.pattern(pattern)).covers(path) == isCovered)
  }

  @Test(arguments: RestrictedPath.all)
  func pathsOfOtherReadersAreJudgedAsTheirsAre(example: RestrictedPath) throws {
    let covers = try #require(Self.pattern(example.pattern)).covers(example.path)
    #expect(covers == example.isAllowed, "\(example.path)")
  }

  @Test func thereAreVectors() { #expect(RestrictedPath.all.count > 10) }

  /// The rule is Unicode's data, which is newer here than in the file or older.
  @Test func everyCodePointIsReadAsUnicodeSays() throws {
    let file = try parse(PathVectors.contents("deceptive_code_points.json"))
    let version = try #require(file["unicode"]).elements.map(\.number)
    let ranges = try #require(file["ranges"]).elements.map { $0.elements.map(\.number) }
    let listed = Set(ranges.flatMap { $0[0]...$0[1] })
    // Code pages of Windows have them for slashes.
    let added: Set = [0xA5, 0x20A9, 0x2044, 0x2215, 0x2216]
    let pattern = try #require(Self.pattern("/v1/*"))
    var compared = 0
    for value in 0x80...0x10_FFFF {
      guard let scalar = Unicode.Scalar(UInt32(value)), let age = scalar.properties.age,
        (age.major, age.minor) <= (version[0], version[1])
      else { continue }
      compared += 1
      let isRefused = listed.contains(value) || added.contains(value)
      if pattern.covers("/v1/a\(scalar)") == isRefused { Issue.record("U+\(String(value, radix: 16))") }
    }
    #expect(compared > 140_000)
  }

  @Test(arguments: ["/v1/../*", "/v1/%2e%2e/*", "/..%2f*", "/a/..;x/b"])
  func aRulesOwnPathMustNotClimb(path: String) { #expect(Self.pattern(path) == nil) }

  @Test func theRuleThatRefusesLastSaysWhy() throws {
    var restriction = try Self.restriction(requestBytes: 3)
    #expect(Self.reason(&restriction, Self.url("/v1/a", host: "b.example")) == .origin)
    #expect(Self.reason(&restriction, Self.url("/v2")) == .path)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), method: "POST") == .method)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), method: "get") == .method)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), bodyBytes: 4) == .requestBytes)
    #expect(Self.reason(&restriction, Self.url("/v1/a", query: "x=../.."), bodyBytes: 3) == nil)
    #expect(restriction.uses == 1)
  }

  @Test func anotherPortOrSchemeIsAnotherOrigin() throws {
    var restriction = try Self.restriction("/*")
    let port = RequestURL(
      origin: Origin(scheme: .https, host: "a.example", port: 8443), path: "/", query: nil)
    let scheme = RequestURL(
      origin: Origin(scheme: .http, host: "a.example", port: 443), path: "/", query: nil)
    #expect(Self.reason(&restriction, port) == .origin)
    #expect(Self.reason(&restriction, scheme) == .origin)
  }

  @Test(arguments: ["TRACE", "trace", "Trace", "TRACK", "track"])
  func noRuleAllowsTrace(method: String) throws {
    var restriction = try Self.restriction(methods: nil)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), method: method) == .method)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), method: "DELETE") == nil)
  }

  @Test func aStreamIsCountedWhileItIsSent() throws {
    var restriction = try Self.restriction(methods: ["PUT"], requestBytes: 3)
    let permit = try restriction.permit("PUT", Self.url("/v1/a"), fields: [], bodyBytes: nil, now: 0)
    #expect(permit.requestBytes == 3)
  }

  @Test func theRateFillsUpEvenly() throws {
    var restriction = try Self.restriction(perMinute: 2)
    let url = Self.url("/v1/a")
    #expect(Self.reason(&restriction, url) == nil)
    #expect(Self.reason(&restriction, url) == nil)
    do throws(RestrictionFault) {
      _ = try restriction.permit("GET", url, fields: [], bodyBytes: 0, now: 15)
      Issue.record("a third request in half a minute")
    } catch {
      #expect(error == RestrictionFault(.rate, to: Self.origin, retrySeconds: 15))
    }
    #expect(Self.reason(&restriction, url, now: 30) == nil)
    #expect(Self.reason(&restriction, url, now: 31) == .rate)
    // A long rest is worth a minute, and a clock that goes back is worth nothing.
    #expect(Self.reason(&restriction, url, now: 10_000) == nil)
    #expect(Self.reason(&restriction, url, now: 10_000) == nil)
    #expect(Self.reason(&restriction, url, now: 20) == .rate)
  }

  @Test func aRateBelowOneAllowsOneAtATime() throws {
    var restriction = try Self.restriction(perMinute: 0.5)
    #expect(Self.reason(&restriction, Self.url("/v1/a")) == nil)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), now: 119) == .rate)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), now: 121) == nil)
  }

  @Test func anotherRuleAllowsWhatTheFirstDoesNot() throws {
    let path = try #require(Self.pattern("/v1/*"))
    let narrow = RestrictionRule(methods: ["GET"], origin: Self.origin, path: path, perMinute: 1)
    let wide = RestrictionRule(methods: nil, origin: Self.origin, path: path, responseBytes: 7)
    var restriction = Restriction([narrow, wide], now: 0)
    let first = try restriction.permit("GET", Self.url("/v1/a"), fields: [], bodyBytes: 0, now: 0)
    let second = try restriction.permit("GET", Self.url("/v1/a"), fields: [], bodyBytes: 0, now: 0)
    #expect(first.responseBytes == nil)
    #expect(second.responseBytes == 7)
    #expect(restriction.entries.map(\.uses) == [1, 1])
  }

  @Test func nothingIsAllowedWhenItHasExpired() throws {
    var restriction = try Self.restriction(expires: 10)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), now: 9.9) == nil)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), now: 10) == .expired)
  }

  @Test(arguments: [
    "Host", "AUTHORIZATION", "cookie", "X-Forwarded-Host", "X-HTTP-Method-Override", "X-Original-URL",
    "X_Forwarded_Host", "x_http_method_override", "X-HTTP_Method-Override", "X.Original.URL",
    "Proxy_Authorization",
    "X_Rewrite-URL", "x_forwarded_",
  ])
  func fieldsThatSayOtherwiseMayNotBeSet(name: String) {
    #expect(!RestrictedFields.isOwn(name))
    #expect(!RestrictedFields.mayBeAdded(name))
  }

  @Test(arguments: ["X-Api-Version", "X_Api", "Referer"])
  func otherFieldsAreForARuleToAdd(name: String) {
    #expect(!RestrictedFields.isOwn(name))
    #expect(RestrictedFields.mayBeAdded(name))
  }

  @Test func aRuleAddsFieldsForItsOwnRequestsOnly() throws {
    let rules = try [("/v1/*", Set(["x-a"])), ("/v2/*", [])].map { path, fields in
      RestrictionRule(
        methods: ["GET"], origin: Self.origin, path: try #require(Self.pattern(path)), addedFields: fields)
    }
    var restriction = Restriction(rules, now: 0)
    let fields = RestrictedFields.added(in: [HeaderField("ACCEPT", "*/*"), HeaderField("X-A", "1")])
    #expect(fields == ["x-a"])
    #expect(restriction.adds("X-A"))
    #expect(!restriction.adds("X_A"))
    #expect(Self.reason(&restriction, Self.url("/v1/a"), fields: fields) == nil)
    #expect(Self.reason(&restriction, Self.url("/v1/a"), fields: ["x_a"]) == .field)
    #expect(Self.reason(&restriction, Self.url("/v2/a"), fields: fields) == .field)
    #expect(Self.reason(&restriction, Self.url("/v2/a")) == nil)
  }

  @Test func whatAServerGivesBackAsACredentialIsNotShown() {
    let fields = ["Set-Cookie", "ETag", "authentication-info", "Location"].map { HeaderField($0, "x") }
    #expect(RestrictedFields.shown(fields).map(\.name) == ["ETag", "Location"])
    #expect(RestrictedFields.isOwn("Accept"))
  }
}
