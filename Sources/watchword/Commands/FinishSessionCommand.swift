internal import WatchwordMessages

/// `watchword sessions finish`: ends a session when its tasks are done.
struct FinishSessionCommand: SessionVerb {
  static let name = "sessions finish"
  static let summary = "end a session when its tasks are done"
  static let about =
    "Accepts no new tasks for a session, waits for the running ones, then ends the session."
  static let example = "watchword sessions finish reports"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionFinish { Request.SessionFinish(session: session) }
}
