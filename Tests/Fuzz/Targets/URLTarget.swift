internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

/// A URL, and `Location` fields that lead from it to others, a line each.
enum URLTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    let lines = InputReader(input).lines
    guard let first = lines.first, var url = try? URLParser.parse(first) else { return }
    check(url)
    var authorities = KnownAuthorities()
    for _ in 1...2 {
      require((try? authorities.parse(first)) == url, "a known authority that changes a URL")
      require((try? authorities.parse(first)) == url, "a known URL that changes")
      _ = try? authorities.parse("http://other/")
    }
    for location in lines.dropFirst() {
      guard let next = try? URLParser.resolve(location: location, against: url) else { continue }
      require(next.userinfo == nil, "a Location brings userinfo along")
      check(next)
      url = next
    }
  }

  private static func check(_ url: RequestURL) {
    require(url.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a byte that may not be in a request line")
    require(url.path.hasPrefix("/"), "a path without its slash")
    require(url.origin.port != 0, "no port")
    require(url.origin.host == url.origin.host.lowercased(), "a host in capitals")
    require(!url.origin.host.isEmpty && !url.origin.host.contains("@"), "a host that is none")
    require(
      (try? URLParser.parse(url.text)) == url.withoutUserinfo, "a URL that changes when it is read again")
    guard let userinfo = url.userinfo else { return }
    require(userinfo.user.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a control character in a user")
  }
}
