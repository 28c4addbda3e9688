internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordVocabulary

/// Why a refusal is the result although a credential is kept for the server or its proxy.
struct KeptCredentialHint {
  let request: Request.Explain
  /// The session's name on the command line; nil for `default` and private ones.
  let name: String?

  /// - Returns: nil when none is kept.
  func text(_ client: WatchwordClient) -> String? {
    do throws(ClientError) {
      return text(of: try client.call(request))
    } catch {
      guard case .refused(let remote) = error, remote.kind == .restricted else { return nil }
      return "this connection is restricted; outside of it \(command) says what is kept"
    }
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
