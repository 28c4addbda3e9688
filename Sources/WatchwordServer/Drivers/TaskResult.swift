internal import WatchwordCore
internal import WatchwordVocabulary

/// The response that is a task's result.
struct TaskResult {
  let url: RequestURL
  let head: ResponseHead
  let body: TaskBody
  /// Whether the body is the beginning only of a refusal's or redirect's page.
  let isTruncated: Bool
  /// Whether the body has the digests that the caller or the server expects of it.
  let isVerified: Bool
  let redirects: [TaskStateMachine.RedirectRecord]
  /// Whether it is a login page and not what was asked for.
  let isLoginPage: Bool
  /// Challenges of a refusal that cannot be answered.
  let unusableOffers: UnusableOffers
}

/// How a task ended.
typealias TaskOutcome = Result<TaskResult, TaskFailure>

extension TaskOutcome {
  /// Of the result; nil: the task failed.
  var status: Int? {
    switch self {
    case .success(let result): result.head.status
    case .failure: nil
    }
  }
}
