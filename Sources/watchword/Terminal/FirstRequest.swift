internal import WatchwordMessages
internal import WatchwordVocabulary

/// Where a credential goes before a server asks for it: to the directory of a URL and everything below it.
struct FirstRequest {
  /// The directory; `/` is the whole origin.
  private let directory: String

  /// - Parameter url: as the daemon writes it.
  init(below url: String) {
    let parts = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/", omittingEmptySubsequences: false)
    directory = "/" + parts.dropFirst(3).dropLast().map { $0 + "/" }.joined()
  }

  var limits: Request.CredentialLimits? {
    directory == "/" ? nil : Request.CredentialLimits(pathPrefixes: [directory])
  }

  /// Warns when what was stored does not go with the first request.
  ///
  /// - Parameter field: of a key.
  static func check(
    _ url: String, field: String? = nil, session: String?, _ client: WatchwordClient
  ) throws(Failure) {
    let explained = try client.ask(Request.Explain(session: session, url: url))
    if let field = field?.asciiLowercased {
      guard !explained.keys.contains(where: { $0.field == field }) else { return }
    } else {
      guard !explained.preemptive else { return }
    }
    Diagnostics.warn(
      "nothing goes with the first request to \(DisplayText.escaped(explained.origin)): beyond this host "
        + "over http only with methods.basicOverCleartext of the session, and only what methods allow")
  }
}
