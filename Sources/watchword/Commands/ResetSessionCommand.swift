/// `watchword sessions reset`: forgets what a session was given.
struct ResetSessionCommand: SessionVerb {
  static let name = "sessions reset"
  static let summary = "forget a session's credentials and cookies"
  static let about = """
    Forgets the credentials, cookies and trust decisions of a session; the session goes on. What is
    permanent stays: "watchword trust remove" takes it back.
    """
  static let example = "watchword sessions reset reports"
  static let method = "session/reset"
  var daemon = DaemonOptions()
  var session: String?
  var isJSON = false
}
