/// What the machine is told of, and what it asks its driver for.
extension VaultLifecycle {
  /// Who waits for the vault.
  package enum Waiter: Sendable, Hashable, CaseIterable {
    /// For an open one, which is made if there is none.
    case opening
    /// Until its contents are read, if there are any.
    case reading
    /// Until its contents are wiped.
    case wiping
    /// Until its file is left.
    case release
  }

  package enum Effect: Sendable, Equatable {
    /// A thread looks for the vault, and makes it if there is none and `isMade`;
    /// ``opened(_:isMade:mayWait:_:)`` follows.
    case open(isMade: Bool)
    /// What was found comes into memory.
    ///
    /// - keepsFile: whether the file stays open.
    case hold(keepsFile: Bool)
    /// There is no vault: nothing is in memory.
    case drop
    /// ``turnEnded(_:)`` follows at the end of this turn of the loop.
    case schedule
    /// A transaction is planned from the changes that wait; ``planned(isEmpty:_:)`` follows at once.
    case write
    /// The changes that wait fail.
    case fail(VaultFault)
    /// The changes that have waited for the end of the wiping wait behind the others now.
    case takeLater
    /// ``lookAgain(_:)`` follows when the effects before this one are done.
    case lookAgain
    /// ``sessionsFollowed(_:)`` follows when all sessions have followed what has changed.
    case follow
    /// The contents go out of memory, and then the file is left; ``wiped()`` follows.
    case wipe
    /// The file is left; ``left(_:)`` follows.
    case leave
    /// The file is left, and nothing waits for it.
    case abandon
    /// ``retried(_:)`` follows after so many seconds.
    case retry(Double)
    case answer(Waiter, VaultFault?)
    /// A person should read why there is no open vault.
    case report(VaultFault)
    /// The vault was opened, left or written: synchronization may have something to do.
    case note
  }

  /// What the machine asks its driver for.
  package struct Surroundings: Sendable {
    package let now: Double
    /// Whether no change waits.
    package let isQueueEmpty: Bool
    /// Whether one waits that must not be missing on the disk, counts of uses aside.
    package let mustBeWritten: Bool
    /// Whether nothing else than a passphrase opens the vault.
    package let needsPassphrase: Bool

    package init(now: Double, isQueueEmpty: Bool, mustBeWritten: Bool, needsPassphrase: Bool) {
      self.now = now
      self.isQueueEmpty = isQueueEmpty
      self.mustBeWritten = mustBeWritten
      self.needsPassphrase = needsPassphrase
    }
  }

  /// What a look for a vault has come to.
  package enum Opening: Sendable, Equatable {
    case found
    /// There is none, and none was made.
    case nothing
    /// - isInUse: whether another daemon holds it, which may end.
    case failed(VaultFault, isInUse: Bool)
  }
}

/// Why a vault cannot be used; each text is the end of a sentence for a person.
package enum VaultFault: Error, Sendable, Equatable {
  /// The file is no vault, is truncated or altered, or its keys do not fit. It is left as it is.
  case damaged(String)
  /// The disk, a mode, a key that is missing, or another schema.
  case unavailable(String)
  /// The Secret Service does not give the key now, and may do so later; or its collection is locked.
  case keyring(String, isLocked: Bool)
  /// The key is with the Secret Service, which was not to be asked now.
  case postponed
  /// No key at hand opens it: it waits for its passphrase.
  case locked
  case wrongPassphrase
  /// There is one already where one was to be made.
  case alreadyMade

  package var text: String {
    switch self {
    case .damaged(let text), .unavailable(let text), .keyring(let text, _): text
    case .postponed: "the vault is not read yet"
    case .locked: "the vault is locked"
    case .wrongPassphrase: "the passphrase is wrong"
    case .alreadyMade: "there is a vault already"
    }
  }
}
