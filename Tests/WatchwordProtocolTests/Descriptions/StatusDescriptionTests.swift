import Testing
import WatchwordJSON
import WatchwordMessages
import WatchwordProtocol
import WatchwordTestSupport
import WatchwordVocabulary

@testable import WatchwordCore

/// Sessions, credentials and the daemon as they are shown.
@Suite struct StatusDescriptionTests {
  private static let password = "correct horse battery staple"
  private static let space = ProtectionSpace(
    origin: Origin(scheme: .https, host: "a.test", port: 443), realm: "staff", authenticationMethod: .basic)

  private static func memory(_ credential: Credential) -> SessionMemory {
    let memory = SessionMemory()
    memory.store(credential, for: space, isDefault: true, owner: 4711, now: 100)
    return memory
  }

  private static func shown(_ credential: Credential) throws -> JSONValue? {
    guard let cached = memory(credential).all.first else { return nil }
    let description = Sent.StoredCredential(cached, now: 160, wallClock: 1_795_262_700)
    return try parse(written(description.write))
  }

  @Test func aPasswordIsShownWithoutItself() throws {
    let expected = #"""
      {"protectionSpace":{"protocol":"https","host":"a.test","port":443,"realm":"staff",
         "authenticationMethod":"basic","isProxy":false},
       "user":"reader","kind":"password","persistence":"forSession","isDefault":true,"source":"session","readable":false,"preemptive":false,"limits":{},
       "uses":0,"lastUsed":null,"created":"2026-11-21T12:04:00Z","secondsLeft":null}
      """#
    let credential = Credential(.password(user: "reader", password: Secret(Self.password.utf8)))
    #expect(try Self.shown(credential) == (try parse(expected)))
  }

  @Test func aTokenHasNoUserAndItsLimitsAreShown() throws {
    var limits = CredentialLimits()
    limits.lifetimeSeconds = 90
    limits.notAfter = 1_795_262_700 + 3600
    limits.pathPrefixes = ["/a"]
    limits.methods = ["GET"]
    limits.maximumUses = 3
    limits.confirm = true
    let shown = try Self.shown(Credential(.token(Secret(Self.password.utf8)), limits: limits))
    #expect(shown?["user"] == .null)
    #expect(shown?["kind"] == .string("token"))
    #expect(shown?["secondsLeft"] == .real(30))
    let expected = #"""
      {"lifetimeSeconds":90.0,"notAfter":"2026-11-21T13:05:00Z","pathPrefixes":["/a"],"methods":["GET"],
       "maximumUses":3,"confirm":true}
      """#
    #expect(try shown?["limits"] == parse(expected))
  }
}
