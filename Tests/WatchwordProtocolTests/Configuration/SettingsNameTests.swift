import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordProtocol

@Suite struct SettingsNameTests {
  private let names = SettingsName(MessageKey(Secret([UInt8](repeating: 7, count: 32))))

  private func name(
    _ variant: String? = nil, of change: (inout SessionConfiguration) throws -> Void = { _ in }
  ) throws -> String {
    var configuration = SessionConfiguration()
    try change(&configuration)
    return try #require(names.name(of: configuration, variant: variant))
  }

  @Test func aNameDependsOnEverySettingAndOnTheKey() throws {
    var seen: Set<String> = [
      try name(), try name(""), try name("a"),
      try name { $0.tls.roots = "a" },
      try name {
        $0.tls.roots = "a"
        $0.tls.rootsAreExclusive = true
      },
      try name { $0.tls.revocationLists = "a" },
      try name { $0.addresses.resolve = [.init(hostAndPort: "a:1", address: "b")] },
      try name { $0.addresses.resolve = [.init(hostAndPort: "a:1", address: "c")] },
      try name { $0.addresses.refusePrivate = true },
      try name { $0.netrc = try Netrc(text: Secret("machine a login b password c".utf8)) },
      try name { $0.netrc = try Netrc(text: Secret("machine a login b password d".utf8)) },
      try name { $0.headers = [HeaderField("A", "b")] },
      try name { $0.headers = [HeaderField("Ab", "")] },
      try name { $0.timeouts.requestSeconds = 1 },
    ]
    #expect(seen.count == 14)
    let others = SettingsName(MessageKey(Secret([UInt8](repeating: 8, count: 32))))
    #expect(seen.insert(try #require(others.name(of: SessionConfiguration(), variant: nil))).inserted)
    #expect(seen.allSatisfy { $0.hasPrefix("settings-") && $0.utf8.count == 73 })
  }

  @Test func equalSettingsHaveOneName() throws {
    let roots = String(repeating: "r", count: 100_000)
    #expect(try name("v") { $0.tls.roots = roots } == name("v") { $0.tls.roots = roots })
  }
}
