internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport

/// Redirects: the caller's word on one, and where a `Location` leads.
extension FetchTask {
  var redirectAskedAbout: RedirectedRequest? {
    if case .askingRedirect(let request) = known.machine.phase { return request }
    return nil
  }

  /// The proposed request as the caller changed it; another URL is judged like the server's own redirect.
  func redirect(
    _ proposed: RedirectedRequest, changedBy change: RedirectReply.Change
  ) throws(RPCError) -> RedirectedRequest {
    var request = proposed
    if let text = change.url {
      let url = try URLParameter.parse(text, path: "params.request.url")
      var policy = session.configuration.redirects
      policy.mode = .follow
      let decision = policy.decision(
        status: known.machine.head?.status ?? 302, target: .resolved(url), from: known.machine.hop,
        after: redirects.count
      )
      switch decision {
      case .follow(let judged), .ask(let judged): request = judged
      case .refuse(let fault): throw RPCError(.redirect(fault), at: url)
      case .notARedirect, .deliver: break
      }
    }
    if let method = change.method { request.method = method }
    if let headers = change.headers {
      request.headers = SensitiveFields.restored(in: headers, from: request.headers)
    }
    return request
  }
}

extension RedirectTarget {
  /// A `Location` against the URL that sent it, through the transport's parser.
  init(_ location: String, _ base: RequestURL) {
    do throws(URLFault) {
      self = .resolved(try URLParser.resolve(location: location, against: base))
    } catch {
      self = error == .unsupportedScheme ? .unsupportedScheme : .malformed
    }
  }
}
