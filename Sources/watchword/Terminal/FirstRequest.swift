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

extension Sent.Challenge {
  /// What a person is asked about a server that has not asked.
  init(before origin: SpaceOptions.Origin, method: String, realm: String?) {
    let space = Sent.ProtectionSpace(
      protocol: origin.scheme, host: origin.host, port: origin.port, realm: realm, realmBytes: nil,
      authenticationMethod: method, isProxy: origin.isProxy, proxyType: nil,
      receivesCredentialSecurely: origin.scheme == "https",
      parameters: [], distinguishedNames: nil, keyTypes: nil, serverTrust: nil)
    self.init(
      challenge: "", session: "", task: "", url: "", origin: origin.text, protectionSpace: space, proxy: nil,
      hostField: origin.hostField, callersWays: origin.callersWays, source: nil,
      offers: [], offerCount: nil, unusableOffers: [], unusableOfferCount: nil, proposedCredential: nil,
      identities: nil, previousFailureCount: 0, failureResponse: nil, error: nil, waiters: [], waiterCount: 0,
      asked: [], waitedSeconds: 0, deadline: "")
  }
}
