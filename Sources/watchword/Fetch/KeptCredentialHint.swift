internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Why a refusal, or a page that is denied without a challenge, is the result although a credential is kept for the server
/// or its proxy.
struct KeptCredentialHint {
  let request: Request.Explain
  /// The session's name on the command line; nil for `default` and private ones.
  let name: String?

  /// - Returns: nil when none is kept.
  func text(after status: Int, _ client: WatchwordClient) -> String? {
    let wasAsked = ExitCode.isRefusal(status)
    do throws(ClientError) {
      let explained = try client.call(request)
      return wasAsked ? text(of: explained) : text(ofSilent: explained)
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

  private func text(of explained: Sent.Explanation) -> String? {
    if let kept = explained.passedOver ?? explained.proxyPassedOver {
      return "a kept credential was passed over (\(PassedOverText.reason(of: kept))); see \(command)"
    }
    return explained.refusedSources.first.map { refused in
      "what the source \(DisplayText.escaped(refused.source)) gave was refused; see \(command)"
    }
  }

  private var command: String {
    let session = name.map { "--session \($0) " } ?? ""
    return "watchword explain " + DisplayText.escaped(session + request.url)
  }
}
