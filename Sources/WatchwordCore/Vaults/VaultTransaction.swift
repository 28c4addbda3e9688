/// Changes that are written together, and count together when they are on the disk (storage.md 9.6).
package struct VaultTransaction: Sendable {
  /// What is done when it is written, in this order.
  package enum Effect: Sendable {
    /// Who waits hears that the change counts, before anybody else hears of it.
    case answer(VaultAnswer)
    /// The sessions follow.
    case change(PermanentCredentials.Alteration)
  }

  fileprivate struct Planned: Sendable {
    let request: VaultQueue.Request
    let plan: PermanentCredentials.Plan
  }

  /// The decisions and identities with what has been planned so far.
  fileprivate struct After {
    var trust: PermanentTrust
    var identities: PermanentIdentities
  }

  /// What is written. If there is nothing, the changes count at once.
  package private(set) var written = Written()
  /// There is no room for these: they are answered at once.
  package private(set) var refusals: [VaultAnswer] = []
  private var planned: [Planned] = []
  private var decisions: [VaultQueue.TrustRequest] = []
  private var identities: [VaultQueue.IdentityRequest] = []

  // MARK: Planning

  /// Plans the next one: all changes that have come, except a second one for the same origin.
  package init(of queue: inout VaultQueue, in holdings: inout VaultHoldings, now: Double) {
    var after = After(trust: holdings.trust, identities: holdings.identities)
    let isTrustConcerned = queue.hasTrust
    let areIdentitiesConcerned = queue.hasIdentities
    for request in queue.takeTrust() { plan(request, &after) }
    for request in queue.takeIdentities() { plan(request, &after) }
    for request in queue.takeRequests(of: holdings.credentials) {
      plan(request, &holdings.credentials, now, &after)
    }
    let isMerging = planned.contains { !$0.request.merged.isEmpty }
    written.credentials = planned.flatMap { $0.plan.added + $0.plan.updated }
    written.removedCredentials = planned.flatMap(\.plan.removed)
    if isTrustConcerned || isMerging { written.note(after.trust, over: holdings.storedTrust) }
    if areIdentitiesConcerned || isMerging { written.note(after.identities, over: holdings.storedIdentities) }
  }

  private mutating func plan(_ request: VaultQueue.TrustRequest, _ after: inout After) {
    _ = after.trust.apply(request.change)
    decisions.append(request)
  }

  /// One that finds no room now may find some after the writing, and would not be on the disk.
  private mutating func plan(_ request: VaultQueue.IdentityRequest, _ after: inout After) {
    if case .full = after.identities.apply(request.change) {
      refusals.append(.identities(request.ticket, .success(.full)))
    } else {
      identities.append(request)
    }
  }

  private mutating func plan(
    _ request: VaultQueue.Request, _ credentials: inout PermanentCredentials, _ now: Double,
    _ after: inout After
  ) {
    do throws(VaultFault) {
      let next = try after.merging(request.merged)
      planned.append(Planned(request: request, plan: try credentials.planned(request.change, now: now)))
      after = next
    } catch {
      refusals.append(.credentials(request.ticket, .failure(error)))
    }
  }

  // MARK: Settling

  /// It is on the disk: its changes count from now on.
  package func count(in holdings: inout VaultHoldings) -> [Effect] {
    if let after = written.trust?.after { holdings.storedTrust = after }
    if let after = written.identities?.after { holdings.storedIdentities = after }
    // All decisions and identities first: what is taken back then is the last word.
    let others =
      decisions.map { VaultAnswer.trust($0.ticket, .success(holdings.trust.apply($0.change))) }
      + identities.map { VaultAnswer.identities($0.ticket, .success(holdings.identities.apply($0.change))) }
    let mergings = planned.map { holdings.merge($0.request.merged) }
    let credentials = zip(planned, mergings).flatMap { $0.count(in: &holdings.credentials, $1) }
    return credentials + others.map(Effect.answer)
  }

  /// Nothing of it is on the disk.
  package func fail(_ fault: VaultFault) -> [VaultAnswer] {
    planned.map { .credentials($0.request.ticket, .failure(fault)) }
      + decisions.map { .trust($0.ticket, .failure(fault)) }
      + identities.map { .identities($0.ticket, .failure(fault)) }
  }
}

extension VaultTransaction.After {
  /// All of an import, or nothing.
  func merging(_ merged: VaultChange.Merged) throws(VaultFault) -> Self {
    var after = self
    if case .full = after.trust.apply(.merge(merged.decisions)) { throw .noRoomForTrust }
    if case .full = after.identities.apply(.merge(merged.identities)) { throw .noRoomForIdentities }
    return after
  }
}

extension VaultTransaction.Planned {
  func count(
    in credentials: inout PermanentCredentials, _ merging: VaultHoldings.Merging
  ) -> [VaultTransaction.Effect] {
    let alteration = credentials.apply(plan)
    let settled = VaultAnswer.Settled(
      alteration: alteration, trust: merging.trust, identities: merging.identities)
    let answer = VaultTransaction.Effect.answer(.credentials(request.ticket, .success(settled)))
    return alteration.isSilent ? [answer] : [answer, .change(alteration)]
  }
}

extension PermanentCredentials {
  fileprivate mutating func planned(_ change: Change, now: Double) throws(VaultFault) -> Plan {
    do throws(PlanFault) {
      return try plan(change, now: now)
    } catch {
      switch error {
      case .full: throw .noRoomForCredentials
      }
    }
  }
}

extension VaultTransaction {
  /// What is written and removed.
  package struct Written: Sendable {
    package internal(set) var credentials: [CachedCredential] = []
    package internal(set) var removedCredentials: [UInt64] = []
    /// The decisions after it, and how they differ from those of the vault.
    package private(set) var trust: (after: PermanentTrust, difference: PermanentTrust.Difference)?
    /// The same for the client identities.
    package private(set) var identities:
      (after: PermanentIdentities, difference: PermanentIdentities.Difference)?

    package var isEmpty: Bool {
      credentials.isEmpty && removedCredentials.isEmpty && trust?.difference.isEmpty ?? true
        && identities?.difference.isEmpty ?? true
    }

    mutating func note(_ after: PermanentTrust, over stored: PermanentTrust) {
      trust = (after, after.difference(from: stored))
    }

    mutating func note(_ after: PermanentIdentities, over stored: PermanentIdentities) {
      identities = (after, after.difference(from: stored))
    }
  }
}
