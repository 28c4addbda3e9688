import Glibc
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordServer

/// Where the daemon finds its state and its configuration (administrator.md 15.1.3 and 6.4.9).
struct PlaceTests {
  private static func state(_ given: String?, _ variables: [String: String]) -> String {
    let place = StatePlace.resolve(given) { variables[$0] }
    return place.map { ([$0.path] + $0.parents).joined(separator: " ") } ?? "none"
  }

  @Test(
    arguments: [
      ("/a//", ["HOME": "/h"], "/a"),
      ("//", [:], "/"),
      ("a/", [:], "a"),
      (nil, ["STATE_DIRECTORY": "/s:/t", "XDG_STATE_HOME": "/x"], "/s"),
      (nil, ["STATE_DIRECTORY": "", "XDG_STATE_HOME": "/x", "HOME": "/h"], "/x/watchword /x"),
      (nil, ["XDG_STATE_HOME": "x", "HOME": "/h"], "/h/.local/state/watchword /h/.local /h/.local/state"),
      (nil, ["HOME": "h"], "none"),
      (nil, [:], "none"),
    ] as [(String?, [String: String], String)])
  func theStateIsWhereTheFirstOfThemSays(given: String?, variables: [String: String], expected: String) {
    #expect(Self.state(given, variables) == expected)
  }

  @Test func aFolderInTheStateIsMadeWithIt() {
    let place = StatePlace.resolve(nil) { $0 == "XDG_STATE_HOME" ? "/x" : nil }?.inner("vault-5")
    #expect(place?.path == "/x/watchword/vault-5" && place?.parents == ["/x", "/x/watchword"])
  }

  @Test(
    arguments: [
      ("c.json", [:], "c.json", false),
      (nil, ["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/watchword/config.json", true),
      (nil, ["XDG_CONFIG_HOME": "x", "HOME": "/h"], "/h/.config/watchword/config.json", true),
      (nil, ["HOME": "h"], nil, false),
    ] as [(String?, [String: String], String?, Bool)])
  func theConfigurationIsGivenOrOfTheAccount(
    given: String?, variables: [String: String], path: String?, isOwn: Bool
  ) {
    let place = ConfigurationPlace.resolve(given) { variables[$0] }
    #expect(place?.path == path && place?.isOwn ?? false == isOwn)
  }

  private static func check(_ mode: mode_t, uid: uid_t = getuid(), othersMayEnter: Bool = false) -> String {
    var information = stat()
    information.st_mode = mode
    information.st_uid = uid
    do throws(PrivateDirectory.DirectoryFault) {
      try PrivateDirectory.check(information, "/d", othersMayEnter: othersMayEnter)
      return "taken"
    } catch {
      return error.text
    }
  }

  /// security.md 2.
  @Test func aDirectoryIsOnesOwnAndPrivate() {
    let loose = "/d: is open to others; its mode must be 0700"
    #expect(Self.check(S_IFDIR | 0o700) == "taken")
    #expect(Self.check(S_IFREG | 0o700) == "/d: is not a directory (links are not followed)")
    #expect(Self.check(S_IFDIR | 0o700, uid: getuid() + 1) == "/d: belongs to another user")
    for mode: mode_t in [0o710, 0o701, 0o704, 0o702, 0o720] { #expect(Self.check(S_IFDIR | mode) == loose) }
    #expect(Self.check(S_IFDIR | 0o755, othersMayEnter: true) == "taken")
    #expect(Self.check(S_IFDIR | 0o757, othersMayEnter: true) == loose)
    #expect(Self.check(S_IFDIR | 0o775, othersMayEnter: true) == loose)
    #expect(Self.check(S_IFDIR | 0o755, uid: 0, othersMayEnter: true) == "taken")
    #expect(
      Self.check(S_IFDIR | 0o755, uid: getuid() + 1, othersMayEnter: true) == "/d: belongs to another user")
  }

  @Test func aMissingParentIsNamed() throws {
    let folder = try TemporaryFolder()
    try PrivateDirectory.make(folder.path(of: "a"))
    #expect(folder.mode(of: "a") == 0o700)
    try PrivateDirectory.make(folder.path(of: "a"))
    let inner = folder.path(of: "b/c")
    var text = ""
    do throws(PrivateDirectory.DirectoryFault) { try PrivateDirectory.make(inner) } catch {
      text = error.text
    }
    #expect(text == "\(inner): there is no \(folder.path)/b")
    try folder.write("", to: "f")
    let behind = folder.path(of: "f/c")
    do throws(PrivateDirectory.DirectoryFault) { try PrivateDirectory.make(behind) } catch {
      text = error.text
    }
    #expect(text == "\(behind): Not a directory")
  }

  private static func proxies(_ variables: [String: String]) -> ProxyEnvironment {
    ProxyEnvironment { name in variables[name].map { Secret($0.utf8) } }
  }

  /// The lower case first; never HTTP_PROXY (CVE-2016-5385).
  @Test func proxiesAreNamedAsForCurl() {
    let found = Self.proxies([
      "HTTP_PROXY": "http://x.example:1", "https_proxy": "p.example:8080",
      "HTTPS_PROXY": "http://q.example:1", "ALL_PROXY": "socks5h://s.example:1080",
      "no_proxy": "a.example, .b.example\tc.example", "NO_PROXY": "d.example",
    ])
    #expect(found.rules?.http == nil)
    #expect(found.rules?.https?.name == "https_proxy" && found.rules?.https?.proxy != nil)
    #expect(found.rules?.all?.name == "ALL_PROXY" && found.rules?.all?.proxy != nil)
    #expect(found.rules?.exceptions.count == 3 && found.malformed.isEmpty)
    #expect(Self.proxies(["HTTP_PROXY": "http://x.example:1"]).rules == nil)
  }

  @Test func whatIsNoProxyIsNamedOnce() {
    let found = Self.proxies(["http_proxy": "ftp://x", "NO_PROXY": "a b/c/d , e/f/g"])
    #expect(found.malformed.first == "http_proxy" && found.rules?.http?.proxy == nil)
    #expect(found.malformed == ["http_proxy", "NO_PROXY"])
  }
}
