import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct CredentialCheckTests {
  private func password(_ user: String, _ password: String = "p") -> Credential {
    Credential(.password(user: user, password: secret(password)))
  }

  private func token(_ text: String) -> Credential { Credential(.token(secret(text))) }

  @Test(arguments: AuthenticationMethod.allCases)
  func everyMethodTakesItsKind(method: AuthenticationMethod) {
    let takesPassword: Bool
    let takesToken: Bool
    switch method {
    case .basic, .digest, .negotiate, .ntlm, .htmlForm: (takesPassword, takesToken) = (true, false)
    case .bearer, .key: (takesPassword, takesToken) = (false, true)
    case .serverTrust, .clientCertificate, .agentUnlock: (takesPassword, takesToken) = (false, false)
    }
    #expect((CredentialCheck.fault(of: password("u"), for: method) == .wrongKind) == !takesPassword)
    #expect((CredentialCheck.fault(of: token("t"), for: method) == .wrongKind) == !takesToken)
  }

  @Test(arguments: ["\r", "\n", "\0", "\t", "\u{1F}", "\u{7F}"])
  func controlCharactersAreRefusedEverywhere(character: String) {
    for method in [AuthenticationMethod.basic, .digest] {
      #expect(CredentialCheck.fault(of: password("a\(character)b"), for: method) == .controlCharacter)
      #expect(CredentialCheck.fault(of: password("a", "p\(character)"), for: method) == .controlCharacter)
    }
    #expect(CredentialCheck.fault(of: token("a\(character)b"), for: .bearer) == .controlCharacter)
  }

  @Test func colonIsRefusedInABasicUserOnly() {
    #expect(CredentialCheck.fault(of: password("a:b"), for: .basic) == .colonInUser)
    #expect(CredentialCheck.fault(of: password("a", ":b:"), for: .basic) == nil)
    #expect(CredentialCheck.fault(of: password("a:b"), for: .digest) == nil)
  }

  @Test(arguments: [AuthenticationMethod.digest, .ntlm, .negotiate, .htmlForm])
  func octetsAreForBasicOnly(method: AuthenticationMethod) {
    let octets = Credential(.password(user: "a", password: Secret([0xE9])), persistence: .forSession)
    #expect(CredentialCheck.fault(of: octets, for: .basic) == nil)
    #expect(CredentialCheck.fault(of: octets, for: method) == .notUTF8)
    #expect(CredentialCheck.fault(of: password("a", "é"), for: method) == nil)
  }

  @Test func emptyUserAndPasswordAreFine() {
    #expect(CredentialCheck.fault(of: password("", ""), for: .basic) == nil)
    #expect(CredentialCheck.fault(of: password("", ""), for: .digest) == nil)
  }

  @Test(arguments: [
    "a", "AZaz09-._~+/", "a=", "a==", "eyJ.eyJ.sig", "=", "perm:cm9vdA==.MQ==.x", "1|abc", "a=b", "a,b",
    "a\"", "tökén", "a:b",
  ])
  func tokenIsOpaque(text: String) {
    #expect(CredentialCheck.fault(of: token(text), for: .bearer) == nil)
  }

  @Test(arguments: ["", " ", "two words", "Bearer a", " a", "a "])
  func malformedTokenIsRefused(text: String) {
    #expect(CredentialCheck.fault(of: token(text), for: .bearer) == .malformedToken)
  }

  @Test func overlongPartsAreRefused() {
    let long = String(repeating: "a", count: CredentialCheck.maximumPasswordBytes + 1)
    #expect(CredentialCheck.fault(of: password(long), for: .basic) == .tooLong)
    #expect(CredentialCheck.fault(of: password("u", long), for: .digest) == .tooLong)
    let token = token(String(repeating: "a", count: CredentialCheck.maximumTokenBytes + 1))
    #expect(CredentialCheck.fault(of: token, for: .bearer) == .tooLong)
  }
}
