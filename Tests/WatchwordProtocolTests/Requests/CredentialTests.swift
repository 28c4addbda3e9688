import Testing
import WatchwordCore
import WatchwordProtocol
import WatchwordVocabulary

@Suite struct CredentialParametersTests {
  private static let space =
    #""protectionSpace":{"protocol":"https","host":"A.Test","realm":"staff","authenticationMethod":"basic"}"#
  private static let password = #""credential":{"user":"reader","password":"sesame"}"#

  private func set(_ text: String) throws -> CredentialSetParameters {
    try CredentialSetParameters(try parameters(text))
  }

  @Test func aPasswordIsRead() throws {
    let set = try set("{\(Self.space),\(Self.password)}")
    #expect(set.session == nil && set.default)
    #expect(
      set.protectionSpace == [
        ProtectionSpace(
          origin: Origin(scheme: .https, host: "a.test", port: 443), realm: "staff",
          authenticationMethod: .basic)
      ])
    let credential = try #require(set.credential.complete)
    #expect(credential.kind == .password(user: "reader", password: Secret("sesame".utf8)))
    #expect(credential.persistence == .forSession)
    #expect(credential.limits == CredentialLimits())
    #expect(!"\(set)".contains("sesame"))
  }

  @Test func aTokenAndEveryLimitIsRead() throws {
    let set = try set(
      #"""
      {"session":"s","default":false,
       "protectionSpace":{"protocol":"http","host":"[::1]","port":8080,"realm":null,"isProxy":true,"proxyType":null,
         "authenticationMethod":"bearer"},
       "credential":{"token":"t0ken","persistence":"none","limits":{"idleSeconds":1,"lifetimeSeconds":2.5,
         "notAfter":"2026-11-21T12:05:00Z","pathPrefixes":["/a","/b/"],"methods":["GET","PROPFIND"],
         "maximumUses":3,"confirm":true}}}
      """#)
    #expect(set.session == "s" && !set.default)
    #expect(
      set.protectionSpace == [
        ProtectionSpace(
          origin: Origin(scheme: .http, host: "::1", port: 8080), realm: nil, authenticationMethod: .bearer,
          proxyType: .http)
      ])
    let credential = try #require(set.credential.complete)
    #expect(credential.kind == .token(Secret("t0ken".utf8)))
    #expect(credential.persistence == .none)
    var limits = CredentialLimits()
    limits.idleSeconds = 1
    limits.lifetimeSeconds = 2.5
    limits.notAfter = 1_795_262_700
    limits.pathPrefixes = ["/a", "/b/"]
    limits.methods = ["GET", "PROPFIND"]
    limits.maximumUses = 3
    limits.confirm = true
    #expect(credential.limits == limits)
  }

  @Test func aFileOfKerberosIsReadLater() throws {
    func file(_ kerberos: String) throws -> KerberosFile? {
      let set = try set("{\(Self.space),\"credential\":{\"kerberos\":\(kerberos),\"persistence\":\"none\"}}")
      guard case .kerberosFile(let file, persistence: .none, limits: CredentialLimits()) = set.credential
      else {
        return nil
      }
      return file
    }
    let path = "params.credential.kerberos"
    #expect(
      try file(#"{"cache":{"descriptor":15}}"#)
        == KerberosFile(content: .cache, descriptor: 15, path: path + ".cache.descriptor"))
    #expect(
      try file(#"{"keytab":{"descriptor":0},"principal":"robot"}"#)
        == KerberosFile(
          content: .keytab(principal: "robot"), descriptor: 0, path: path + ".keytab.descriptor"))
    #expect(KerberosFile.Content.cache.source(Secret("a".utf8)) == .cache(Secret("a".utf8)))
  }

  @Test func aSecretIsBounded() {
    let longest = String(repeating: "s", count: 65_536)
    func verdict(_ secret: String) -> String {
      MethodUnderTest.credentialSet.verdict("{\(Self.space),\"credential\":{\"token\":\"\(secret)\"}}")
    }
    #expect(verdict(longest) == "taken")
    #expect(verdict(longest + "s") == "invalidParams params.credential.token")
  }

  /// NSURLAuthenticationMethodDefault.
  @Test func theMethodDefaultStandsForBasicAndDigest() throws {
    let set = try set(
      #"{"protectionSpace":{"protocol":"http","host":"h","authenticationMethod":"default"},\#(Self.password)}"#
    )
    #expect(set.protectionSpace.map(\.authenticationMethod) == [.basic, .digest])
    #expect(set.protectionSpace.allSatisfy { $0.origin.port == 80 && $0.realm == nil && !$0.isProxy })
  }

  @Test func whatIsWrongWithACredentialIsNamed() {
    MethodUnderTest.credentialSet.expectRefusals(
      [
        (#"null"#, "credential"), ("1", "credential"), ("{}", "credential"),
        (#"{"user":"a"}"#, "credential.password"), (#"{"password":"a"}"#, "credential.user"),
        (#"{"user":"a","password":1}"#, "credential.password"),
        (#"{"user":1,"password":"a"}"#, "credential.user"),
        (#"{"token":["a"]}"#, "credential.token"),
        (#"{"user":"a","password":"b","token":"c"}"#, "credential.token"),
        (#"{"user":"a","token":"c"}"#, "credential.token"),
        (#"{"user":"a","password":"b","persistence":"forever"}"#, "credential.persistence"),
        (#"{"user":"a","password":"b","persistance":"none"}"#, "credential.persistance"),
        (#"{"user":"a","password":"b","limits":[]}"#, "credential.limits"),
        (#"{"user":"a","password":"b","limits":{"maximumUse":1}}"#, "credential.limits.maximumUse"),
        (#"{"user":"a","password":"b","limits":{"maximumUses":0}}"#, "credential.limits.maximumUses"),
        (#"{"user":"a","password":"b","limits":{"maximumUses":1.5}}"#, "credential.limits.maximumUses"),
        (#"{"user":"a","password":"b","limits":{"idleSeconds":-1}}"#, "credential.limits.idleSeconds"),
        (#"{"user":"a","password":"b","limits":{"notAfter":"tomorrow"}}"#, "credential.limits.notAfter"),
        (#"{"user":"a","password":"b","limits":{"notAfter":1}}"#, "credential.limits.notAfter"),
        (#"{"user":"a","password":"b","limits":{"pathPrefixes":[]}}"#, "credential.limits.pathPrefixes"),
        (
          #"{"user":"a","password":"b","limits":{"pathPrefixes":["/a","b"]}}"#,
          "credential.limits.pathPrefixes[1]"
        ),
        (#"{"user":"a","password":"b","limits":{"methods":[]}}"#, "credential.limits.methods"),
        (#"{"user":"a","password":"b","limits":{"methods":["GET","B AD"]}}"#, "credential.limits.methods[1]"),
        (#"{"user":"a","password":"b","limits":{"methods":["GET",""]}}"#, "credential.limits.methods[1]"),
        (#"{"user":"a","password":"b","limits":{"confirm":"yes"}}"#, "credential.limits.confirm"),
        (#"{"kerberos":{"cache":{"descriptor":16}}}"#, "credential.kerberos.cache.descriptor"),
        (#"{"kerberos":{"cache":{"descriptor":0},"principal":"a"}}"#, "credential.kerberos.principal"),
        (#"{"kerberos":{"keytab":{"descriptor":0}}}"#, "credential.kerberos.principal"),
        (#"{"kerberos":{"cache":{"base64":""}}}"#, "credential.kerberos.cache.base64"),
        (#"{"kerberos":{"cache":{}}}"#, "credential.kerberos.cache"),
      ].map { "{\(Self.space),\"credential\":\($0.0)} => .\($0.1)" }.joined(separator: "\n"))
    #expect(MethodUnderTest.credentialSet.verdict("{\(Self.space)}") == "invalidParams params.credential")
  }

  @Test func aCredentialForAnotherMethodIsUnusable() {
    let text = #""identity":"i1""#
    #expect(
      MethodUnderTest.credentialSet.verdict("{\(Self.space),\"credential\":{\(text)}}")
        == "credentialUnusable")
  }

  @Test func whatIsWrongWithASpaceIsNamed() {
    let lines = #"""
      1 =>
      {} => .protocol
      {"protocol":"ftp","host":"h","authenticationMethod":"basic"} => .protocol
      {"protocol":"http","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"a b","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"a/b","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"a?b","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"u@a","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"a:80","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"[]","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"[::1","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"a\n","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"bücher.test","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"ban\u212a.test","authenticationMethod":"basic"} => .host
      {"protocol":"http","host":"h","port":0,"authenticationMethod":"basic"} => .port
      {"protocol":"http","host":"h","port":65536,"authenticationMethod":"basic"} => .port
      {"protocol":"http","host":"h","port":"80","authenticationMethod":"basic"} => .port
      {"protocol":"http","host":"h","realm":1,"authenticationMethod":"basic"} => .realm
      {"protocol":"http","host":"h","isProxy":0,"authenticationMethod":"basic"} => .isProxy
      {"protocol":"http","host":"h","port":1,"proxyType":"https","authenticationMethod":"basic"} => .proxyType
      {"protocol":"http","host":"h","port":1,"isProxy":false,"proxyType":"http","authenticationMethod":"basic"} => .proxyType
      {"protocol":"socks5","host":"h","port":1,"authenticationMethod":"basic"} => .isProxy
      {"protocol":"http","host":"h","isProxy":true,"authenticationMethod":"basic"} => .port
      {"protocol":"http","host":"h"} => .authenticationMethod
      {"protocol":"http","host":"h","authenticationMethod":"Basic"} => .authenticationMethod
      {"protocol":"http","host":"h","authenticationMethod":"basic","path":"/"} => .path
      """#
    for (method, rest) in [
      (MethodUnderTest.credentialSet, Self.password), (.credentialRemove, #""user":"u""#),
      (.credentialSetDefault, #""user":"u""#),
    ] {
      for line in lines.split(separator: "\n") {
        let parts = line.split(separator: " =>", omittingEmptySubsequences: false)
        let path = String(parts[1].drop(while: { $0 == " " }))
        #expect(
          method.verdict("{\"protectionSpace\":\(parts[0]),\(rest)}")
            == "invalidParams params.protectionSpace\(path)", "\(line)")
      }
      #expect(method.verdict("{\(rest)}") == "invalidParams params.protectionSpace")
      #expect(method.verdict("{\(Self.space),\(rest)}") == "taken")
      #expect(method.verdict("{\(Self.space),\(rest),\"sesion\":\"s\"}") == "invalidParams params.sesion")
    }
    #expect(MethodUnderTest.credentialRemove.verdict("{\(Self.space)}") == "taken")
    #expect(MethodUnderTest.credentialSetDefault.verdict("{\(Self.space)}") == "invalidParams params.user")
  }
}
