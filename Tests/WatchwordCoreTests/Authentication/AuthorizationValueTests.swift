import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct AuthorizationValueTests {
  /// RFC 7617 §2 and §2.1, then one for each length of padding.
  @Test(arguments: [
    ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    ("test", "123£", "Basic dGVzdDoxMjPCow=="),
    ("", "", "Basic Og=="),
    ("a", "", "Basic YTo="),
    ("a", "b", "Basic YTpi"),
    ("ÿ~", "???>", "Basic w79+Oj8/Pz4="),
    ("user", "pass:word", "Basic dXNlcjpwYXNzOndvcmQ="),
  ])
  func basicIsBase64OfUTF8(user: String, password: String, expected: String) throws {
    let value = try BasicAuthorization.value(user: user, password: secret(password))
    #expect(text(of: value) == expected)
  }

  /// A server that states its charset takes texts only.
  @Test func basicSendsOctetsWhereNoCharsetIsStated() throws {
    let octets = Secret([0x63, 0x61, 0x66, 0xE9])
    let value = try BasicAuthorization.value(user: "a", password: octets)
    #expect(text(of: value) == "Basic YTpjYWbp")
    #expect(throws: CredentialFault.notUTF8) {
      try BasicAuthorization.value(user: "a", password: octets, isComposed: true)
    }
  }

  @Test func basicRefusesWhatItCannotSay() {
    #expect(throws: CredentialFault.colonInUser) {
      try BasicAuthorization.value(user: "a:b", password: secret("p"))
    }
    #expect(throws: CredentialFault.controlCharacter) {
      try BasicAuthorization.value(user: "a", password: secret("p\r\nX: y"))
    }
  }

  @Test func bearerIsTheTokenAsItIs() throws {
    #expect(
      text(of: try BearerAuthorization.value(token: secret("mF_9.B5f-4.1JqM"))) == "Bearer mF_9.B5f-4.1JqM")
    #expect(throws: CredentialFault.malformedToken) { try BearerAuthorization.value(token: secret("a b")) }
  }

  @Test func valuesDoNotShowThemselves() throws {
    let value = try BasicAuthorization.value(user: "a", password: secret("b"))
    #expect("\(value)" == "<secret>")
  }
}
