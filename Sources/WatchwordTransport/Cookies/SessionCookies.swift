internal import CTransport
internal import Glibc
package import WatchwordCore
package import WatchwordReactor
package import WatchwordVocabulary

/// The cookies of one session, which all its connection pools send and fill.
///
/// Makes no decisions: reads the clock and the list of public suffixes for ``CookieStore``.
@ReactorActor
package final class SessionCookies {
  private let policy: SessionConfiguration.Cookies
  private var store: CookieStore { didSet { count() } }
  /// Those that are as good as removed.
  private var hidden: [CookieStore] = [] { didSet { count() } }
  /// What they take.
  package private(set) var heldBytes = 0

  package init(policy: SessionConfiguration.Cookies) {
    self.policy = policy
    store = Self.emptyStore(policy)
  }

  private static func emptyStore(_ policy: SessionConfiguration.Cookies) -> CookieStore {
    CookieStore(policy: policy) { domain, host in transport_may_share_cookies(domain, host) }
  }

  package var isEmpty: Bool { store.isEmpty }

  private func count() { heldBytes = hidden.reduce(store.heldBytes) { $0 + $1.heldBytes } }

  /// Removes all of them at once. `disposeOfHidden` frees their memory, which takes longer.
  package func hide() {
    guard !store.isEmpty else { return }
    hidden.append(store)
    store = Self.emptyStore(policy)
  }

  package func disposeOfHidden() { hidden = [] }

  /// All of them; with a URL, those that would be sent to it.
  package func list(for url: RequestURL? = nil) -> [Cookie] { store.list(for: url, now: now) }

  /// Returns why it was refused; nil when it was stored.
  @discardableResult
  package func set(_ cookie: Cookie) -> CookieStore.Refusal? { store.set(cookie, now: now) }

  /// All of them, as they are stored.
  package var all: [CookieStore.Kept] { store.all }

  /// Stores those of the previous daemon.
  package func takeOver(_ kept: [CookieStore.Kept]) {
    for cookie in kept { store.takeOver(cookie, now: now) }
  }

  /// Removes those that match every given argument, and returns their number.
  package func remove(domain: String?, name: String?) -> Int { store.remove(domain: domain, name: name) }

  /// The value of the `Cookie` field; nil when no cookie matches.
  func field(for url: RequestURL) -> [UInt8]? { store.field(for: url, now: now) }

  /// - Parameter head: of a final response, unchanged: octets that are not UTF-8 are returned as they are.
  func receive(_ head: UnsafeRawBufferPointer, from url: RequestURL) {
    store.receive(SetCookieFields(head), from: url, now: now)
  }

  private var now: Int64 { Int64(time(nil)) }
}

/// The values of the `Set-Cookie` fields of a head, valid as long as its bytes are.
struct SetCookieFields: Sequence, IteratorProtocol {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ head: UnsafeRawBufferPointer) { rest = head[...] }

  mutating func next() -> UnsafeRawBufferPointer? {
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A }
      rest = rest.dropFirst(line.count + 1)
      if let value = SetCookieFields.value(of: line) { return value }
    }
    return nil
  }

  private static func value(of line: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer? {
    let isNamed = name.withUTF8Buffer { name in
      line.count > name.count && ASCIICase.matches(line.prefix(name.count), name)
    }
    guard isNamed else { return nil }
    let value = line.dropFirst(name.utf8CodeUnitCount).drop { $0 == 0x20 || $0 == 0x09 }
    guard value.first == UInt8(ascii: ":") else { return nil }
    let end = value.last == 0x0D ? value.endIndex - 1 : value.endIndex
    return UnsafeRawBufferPointer(
      rebasing: value[(value.startIndex + 1)..<Swift.max(end, value.startIndex + 1)])
  }

  private static let name: StaticString = "set-cookie"
}
