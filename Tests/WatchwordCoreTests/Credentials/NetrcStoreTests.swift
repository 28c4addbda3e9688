import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Entries of a netrc, and what servers have refused of them (storage.md 9.2.6).
struct NetrcStoreTests {
  private static let text = """
    machine a.example login joe password 1
    machine a.example login ann password 2
    machine b.example login joe password 3
    """

  private func store() throws -> NetrcStore { NetrcStore(try Netrc(text: TaskScene.secret(Self.text))) }

  private func space(_ host: String = "a.example", _ realm: String = "r") -> ProtectionSpace {
    ProtectionSpace(
      origin: Origin(scheme: .https, host: host, port: 443), realm: OctetString(realm),
      authenticationMethod: .basic)
  }

  @Test(
    arguments: [
      ("a.example", nil, "joe"), ("a.example", "ann", "ann"), ("a.example", "eve", nil),
      ("b.example", nil, "joe"), ("b.example", "ann", nil), ("c.example", nil, nil),
    ] as [(String, String?, String?)])
  func theFirstEntryOfTheHostAndUserCounts(host: String, named: String?, user: String?) throws {
    let store = try store()
    #expect(store.credential(for: space(host), user: named)?.user == user)
    #expect(store.user(for: space(host).origin, named: named) == user)
    #expect(store.refused(at: space(host).origin, named: named) == nil)
    #expect(NetrcStore(nil).credential(for: space(host), user: named) == nil)
  }

  @Test func noProxyGetsAnEntry() throws {
    let proxy = ProtectionSpace(
      origin: space().origin, realm: "r", authenticationMethod: .basic, proxyType: .https)
    #expect(try store().credential(for: proxy, user: nil) == nil)
  }

  @Test func aRefusalConcernsItsUserSpaceAndOrigin() throws {
    var store = try store()
    store.noteRefusal(of: "joe", in: space())
    #expect(store.credential(for: space(), user: nil) == nil)
    #expect(store.credential(for: space(), user: "ann") != nil)
    #expect(store.credential(for: space("a.example", "s"), user: nil) != nil)
    let key = CredentialKey(space: space(), user: "joe")
    #expect(store.refused(at: space().origin, named: nil) == key)
    #expect(store.refused(at: space().origin, named: "joe") == key)
    #expect(store.refused(at: space().origin, named: "ann") == nil)
    #expect(store.refused(at: space("b.example").origin, named: "joe") == nil)
    #expect(store.refused(at: space("c.example").origin, named: nil) == nil)
  }

  /// A server that names another realm each time ends the use of all.
  @Test func afterTooManyRefusalsNoEntryIsUsed() throws {
    var store = try store()
    for number in 0..<1023 { store.noteRefusal(of: "joe", in: space("a.example", "r\(number)")) }
    #expect(store.credential(for: space("b.example"), user: nil) != nil)
    for number in 1023..<1026 { store.noteRefusal(of: "joe", in: space("a.example", "r\(number)")) }
    #expect(store.credential(for: space("b.example"), user: nil) == nil)
    let one = store.forgetRefusals { $0 == space("a.example", "r7") }
    #expect(one == 1 && store.credential(for: space("b.example"), user: nil) != nil)
    let others = store.forgetRefusals { _ in true }
    #expect(others == 1023)
  }
}
