package import WatchwordVocabulary

/// Giving back what was stored to be given back (storage.md 9.9).
extension SessionState {
  package struct ReadingRequest: Sendable {
    package let spaces: [ProtectionSpace]
    /// Nil: the default user of each space.
    package let user: String?
    /// What the reader wants it for; nil: the whole origin.
    package let path: String?
    package let process: ProcessIdentifier?

    package init(spaces: [ProtectionSpace], user: String?, path: String?, process: ProcessIdentifier?) {
      self.spaces = spaces
      self.user = user
      self.path = path
      self.process = process
    }
  }

  /// What is given back.
  package struct Reading: Sendable {
    package let credential: Credential
    package let secondsLeft: Double?
  }

  package enum ReadingFault: Error, Sendable, Equatable {
    /// There is none, or none that is readable and for this path.
    case notFound
    /// Only the process that gave it reads it: a reading raises no challenge.
    case confirmationNeeded
  }

  /// The session's own come before the account's, and newer ones before older ones. A reading counts as a
  /// use.
  package mutating func read(_ request: ReadingRequest) -> (Result<Reading, ReadingFault>, [SessionEffect]) {
    memory.removeExpired(now: moment.now, wallClock: moment.wallClock)
    memory.permanent.dropExpired(now: moment.now, wallClock: moment.wallClock)
    announceCredentialChanges()
    let found = memory.readable(in: request.spaces, user: request.user).filter {
      $0.permits(path: request.path)
    }
    guard let entry = found.first(where: { !$0.needsConfirmation(for: request.process) }) else {
      return (.failure(found.isEmpty ? .notFound : .confirmationNeeded), takeEffects())
    }
    let expiry = entry.record.expiry(now: moment.now, wallClock: moment.wallClock)
    memory.noteReading(of: entry, now: moment.now)
    var history = HistoryEntry(.read, in: entry.space, user: entry.credential.user, at: moment.wallClock)
    history.process = request.process
    history.answeredBy = entry.owner
    effects.append(.record(history))
    return (
      .success(Reading(credential: entry.credential, secondsLeft: expiry.map { $0 - moment.now })),
      takeEffects()
    )
  }
}
