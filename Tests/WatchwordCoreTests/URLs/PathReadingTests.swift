import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Texts that paths and hosts are compared with, to the last octet.
struct PathReadingTests {
  /// A prefix of limits is no whole path of a request.
  @Test(arguments: [
    ("../x", true), ("..", true), ("..;x", true), (".;./x", false), ("a/../x", true), (".../x", false),
    ("a..", false), ("..a", false), ("a;..", false), ("./.", false),
  ])
  func dotsClimbAtTheBeginningToo(path: String, climbs: Bool) {
    #expect(PathReading.mayClimb(path) == climbs, "\(path)")
  }

  /// The last octet of `À` is 0x80, the first one beyond ASCII.
  @Test(arguments: [
    ("À", #"\xc3\x80"#), ("\u{7F}", "\u{7F}"), ("B.Example:80", "b.example:80"), ("ÿ", #"\xc3\xbf"#),
  ])
  func aNamedHostIsItsOctets(field: String, text: String) {
    #expect(NamedHost(field, at: TaskScene.origin)?.text == text)
  }

  // MARK: Ways that callers have chosen

  @Test(arguments: [0, 1, 512, 513]) func aWayHasALongestText(count: Int) {
    let way = CallersWay(text: String(repeating: "w", count: count))
    #expect((way == nil) == (count == 0 || count == 513))
    #expect(GivenWays(way.map { [$0] } ?? []).all.count == (way == nil ? 0 : 1))
  }

  /// A form gets the password only where the method is one (storage.md 9.6.12).
  @Test func rulesForFormsConcernNothingElse() {
    let ways = ["forms x", "roots x"].compactMap { CallersWay(text: $0) }
    let form = ProtectionSpace(origin: TaskScene.origin, realm: nil, authenticationMethod: .htmlForm)
    #expect(ways.concerning(form) == ways)
    #expect(ways.concerning(TaskScene.space()) == [CallersWay(roots: "x")])
  }

  @Test func noReasonOfARefusalIsLaterThanItself() {
    let reasons = RestrictionFault.Reason.allCases
    for (index, left) in reasons.enumerated() {
      for (other, right) in reasons.enumerated() { #expect((left < right) == (index < other)) }
    }
  }
}
