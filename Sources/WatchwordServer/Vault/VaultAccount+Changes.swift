internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// How a change gets to the disk.
extension VaultAccount {
  /// - Parameter then: called when the change is on the disk and counts.
  func submit(_ change: Change, then: @escaping (Result<Alteration, VaultFault>) -> Void) {
    submit(change, merging: VaultChange.Merged()) { result in then(result.map(\.alteration)) }
  }

  /// - Parameter merged: of the same import: all of it is written, or nothing.
  func submit(
    _ change: Change, merging merged: VaultChange.Merged,
    then: @escaping (Result<VaultAnswer.Settled, VaultFault>) -> Void
  ) {
    submit(.credentials(change, merging: merged), \.credentials, then)
  }

  /// The same for who waits.
  ///
  /// - Parameter acknowledge: called as soon as the change counts, before anybody else hears of it.
  func submit(
    _ change: Change, merging merged: VaultChange.Merged = VaultChange.Merged(),
    acknowledge: @escaping (VaultAnswer.Settled) -> Void
  ) async -> Result<Void, VaultFault> {
    await completion { end in
      submit(change, merging: merged) { result in end(result.map(acknowledge)) }
    }
  }

  /// - Parameter waiting: where `then` waits for the change.
  func submit<Outcome>(
    _ change: VaultChange,
    _ waiting: WritableKeyPath<VaultReplies, [VaultChange.Ticket: VaultReplies.Reply<Outcome>]>,
    _ then: @escaping VaultReplies.Reply<Outcome>
  ) {
    guard !isClosed else { return then(.failure(VaultLifecycle.isStopping)) }
    let ticket = queue.append(change, isPutOff: lifecycle.putsChangesOff)
    replies[keyPath: waiting][ticket] = then
    schedule()
  }

  /// Writes what the rules of a session have asked for.
  func carryOutRequests() {
    carryOutIdentityNews()
    let requests = credentials.takeRequests()
    guard !isClosed, !requests.isEmpty else { return }
    queue.append(requests, isPutOff: lifecycle.putsChangesOff)
    schedule()
  }

  /// Limits are checked on listing as well as on use.
  func forgetExpired() {
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    credentials.dropExpired(now: now, wallClock: wallClock)
    _ = identities.dropExpired(now: now, wallClock: wallClock)
    carryOutRequests()
  }

  func schedule() {
    feed { $0.schedule($1) }
  }

  /// Writes the next transaction off the loop.
  func write() {
    guard let file else { return }
    let transaction = VaultTransaction(of: &queue, in: &holdings, now: EventLoop.shared.now)
    answer(transaction.refusals)
    lifecycle.planned(isEmpty: transaction.written.isEmpty, surroundings)
    guard !transaction.written.isEmpty else { return finish(transaction) }
    worker.submit { [clocks, written = transaction.written] in
      Result { () throws(VaultFault) in try file.write(written, clocks) }
    } then: { [self] result in
      switch result {
      case .success: wrote(transaction)
      case .failure(let failure): didNotWrite(transaction, failure)
      }
    }
  }

  private func wrote(_ transaction: VaultTransaction) {
    feed { (lifecycle, _) in lifecycle.wrote(nil) }
    environment.counters.vaultWrites += 1
    finish(transaction)
  }

  private func didNotWrite(_ transaction: VaultTransaction, _ failure: VaultFault) {
    feed { (lifecycle, _) in lifecycle.wrote(failure) }
    environment.counters.vaultWritesFailed += 1
    // Logged once for a transaction; each caller is told as well.
    environment.note(.unavailable(failure.text))
    answer(transaction.fail(failure))
    goOn()
  }

  private func finish(_ transaction: VaultTransaction) {
    for effect in transaction.count(in: &holdings) {
      switch effect {
      case .answer(let answer): self.answer([answer])
      case .change(let alteration): environment.permanentCredentialsChanged(alteration, of: uid)
      }
    }
    charge.follow(holdings.heldBytes)
    goOn()
  }

  private func goOn() {
    environment.vaultChanged(of: uid)
    feed { $0.goOn($1) }
  }

  func answer(_ answers: [VaultAnswer]) {
    for answer in answers { replies.removeWaiter(answer)() }
  }
}

/// Who waits for changes of a vault, by their tickets.
struct VaultReplies {
  typealias Reply<Outcome> = (Result<Outcome, VaultFault>) -> Void

  var credentials: [VaultChange.Ticket: Reply<VaultAnswer.Settled>] = [:]
  var trust: [VaultChange.Ticket: Reply<PermanentTrust.TrustChangeResult>] = [:]
  var identities: [VaultChange.Ticket: Reply<PermanentIdentities.IdentityChangeResult>] = [:]

  /// Removes the caller that waits. The closure that is returned tells it, and it may submit further changes.
  mutating func removeWaiter(_ answer: VaultAnswer) -> () -> Void {
    switch answer {
    case .credentials(let ticket, let result): Self.removeWaiter(ticket, of: &credentials, result)
    case .trust(let ticket, let result): Self.removeWaiter(ticket, of: &trust, result)
    case .identities(let ticket, let result): Self.removeWaiter(ticket, of: &identities, result)
    }
  }

  private static func removeWaiter<Outcome>(
    _ ticket: VaultChange.Ticket, of waiting: inout [VaultChange.Ticket: Reply<Outcome>],
    _ result: Result<Outcome, VaultFault>
  ) -> () -> Void {
    let reply = waiting.removeValue(forKey: ticket)
    return { reply?(result) }
  }
}
