internal import WatchwordMessages

/// `watchword sessions invalidate`: ends a session and its tasks at once.
struct InvalidateSessionCommand: SessionVerb {
  static let name = "sessions invalidate"
  static let summary = "end a session and cancel its tasks"
  static let about = "Cancels the tasks of a session and ends the session at once."
  static let example = "watchword sessions invalidate reports"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionInvalidate { Request.SessionInvalidate(session: session) }
}
