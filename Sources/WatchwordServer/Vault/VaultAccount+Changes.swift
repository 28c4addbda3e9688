internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVault

/// How a change gets to the disk.
extension VaultAccount {
  /// - Parameter then: called when the change is on the disk and counts.
  func submit(_ change: Change, then: @escaping (Result<Alteration, VaultFault>) -> Void) {
    guard !isClosed else { return then(.failure(.unavailable("the daemon is stopping"))) }
    queue.append(change, then: then)
    schedule()
  }

  /// Writes what the rules of a session have asked for.
  func carryOutRequests() {
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
    credentials.dropExpired(now: EventLoop.shared.now, wallClock: Clock.wallSeconds())
    carryOutRequests()
  }

  func schedule() {
    guard !isScheduled, !isBusy, !queue.isEmpty else { return }
    isScheduled = true
    EventLoop.shared.atEndOfTurn { [self] in
      isScheduled = false
      proceed()
    }
  }

  func proceed() {
    guard !isBusy, !queue.isEmpty else { return }
    if isForgotten, !isClosed, !isUnderLock { return open(isMade: false) }
    guard let file else {
      for request in queue.takeAll() {
        request.then(.failure(fault ?? (isUnderLock ? .locked : .unavailable("no vault is open"))))
      }
      return
    }
    var planned: [(request: VaultQueue.Request, plan: PermanentCredentials.Plan)] = []
    for request in queue.takeBatch(of: credentials) {
      do throws(PermanentCredentials.PlanFault) {
        planned.append((request, try credentials.plan(request.change, now: EventLoop.shared.now)))
      } catch {
        request.then(
          .failure(
            .unavailable(
              "the vault has its \(PermanentCredentials.capacity) credentials; credential/remove makes room"))
        )
      }
    }
    let entries = planned.flatMap { $0.plan.added + $0.plan.updated }
    let removed = planned.flatMap(\.plan.removed)
    guard !entries.isEmpty || !removed.isEmpty else {
      for (request, plan) in planned { request.then(.success(credentials.apply(plan))) }
      if isClosed { proceed() } else { schedule() }
      return
    }
    isBusy = true
    worker.submit { [clocks] in
      Result { () throws(VaultFault) in try file.write(entries, removing: removed, clocks) }
    } then: { [self] result in
      isBusy = false
      settle(planned, result)
      if isClosed { proceed() } else { schedule() }
      releaseIfIdle()
    }
  }

  private func settle(
    _ planned: [(request: VaultQueue.Request, plan: PermanentCredentials.Plan)],
    _ result: Result<Void, VaultFault>
  ) {
    switch result {
    case .success:
      counters.vaultWrites += 1
      for (request, plan) in planned {
        let alteration = credentials.apply(plan)
        // The caller hears that it is done before it hears of the change.
        request.then(.success(alteration))
        if !alteration.isSilent { changed(alteration) }
      }
      charge.follow(credentials.byteCount)
    case .failure(let failure):
      counters.vaultWritesFailed += 1
      // Logged once for a transaction; each caller is told as well.
      report(.unavailable(failure.text))
      if case .damaged = failure {
        fault = failure
        leaveFile {}
      }
      for (request, _) in planned { request.then(.failure(failure)) }
    }
  }
}
