import Glibc
import Testing
import WatchwordProtocol
import WatchwordReactor
import WatchwordTestSupport

@testable import WatchwordServer

/// Where in a file a member is, and what is taken out of it to find the next fault (administrator.md 15.1).
struct ConfigurationPlaceTests {
  private static func steps(_ target: String, _ text: String) -> [String] {
    JSONPlace(of: target, in: Array(text.utf8)).steps.map { "\($0.pattern) \($0.start) \($0.end)" }
  }

  @Test func aMemberOfAnUnknownObjectHasItsOwnName() {
    #expect(Self.steps("x.y", #"{"x":{"y":1}}"#) == ["x 1 12", "x.y 6 11"])
    #expect(
      Self.steps("credentialSources.a", #"{"credentialSources":{"a":1}}"#).last
        == "credentialSources.* 22 27")
  }

  @Test func anElementIsFoundByItsNumber() {
    let text = #"{"a":[{"b":1},{"b":2} , {"b":3}]}"#
    #expect(Self.steps("a[1].b", text) == ["a 1 32", "a[].b 15 20"])
    #expect(Self.steps("a[2].b", text) == ["a 1 32", "a[].b 25 30"])
    #expect(Self.steps("a[3].b", text) == ["a 1 32"])
    #expect(JSONPlace(of: "a[2].c", in: Array(text.utf8)).names == ["b"])
  }

  /// It never reads beyond the end, and comes to an end.
  @Test(arguments: [
    #"{"a":[1"#, #"{"a":[1,"#, #"{"a":["#, #"{"a":[[],"#, #"{"a":[:]}"#, #"{"a":[}"#, #"{"a""#, #"{"a":"\"#,
    #"{"a":[1,]}"#, "{", "",
  ])
  func aTextThatIsNoJSONHasAnEnd(_ text: String) {
    let found = Self.steps("a[1]", text)
    #expect(found.count <= 1)
    #expect(found.allSatisfy { $0.hasPrefix("a 1 ") })
  }

  private static func contents(_ text: String) throws -> ConfigurationContents {
    let folder = try TemporaryFolder()
    return try #require(try ConfigurationContents(.given(folder.write(text, to: "c.json"))))
  }

  /// The whole text after what an error concerns was taken out of it.
  private static func rest(_ text: String, without member: String?) throws -> String {
    var contents = try contents(text)
    let error = member.map { RPCError.invalidParams($0, "is wrong") } ?? RPCError.internalError("x")
    let isRemoved = contents.remove(concernedBy: error)
    return (isRemoved ? "" : "not ") + String(decoding: contents.bytes, as: UTF8.self)
  }

  @Test func whatAnErrorConcernsIsTakenOut() throws {
    #expect(try Self.rest(#"{"logLevel":1,"a":2}"#, without: "a") == #"{"logLevel":1      }"#)
    #expect(try Self.rest(#"{"logLevel":1,"a":2}"#, without: "logLevel") == #"{             "a":2}"#)
    #expect(try Self.rest("{\"a\"\n:1}", without: "a") == "{   \n  }")
    #expect(try Self.rest(#"{"x":{"y":1}}"#, without: "z") == #"not {"x":{"y":1}}"#)
    #expect(try Self.rest(#"{"a":1}"#, without: nil) == #"not {"a":1}"#)
    // Of an object that nothing is known of, the whole goes.
    #expect(try Self.rest(#"{"x":{"y":1}}"#, without: "x.y") == #"{           }"#)
  }
}
