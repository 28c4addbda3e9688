extension Notification {
  /// The task that it is about; nil for what concerns no task, or more than one.
  package var task: String? {
    switch self {
    case .taskDidReceiveChallenge(let challenge), .sessionDidReceiveChallenge(let challenge): challenge.task
    case .taskWillRedirect(let redirect): redirect.task
    case .taskDidRedirect(let redirect): redirect.task
    case .taskDidReceiveHead(let head): head.task
    case .taskDidReceiveResponse(let response): response.task
    case .taskDidReceiveData(let data): data.task
    case .taskDidSendBodyData(let progress): progress.task
    case .taskDidFinish(.result(let result)): result.task
    case .taskDidFinish(.failure(let failure)): failure.task
    case .challengeDidSettle, .credentialDidChange, .sessionDidInvalidate, .statusDidChange, .other:
      nil
    }
  }
}
