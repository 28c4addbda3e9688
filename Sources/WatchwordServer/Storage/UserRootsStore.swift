internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor

/// The roots of all users: in memory for their sessions, and in a file for each uid (storage.md 6.6).
///
/// Files are read when the daemon starts, and off the loop with each request about them.
@ReactorActor
final class UserRootsStore {
  private struct Account {
    var roots = UserRoots()
    /// Why the file is not used, for a person.
    var fault: String?
    let charge: MemoryCharge
  }

  /// One change after the other; the last one counts.
  private static let worker = BlockingPool(threads: 1)

  private let place: StatePlace?
  private let budget: MemoryBudget
  private var accounts: [UInt32: Account] = [:]
  private var changed: (UInt32) -> Void = { _ in }
  private var complain: (String) -> Void = { _ in }

  init(_ place: StatePlace?, budget: MemoryBudget) {
    self.place = place
    self.budget = budget
  }

  /// Reads the files that there are before the first peer is served.
  ///
  /// - Parameters:
  ///   - changed: takes the uid whose roots have changed later.
  ///   - complain: takes why a file is not used.
  func open(changed: @escaping (UInt32) -> Void, complain: @escaping (String) -> Void) {
    self.changed = changed
    self.complain = complain
    guard let place else { return }
    do throws(StorageFault) {
      for uid in try UserRootsFile.accounts(in: place) { adopt(UserRootsStore.read(place, uid), of: uid) }
    } catch {
      adopt(.failure(.storage(error.text)), of: getuid())
    }
  }

  func roots(of uid: UInt32) -> UserRoots { accounts[uid]?.roots ?? UserRoots() }

  func description(of uid: UInt32) -> RootsDescription {
    RootsDescription(
      path: place.map { UserRootsFile(place: $0, uid: uid).path }, count: roots(of: uid).all.count,
      reason: accounts[uid]?.fault)
  }

  /// Reads the file again.
  func read(of uid: UInt32, then: @escaping (Result<UserRoots, UserRootsFile.Fault>) -> Void) {
    guard let place else { return then(.success(UserRoots())) }
    UserRootsStore.worker.submit {
      UserRootsStore.read(place, uid)
    } then: { [self] result in
      adopt(result, of: uid)
      then(result)
    }
  }

  /// - Parameter then: called when the change is on the disk and counts.
  func apply(
    _ change: UserRootsFile.Change, of uid: UInt32,
    then: @escaping (Result<UserRootsFile.Changed, UserRootsFile.Fault>) -> Void
  ) {
    guard let place else { return then(.failure(.storage(StorageFault.noPlace.text))) }
    UserRootsStore.worker.submit {
      Result { () throws(UserRootsFile.Fault) in try UserRootsFile(place: place, uid: uid).apply(change) }
    } then: { [self] result in
      switch result {
      case .success(let changed): adopt(.success(changed.roots), of: uid)
      // What is there now counts.
      case .failure(.storage): return read(of: uid) { _ in then(result) }
      // A text that is refused says nothing about the file.
      case .failure(.certificates): break
      }
      then(result)
    }
  }

  private nonisolated static func read(
    _ place: StatePlace, _ uid: UInt32
  ) -> Result<UserRoots, UserRootsFile.Fault> {
    Result { () throws(UserRootsFile.Fault) in try UserRootsFile(place: place, uid: uid).read() }
  }

  /// A file with a fault is not used: none of the roots counts.
  private func adopt(_ result: Result<UserRoots, UserRootsFile.Fault>, of uid: UInt32) {
    let before = accounts[uid]
    var account = before ?? Account(charge: MemoryCharge(budget, uid: uid))
    switch result {
    case .success(let roots): (account.roots, account.fault) = (roots, nil)
    case .failure(.storage(let text)): (account.roots, account.fault) = (UserRoots(), text)
    case .failure(.certificates(let fault)): (account.roots, account.fault) = (UserRoots(), fault.text)
    }
    account.charge.follow(account.roots.byteCount)
    accounts[uid] = account.roots.isEmpty && account.fault == nil ? nil : account
    if let fault = account.fault, fault != before?.fault { complain(fault) }
    if account.roots != before?.roots ?? UserRoots() { changed(uid) }
  }
}
