internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

extension RPCError {
  /// What a restricted connection may not do, and where.
  ///
  /// - Parameter path: of the parameter, if it is about one.
  static func restricted(_ fault: RestrictionFault, path: String? = nil) -> RPCError {
    .restricted(
      text(of: fault, path), reason: fault.reason, origin: fault.origin?.description, path: path,
      retrySeconds: fault.retrySeconds)
  }

  private static func text(of fault: RestrictionFault, _ path: String?) -> String {
    let origin = fault.origin?.description ?? "an origin"
    return switch fault.reason {
    case .call: "a restricted connection may fetch, and nothing else"
    case .member: "\(path ?? "params"): a restricted connection may not set this"
    case .session: "a restricted connection has only its own session"
    case .origin:
      "no rule of this restricted connection allows \(fault.origin?.description ?? "where it leads")"
    case .path: "no rule of this restricted connection allows this path of \(origin)"
    case .method: "no rule of this restricted connection allows this method at \(origin)"
    case .field: "no rule of this restricted connection allows a header field of this request to \(origin)"
    case .requestBytes: "the body is larger than the rule of this restricted connection allows"
    case .rate: "the rule of this restricted connection allows no more requests to \(origin) now"
    case .responseBytes: "the response is larger than the rule of this restricted connection allows"
    case .expired: "the rules of this restricted connection have expired"
    }
  }
}

extension RPCError {
  /// The uid would exceed its memory budget.
  static let overBudget = RPCError.limitExceeded(
    "more than \(Limits.bytesPerUID) bytes of requests, replies and configurations are kept",
    limit: "bytesPerUid")
}
