internal import WatchwordCore
internal import WatchwordVocabulary

/// The response that is a task's result.
struct TaskResult {
  let url: RequestURL
  let head: ResponseHead
  let body: TaskBody
  /// Whether the body is the beginning only of a refusal's or redirect's page.
  let isTruncated: Bool
  let redirects: [TaskStateMachine.RedirectRecord]
}
