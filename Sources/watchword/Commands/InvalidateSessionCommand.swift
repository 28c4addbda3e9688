/// `watchword sessions invalidate`: ends a session and its tasks at once.
struct InvalidateSessionCommand: SessionVerb {
  static let name = "sessions invalidate"
  static let summary = "end a session and cancel its tasks"
  static let about = "Cancels the tasks of a session and ends the session at once."
  static let example = "watchword sessions invalidate reports"
  static let method = "session/invalidate"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false
}
