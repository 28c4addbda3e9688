internal import WatchwordCore
internal import WatchwordReactor

/// The cookies of a session, which libcurl's cookie engine keeps and applies.
@ReactorActor
final class CurlCookieStore: CookieStore {
  /// Nil when the session takes no cookies.
  private let share: CookieShare?

  init(_ share: CookieShare?) { self.share = share }

  func list() -> [Cookie] { (share?.lines ?? []).compactMap(NetscapeCookie.parse) }

  func set(_ cookie: Cookie) {
    guard let line = NetscapeCookie.format(cookie) else { return }
    share?.add([line])
  }

  func remove(domain: String?, name: String?) -> Int {
    guard let share else { return 0 }
    var kept: [String] = []
    var removed = 0
    for line in share.lines {
      let cookie = NetscapeCookie.parse(line)
      let matches =
        (domain.map { $0.lowercased() == cookie?.domain.lowercased() } ?? true)
        && (name == nil || Bytewise(name) == Bytewise(cookie?.name))
      if matches { removed += 1 } else { kept.append(line) }
    }
    if removed > 0 { share.replace(by: kept) }
    return removed
  }
}
