internal import WatchwordMessages

/// `watchword sessions reset`: removes the credentials, decisions and identities of a session.
struct ResetSessionCommand: SessionVerb {
  static let name = "sessions reset"
  static let summary = "remove a session's credentials, decisions and cookies"
  static let about = """
    Removes the credentials, cookies, decisions and client certificates of a session. The session and its
    tasks continue. Permanent decisions remain; "watchword trust remove" removes them.
    """
  static let example = "watchword sessions reset reports"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false

  func request(_ session: String) -> Request.SessionReset { Request.SessionReset(session: session) }
}
