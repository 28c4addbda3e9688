import Testing
import WatchwordCore
import WatchwordJSON
import WatchwordTestSupport

@testable import WatchwordProtocol

@Suite struct SessionChangeTests {
  /// So that none is forgotten when one is added: objects in it that are shown as one value change as one.
  @Test func everyMemberCanBeNamed() throws {
    var paths: [String] = []
    func collect(_ value: JSONValue, _ path: String) {
      let wholes = ["proxies", "tls.roots", "netrc", "addresses.resolve"]
      guard case .object(let object) = value, !wholes.contains(path) else { return paths.append(path) }
      for member in object.members {
        collect(member.value, path.isEmpty ? member.name : "\(path).\(member.name)")
      }
    }
    collect(SessionConfiguration().value, "")
    #expect(paths.sorted() == SessionConfiguration.memberPaths.sorted())
  }

  @Test func whatIsNotNamedStays() throws {
    var old = SessionConfiguration()
    old.redirects.limit = 3
    old.redirects.mode = .manual
    old.tls.roots = "PEM"
    let text = #"{"configuration":{"redirects":{"limit":7},"tls":{"minimumVersion":"1.3"}}}"#
    let request = try parameters(text)
    let given = try #require(try SessionConfigureParameters(request).configuration)
    let named = try #require(request?.member("configuration")?.value)
    let new = try old.changed(to: given, namedIn: named)
    #expect(new.redirects.limit == 7 && new.redirects.mode == .manual)
    #expect(new.tls.roots == "PEM" && new.tls.minimumVersion == .tls13)
    #expect(new.differingMembers(from: old) == ["tls.minimumVersion", "redirects.limit"])
  }

  @Test func versionsThatExcludeEachOtherAreRefusedTogether() throws {
    var old = SessionConfiguration()
    old.tls.minimumVersion = .tls13
    let request = try parameters(#"{"configuration":{"tls":{"maximumVersion":"1.2"}}}"#)
    let given = try #require(try SessionConfigureParameters(request).configuration)
    let named = try #require(request?.member("configuration")?.value)
    #expect(throws: RPCError.self) { try old.changed(to: given, namedIn: named) }
  }
}
