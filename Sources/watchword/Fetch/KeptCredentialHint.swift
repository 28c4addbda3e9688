internal import WatchwordMessages
internal import WatchwordVocabulary

/// Why a refusal, or a page that is denied without a challenge, is the result although a credential is kept
/// for the server or its proxy.
struct KeptCredentialHint {
  let request: Request.Explain
  /// The session's name on the command line; nil for `default` and private ones.
  let name: String?
  /// Whether the session is named after the settings of the fetch.
  let isOfSettings: Bool

  /// - Parameters:
  ///   - wasAsked: whether a credential was asked for: the result is a 401, a 407 or a login page.
  ///   - isAtProxy: whether the proxy asked for it.
  /// - Returns: nil when none is kept.
  func text(afterRefusal wasAsked: Bool, atProxy isAtProxy: Bool, _ client: WatchwordClient) -> String? {
    do throws(ClientError) {
      let explained = try client.call(request)
      if isAtProxy { return text(of: explained.proxyPassedOver) ?? text(of: explained.refusedSources) }
      if let text = wasAsked ? text(of: explained) : text(ofSilent: explained) { return text }
      return try textOfDefault(explained, client)
    } catch {
      guard wasAsked, case .refused(let remote) = error, remote.kind == .restricted else { return nil }
      return "this connection is restricted; outside of it \(command) says what is kept"
    }
  }

  /// The server did not ask.
  private func text(ofSilent explained: Sent.Explanation) -> String? {
    guard let kept = explained.credential, !explained.preemptive,
      ["basic", "bearer"].contains(kept.authenticationMethod)
    else { return nil }
    return "a credential is kept for this server, which did not ask for it; "
      + "watchword credentials set --preemptive sends one with the first request"
  }

  /// The credential may be kept where a fetch without these options finds it.
  private func textOfDefault(
    _ explained: Sent.Explanation, _ client: WatchwordClient
  ) throws(ClientError) -> String? {
    guard isOfSettings, explained.credential == nil else { return nil }
    let request = Request.Explain(session: "default", url: request.url, method: request.method)
    guard let kept = try client.call(request).credential, kept.source == "session" else { return nil }
    return "session default has a credential for this server; a fetch with these options has a session "
      + "of its own, in which it is given once more"
  }

  private func text(of explained: Sent.Explanation) -> String? {
    text(of: explained.passedOver) ?? text(of: explained.refusedSources)
  }

  private func text(of passedOver: Sent.ExplainedCredential?) -> String? {
    passedOver.map { "a kept credential was passed over (\(PassedOverText.reason(of: $0))); see \(command)" }
  }

  private func text(of refused: [Sent.RefusedSource]) -> String? {
    refused.first.map { refused in
      "what the source \(DisplayText.escaped(refused.source)) gave was refused; see \(command)"
    }
  }

  private var command: String {
    let session = name.map { "--session \($0) " } ?? ""
    let named = request.headers?.first { $0.name.asciiLowercased == "host" }
    let host = named.map { "-H 'Host: \($0.value)' " } ?? ""
    return "watchword explain " + DisplayText.escaped(session + host + request.url)
  }
}
