import Testing
import WatchwordVocabulary

@testable import WatchwordCore

/// Which cookie was used last, and what a domain covers.
struct CookieUseTests {
  /// Sending is a use that is later than the storing of every cookie before it.
  @Test func aSentCookieOutlivesOneThatWasStoredLater() {
    var store = CookieStore(policy: .accept) { _, _ in true }
    for number in 0..<CookieLimits.perOrigin {
      let cookie = Cookie(
        name: "c\(number)", value: "v", domain: "a.example", includesSubdomains: false, path: "/",
        expires: nil,
        isSecure: false, isHTTPOnly: false)
      #expect(store.set(cookie, now: 100) == nil)
    }
    store.noteUse((0..<CookieLimits.perOrigin - 1).map { (domain: "a.example", index: $0) })
    let another = Cookie(
      name: "another", value: "v", domain: "a.example", includesSubdomains: false, path: "/", expires: nil,
      isSecure: false, isHTTPOnly: false)
    #expect(store.set(another, now: 100) == nil)
    let names = Set(store.list(now: 100).map(\.name))
    #expect(names.count == CookieLimits.perOrigin)
    #expect(names.contains("c0") && !names.contains("c\(CookieLimits.perOrigin - 1)"))
  }

  @Test(arguments: [
    ("a.example", "b.a.example", true), ("a.example", "a.example", false), ("a.example", "ba.example", false),
    ("b.a.example", "a.example", false), ("", "a.example.", false), ("", "a.example", false),
  ])
  func aDomainCoversTheNamesBelowIt(domain: String, host: String, covers: Bool) {
    #expect(CookieDomain.covers(domain, host) == covers)
  }
}
