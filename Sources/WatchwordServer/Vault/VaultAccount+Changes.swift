internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVault
internal import WatchwordVocabulary

/// How a change gets to the disk.
extension VaultAccount {
  /// - Parameter then: called when the change is on the disk and counts.
  func submit(_ change: Change, then: @escaping (Result<Alteration, VaultFault>) -> Void) {
    submit(change, merging: VaultQueue.Merged()) { result in then(result.map(\.alteration)) }
  }

  /// - Parameter merged: of the same import: all of it is written, or nothing.
  func submit(
    _ change: Change, merging merged: VaultQueue.Merged,
    then: @escaping (Result<VaultQueue.Settled, VaultFault>) -> Void
  ) {
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    enqueue { $0.append(change, merging: merged, then: then) }
  }

  /// The same for who waits.
  ///
  /// - Parameter acknowledge: called as soon as the change counts, before anybody else hears of it.
  func submit(
    _ change: Change, merging merged: VaultQueue.Merged = VaultQueue.Merged(),
    acknowledge: @escaping (VaultQueue.Settled) -> Void
  ) async -> Result<Void, VaultFault> {
    await completion { end in
      submit(change, merging: merged) { result in end(result.map(acknowledge)) }
    }
  }

  /// Writes what the rules of a session have asked for.
  func carryOutRequests() {
    carryOutIdentityNews()
    for change in credentials.takeRequests() {
      if isClosed { continue }
      if case .noteUses(let numbers) = change {
        queue.noteUses(numbers)
        schedule()
      } else {
        submit(change) { _ in }
      }
    }
  }

  /// Limits are checked on listing as well as on use.
  func forgetExpired() {
    let (now, wallClock) = (EventLoop.shared.now, Clock.wallSeconds())
    credentials.dropExpired(now: now, wallClock: wallClock)
    _ = identities.dropExpired(now: now, wallClock: wallClock)
    carryOutRequests()
  }

  /// Plans the next transaction, and writes it off the loop. It has all changes that have come, except a
  /// second one for the same origin.
  func write() {
    guard let file else { return }
    let batch = queue.takeBatch(of: credentials)
    let decisions = queue.takeTrust()
    var requests = queue.takeIdentities()
    var (after, identitiesAfter) = (trust, identities)
    for request in decisions ?? [] { _ = after.apply(request.change) }
    // One that found no room now may find some after the writing, and would not be on the disk.
    requests?.removeAll { request in
      guard case .full = identitiesAfter.apply(request.change) else { return false }
      request.then(.success(.full))
      return true
    }
    var planned: [Planned] = []
    for request in batch {
      var (trust, identities) = (after, identitiesAfter)
      if case .full = trust.apply(.merge(request.merged.decisions)) {
        request.then(.failure(VaultAccount.noRoom))
        continue
      }
      if case .full = identities.apply(.merge(request.merged.identities)) {
        request.then(.failure(VaultAccount.noRoomForIdentities))
        continue
      }
      do throws(PermanentCredentials.PlanFault) {
        planned.append(
          Planned(request: request, plan: try credentials.plan(request.change, now: EventLoop.shared.now)))
        (after, identitiesAfter) = (trust, identities)
      } catch {
        request.then(
          .failure(
            .unavailable(
              "the vault has its \(PermanentCredentials.capacity) credentials; credential/remove makes room"))
        )
      }
    }
    var changes = VaultChanges(
      credentials: planned.flatMap { $0.plan.added + $0.plan.updated },
      removedCredentials: planned.flatMap(\.plan.removed))
    let isMerging = planned.contains { !$0.request.merged.isEmpty }
    if decisions != nil || isMerging { changes.trust = (after, after.difference(from: storedTrust)) }
    if requests != nil || isMerging {
      changes.identities = (identitiesAfter, identitiesAfter.difference(from: storedIdentities))
    }
    let isEmpty = changes.isEmpty
    lifecycle.planned(isEmpty: isEmpty, surroundings)
    guard !isEmpty else {
      count(planned, decisions ?? [], requests ?? [])
      noted()
      return take { $0.goOn($1) }
    }
    worker.submit { [clocks, changes] in
      Result { () throws(VaultFault) in try file.write(changes, clocks) }
    } then: { [self] result in
      settle(planned, decisions ?? [], requests ?? [], changes, result)
      take { $0.goOn($1) }
    }
  }

  private struct Planned {
    let request: VaultQueue.Request
    let plan: PermanentCredentials.Plan
  }

  /// What is on the disk counts from now on.
  private func count(
    _ planned: [Planned], _ decisions: [VaultQueue.TrustRequest], _ requests: [VaultQueue.IdentityRequest]
  ) {
    // All decisions and identities first: what is taken back then is the last word.
    let outcomes = decisions.map { trust.apply($0.change) }
    let identityOutcomes = requests.map { identities.apply($0.change) }
    let mergings = planned.map { merge($0.request.merged) }
    for (one, merging) in zip(planned, mergings) {
      let alteration = credentials.apply(one.plan)
      // The caller hears that it is done before it hears of the change.
      one.request.then(
        .success(
          VaultQueue.Settled(alteration: alteration, merging: merging.trust, identities: merging.identities)))
      if !alteration.isSilent { changed(alteration) }
    }
    for (request, outcome) in zip(decisions, outcomes) { request.then(.success(outcome)) }
    for (request, outcome) in zip(requests, identityOutcomes) { request.then(.success(outcome)) }
  }

  private func merge(
    _ merged: VaultQueue.Merged
  ) -> (trust: PermanentTrust.Merging, identities: PermanentIdentities.Merging) {
    var mergings = (trust: PermanentTrust.Merging(), identities: PermanentIdentities.Merging())
    if case .merged(let merging) = trust.apply(.merge(merged.decisions)) { mergings.trust = merging }
    if case .merged(let merging) = identities.apply(.merge(merged.identities)) {
      mergings.identities = merging
    }
    return mergings
  }

  private func settle(
    _ planned: [Planned], _ decisions: [VaultQueue.TrustRequest],
    _ requests: [VaultQueue.IdentityRequest], _ changes: VaultChanges, _ result: Result<Void, VaultFault>
  ) {
    switch result {
    case .success:
      take { (lifecycle, _) in lifecycle.wrote(nil) }
      counters.vaultWrites += 1
      if let after = changes.trust?.after { storedTrust = after }
      if let after = changes.identities?.after { storedIdentities = after }
      count(planned, decisions, requests)
      charge.follow(heldBytes)
    case .failure(let failure):
      take { (lifecycle, _) in lifecycle.wrote(failure) }
      counters.vaultWritesFailed += 1
      // Logged once for a transaction; each caller is told as well.
      report(.unavailable(failure.text))
      for one in planned { one.request.then(.failure(failure)) }
      for request in decisions { request.then(.failure(failure)) }
      for request in requests { request.then(.failure(failure)) }
    }
    noted()
  }
}
