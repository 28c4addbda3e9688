package import WatchwordVocabulary

/// What the drivers do for a session, in the order in which it is given.
package enum SessionEffect: Sendable, Equatable {
  // MARK: For a task

  /// Begin this exchange over connections of the partition.
  ///
  /// `isAskedForIdentities`: whether a delegate can be asked which client certificate to present.
  case send(
    TaskIdentifier, ExchangeRequest, partition: ConnectionPartition, isAskedForIdentities: Bool)
  case task(TaskIdentifier, TaskEffect)
  /// Write the credential that the server has accepted to the account's permanent ones, then say `kept`.
  indirect case keep(TaskIdentifier, Credential, for: CredentialKey, over: [CallersWay], generation: UInt64)

  // MARK: For the connections

  /// Send the challenge's notification to this connection.
  indirect case notify(PeerIdentifier, PendingChallenge)
  /// Tell the delegates that were asked that it is over.
  case settled(challenge: String, ChallengeOutcome, Disposition?, asked: [PeerIdentifier])
  /// Tell them that the session's credential is another one.
  case announce(CredentialKey, CredentialChange, to: [PeerIdentifier])
  /// Tell them that so many of its credentials are other ones.
  case announceMany(Int, to: [PeerIdentifier])

  /// Tell them that the account has another permanent identity, or one less.
  case announceIdentity(PermanentIdentityChange, to: [PeerIdentifier])

  // MARK: For the administrator's sources

  /// Read the source off the loop, then say `sourceRead`.
  indirect case readSource(SourceRequest)
  /// What is read for this challenge is not wanted any more.
  case stopReading(challenge: String)

  /// Tell it off the loop what a server made of what it gave, before it is read again.
  indirect case tellSource(SourceReport)

  // MARK: For counters, log and history

  /// A task waits under a question that is out already.
  case coalesced
  /// A server offers less than it did before.
  case warn(TaskIdentifier, WeakerOffer)
  /// The task has made exchanges without progress, and ends.
  case warnOfExchanges(TaskIdentifier)
  /// A chain has none of the keys that are pinned, and that is only reported.
  case warnOfPin(Origin)

  /// Add this to the history of the account.
  indirect case record(HistoryEntry)

  // MARK: For the engine

  case closeConnections(because: Closing)
  /// Verify the chains of new connections with these roots of the user, too.
  case useRoots(UserRoots)
  /// Forget the tickets of this account.
  case forgetTickets(account: UInt64)
  /// Forget the tickets of every account.
  case forgetAllTickets
  /// Let go of the keys of these identities.
  case releaseKeys([String])
  /// Let go of the keys that were lent for tasks, unless a task may still present them.
  case releaseLentKeys

  /// Why connections are closed, which says which ones.
  package enum Closing: Sendable, Equatable {
    /// Something new counts: what is open was opened without it.
    case somethingIsNew
    /// Something was removed: connections that are being made are closed and made again, too.
    case somethingIsGone
    /// No exchange will use this partition again.
    case partitionIsOver(ConnectionPartition)
    /// No exchange will use a connection again that depends on this decision.
    case groundIsOver(ConnectionPartition.Ground)
  }
}

/// What sessions have to know of a change of the account's permanent identities.
package struct PermanentIdentityChange: Sendable, Equatable {
  package let identifier: String
  /// Nil: any.
  package let origin: Origin?
  package let change: CredentialChange

  package init(_ entry: PermanentIdentities.StoredIdentity, _ change: CredentialChange) {
    identifier = entry.identifier
    origin = entry.origin
    self.change = change
  }
}
