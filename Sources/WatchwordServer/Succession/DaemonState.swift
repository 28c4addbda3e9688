internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordTransport
internal import WatchwordVault
internal import WatchwordVocabulary

/// What a daemon that is restarted gives to the one that follows it (messages.md 11.12).
///
/// What connections and running tasks have ends with them; what is kept for good is in the state directory.
struct DaemonState: Sendable {
  struct KeptSession: Sendable {
    let uid: UInt32
    let name: String
    let configuration: SessionConfiguration
    var contents = SessionContents()
    /// With their keys, by their ids; one in a token stays behind.
    var keys: [String: ClientIdentity] = [:]
    var cookies: [CookieStore.Kept] = []

    init(uid: UInt32, name: String, configuration: SessionConfiguration) {
      self.uid = uid
      self.name = name
      self.configuration = configuration
    }
  }

  struct KeptLock: Sendable {
    let uid: UInt32
    let passphrase: LockPassphrase
    let isLocked: Bool
    /// Passphrases since the last right one.
    let wrongAttempts: Int
  }

  /// Of a detached task.
  struct KeptResult: Sendable {
    let uid: UInt32
    let description: Sent.TaskSummary
    /// `result` or `error`.
    let member: String
    /// As JSON.
    let text: Secret
    /// Monotonic seconds.
    let expires: Double
  }

  /// The key that names sessions after their settings. Without it, the same settings make another session.
  var settingsKey: Secret?
  /// Tasks are numbered on.
  var lastTask: UInt64 = 0
  var locks: [KeptLock] = []
  /// Of the passphrases that have opened vaults, by uid; none of a locked agent.
  var vaultKeys: [UInt32: DerivedKey] = [:]
  var sessions: [KeptSession] = []
  /// Whether the last part that began a session was understood.
  var isSessionKnown = false
  /// The oldest first.
  var results: [KeptResult] = []

  init() {}
}
