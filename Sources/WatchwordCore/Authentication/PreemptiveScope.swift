package import WatchwordVocabulary

/// The URLs of an origin to which a credential is sent unasked: one that the server has accepted (storage.md
/// 9.4.2), or one that was given to go with the first request (9.4.6).
///
/// Sending too little costs one exchange, sending too much gives a password to a part of the server that did
/// not ask for it. So a URL is covered only when its path, as text, lies in a covered directory and no
/// reading of it that a server may have (percent-decoding, backslashes, path parameters) leads out of it
/// again.
package struct PreemptiveScope: Sendable, Equatable {
  /// Directories that `domain` may name; lists of servers are short.
  package static let maximumEntries = 16

  private struct Directory: Sendable, Equatable {
    /// Begins and ends with `/`.
    let path: String
    let depth: Int

    init(_ path: String) {
      self.path = path
      depth = PreemptiveScope.depth(of: path)
    }
  }

  private let origin: Origin
  private let directories: [Directory]
  /// Paths covered by themselves, not with what is below them.
  private let paths: [String]

  /// The scope of a credential that `url` accepted.
  ///
  /// Basic and Bearer: the directory of the path and below (RFC 7617 §2.2). Digest: what `digestDomain` names
  /// on this origin (RFC 7616 §3.3), and the accepted path itself; the whole origin when it names nothing
  /// usable. Negotiate and NTLM: the whole origin, whose connections are authenticated. Other methods are not
  /// sent in a field: nothing.
  package init(method: AuthenticationMethod, acceptedAt url: RequestURL, digestDomain: [String] = []) {
    origin = url.origin
    switch method {
    case .basic, .bearer:
      let last = url.path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? url.path.startIndex
      directories = [Directory(url.path.isEmpty ? "/" : String(url.path[...last]))]
      paths = []
    case .digest:
      let named = digestDomain.prefix(Self.maximumEntries).compactMap { Self.path(of: $0, on: url.origin) }
      directories =
        named.isEmpty ? [Directory("/")] : named.map { Directory($0.hasSuffix("/") ? $0 : $0 + "/") }
      paths = named.isEmpty ? [] : named + [url.path]
    case .negotiate, .ntlm:
      // An authenticated connection is so for the whole origin.
      directories = [Directory("/")]
      paths = []
    case .htmlForm, .serverTrust, .clientCertificate, .agentUnlock, .key:
      directories = []
      paths = []
    }
  }

  /// The scope of a credential that was given to go with the first request: the paths of its limits and
  /// everything below them; the whole origin when it has none.
  package init(givenFor origin: Origin, pathPrefixes: [String]) {
    self.origin = origin
    let isWhole = pathPrefixes.isEmpty
    directories =
      isWhole ? [Directory("/")] : pathPrefixes.map { Directory($0.hasSuffix("/") ? $0 : $0 + "/") }
    paths = isWhole ? [] : pathPrefixes
  }

  /// How many directories deep the part of the scope is that covers `url`; nil when none does.
  ///
  /// Of several credentials that cover a URL the deepest is sent.
  package func depth(covering url: RequestURL) -> Int? {
    guard url.origin == origin else { return nil }
    var deepest: Int?
    for directory in directories where covers(directory.path, url.path) {
      deepest = max(deepest ?? 0, directory.depth)
    }
    for path in paths where path.hasBytes(of: url.path) {
      deepest = max(deepest ?? 0, Self.depth(of: path))
    }
    return deepest
  }

  private func covers(_ directory: String, _ path: String) -> Bool {
    directory == "/" || PathReading.begins(path, with: directory)
  }

  private static func depth(of path: String) -> Int {
    path.utf8.reduce(-1) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) }
  }

  /// The path that an entry of `domain` names on `origin`; nil for another origin and for what is not
  /// understood.
  ///
  /// RFC 7616 allows absolute paths and absolute URIs only. The origin is compared as text, and an entry with
  /// a query, a fragment, userinfo or a path that may climb is passed over.
  private static func path(of entry: String, on origin: Origin) -> String? {
    var path = Substring(entry)
    if !path.hasPrefix("/") {
      guard let rest = removingOrigin(origin, from: path) else { return nil }
      path = rest.isEmpty ? "/" : rest
    }
    guard path.hasPrefix("/"), !path.hasPrefix("//"), !PathReading.mayClimb(String(path)),
      path.utf8.allSatisfy({ isPlain($0) })
    else { return nil }
    return String(path)
  }

  private static func removingOrigin(_ origin: Origin, from uri: Substring) -> Substring? {
    let host = "\(origin.scheme.rawValue)://\(origin.bracketedHost)"
    let spellings =
      ["\(host):\(origin.port)"] + (origin.port == origin.scheme.defaultPort ? ["\(host):", host] : [])
    for spelling in spellings {
      let start = uri.utf8.prefix(spelling.utf8.count)
      guard String(Substring(start)).asciiLowercased == spelling else { continue }
      let rest = uri.utf8.dropFirst(spelling.utf8.count)
      if rest.isEmpty || rest.first == UInt8(ascii: "/") { return Substring(rest) }
    }
    return nil
  }

  /// What may stand in the path of a URI (RFC 3986 §3.3).
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
      UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
      UInt8(ascii: "}"):
      false
    default: byte > 0x20 && byte < 0x7F
    }
  }
}
