internal import Glibc
internal import WatchwordCore
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// The file `roots-UID.pem` with the user's roots. Its methods block.
///
/// A file with a fault is left as it is, and nothing of it is trusted.
struct UserRootsFile: Sendable {
  enum Change: Sendable {
    /// Certificates in PEM.
    case add(String)
    /// A SHA-256 in hexadecimal; nil: all.
    case remove(String?)
  }

  enum RootsFileFault: Error, Sendable {
    /// Nothing can be read or written; for a person.
    case storage(String)
    /// What is to be added is not.
    case certificates(UserRoots.AdditionFault)
  }

  struct Changed: Sendable {
    let roots: UserRoots
    /// How many were added or removed.
    let count: Int
    /// Those of the text that was added.
    var named: [Certificate] = []
  }

  private static let prefix = "roots-"
  private static let suffix = ".pem"
  /// How often, and how long in between, another daemon is waited for that changes a file of the directory.
  private static let attempts = 50
  private static let patienceMicroseconds: UInt32 = 20_000

  let place: StatePlace
  let uid: UInt32

  private var name: String { "\(UserRootsFile.prefix)\(uid)\(UserRootsFile.suffix)" }
  var path: String { "\(place.path)/\(name)" }

  /// The accounts that have a file, if it is a file.
  static func accounts(in place: StatePlace) throws(StorageFault) -> [UInt32] {
    guard let directory = try StateDirectory.open(place, isMade: false, isLocked: false) else { return [] }
    return try directory.names().compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
      let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
      return UInt32(digits).flatMap { String($0) == digits ? $0 : nil }
    }.sorted()
  }

  /// Without a file there are none. A file is replaced as a whole: no lock is needed to read it.
  func read() throws(RootsFileFault) -> UserRoots {
    guard let directory = try directory(isMade: false, isLocked: false) else { return UserRoots() }
    return try contents(in: directory)
  }

  /// Returns when the change is on the disk.
  func apply(_ change: Change) throws(RootsFileFault) -> Changed {
    switch change {
    case .add(let pem):
      let candidates = try UserRootsFile.candidates(in: pem)
      // A text that is refused makes no directory.
      var roots = UserRoots()
      _ = try UserRootsFile.add(candidates, to: &roots)
      guard let directory = try directory(isMade: true, isLocked: true) else {
        throw .storage("\(place.path): is missing")
      }
      roots = try contents(in: directory)
      let count = try UserRootsFile.add(candidates, to: &roots)
      if count > 0 { try write(roots, in: directory) }
      return Changed(roots: roots, count: count, named: candidates.map(\.certificate))
    case .remove(let sha256):
      guard let directory = try directory(isMade: false, isLocked: true) else {
        return Changed(roots: UserRoots(), count: 0)
      }
      var roots = try contents(in: directory)
      let count = roots.remove(sha256)
      if count > 0 { try write(roots, in: directory) }
      return Changed(roots: roots, count: count)
    }
  }

  // MARK: Steps

  private func directory(isMade: Bool, isLocked: Bool) throws(RootsFileFault) -> StateDirectory? {
    for attempt in 1...UserRootsFile.attempts {
      do throws(StorageFault) {
        return try StateDirectory.open(place, isMade: isMade, isLocked: isLocked)
      } catch {
        guard case .inUse = error, attempt < UserRootsFile.attempts else { throw .storage(error.text) }
        usleep(UserRootsFile.patienceMicroseconds)
      }
    }
    return nil
  }

  private func contents(in directory: StateDirectory) throws(RootsFileFault) -> UserRoots {
    var roots = UserRoots()
    let found: Result<[UInt8], StateFile.Unreadable>?
    do throws(StorageFault) {
      found = try StateFile(name: name, directory: directory).read(maximumBytes: UserRoots.maximumBytes)
    } catch {
      throw .storage(error.text)
    }
    switch found {
    case nil: return roots
    case .failure(let fault): throw .storage("\(path): \(fault.text)")
    case .success(let bytes):
      guard bytes.count <= UserRoots.maximumBytes, let text = String(validating: bytes, as: UTF8.self) else {
        throw .storage("\(path): \(UserRoots.AdditionFault.tooLarge.text)")
      }
      do throws(UserRoots.AdditionFault) {
        _ = try roots.add(try UserRoots.candidates(in: text))
      } catch {
        throw .storage("\(path): \(error.text); mend or remove the file")
      }
      return roots
    }
  }

  private func write(_ roots: UserRoots, in directory: StateDirectory) throws(RootsFileFault) {
    let file = StateFile(name: name, directory: directory)
    do throws(StorageFault) {
      if let pem = roots.pem { try file.write(Array(pem.utf8)) } else { try file.remove() }
    } catch {
      throw .storage(error.text)
    }
  }

  private static func candidates(in pem: String) throws(RootsFileFault) -> [UserRoots.Candidate] {
    do throws(UserRoots.AdditionFault) {
      return try UserRoots.candidates(in: pem)
    } catch {
      throw .certificates(error)
    }
  }

  private static func add(_ candidates: [UserRoots.Candidate], to roots: inout UserRoots)
    throws(RootsFileFault) -> Int
  {
    do throws(UserRoots.AdditionFault) {
      return try roots.add(candidates)
    } catch {
      throw .certificates(error)
    }
  }
}

extension UserRoots.AdditionFault {
  /// For a person: what is wrong, and what to do.
  var text: String {
    switch self {
    case .nothing: "has no PEM certificate"
    case .unreadable(let number): "certificate \(number) cannot be read"
    case .noAuthority(let number, let subject):
      "certificate \(number) (\(subject)) is no certificate authority's: give the authority that issued it, "
        + "or accept this one server when its certificate is asked about (watchword fetch -k)"
    case .tooMany: "more than \(UserRoots.capacity) certificate authorities"
    case .tooLarge: "more than \(UserRoots.maximumBytes) bytes of PEM"
    }
  }
}

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

  /// As `status` shows them.
  func description(of uid: UInt32) -> Sent.RootsStatus {
    Sent.RootsStatus(
      path: place.map { UserRootsFile(place: $0, uid: uid).path }, count: roots(of: uid).all.count,
      reason: accounts[uid]?.fault)
  }

  /// Reads the file again.
  func read(of uid: UInt32) async throws(UserRootsFile.RootsFileFault) -> UserRoots {
    guard let place else { return UserRoots() }
    let result = await UserRootsStore.worker.run { UserRootsStore.read(place, uid) }
    adopt(result, of: uid)
    return try result.get()
  }

  /// Returns when the change is on the disk and counts.
  func apply(
    _ change: UserRootsFile.Change, of uid: UInt32
  ) async throws(UserRootsFile.RootsFileFault) -> UserRootsFile.Changed {
    guard let place else { throw .storage(StorageFault.noPlace.text) }
    let result = await UserRootsStore.worker.run {
      Result { () throws(UserRootsFile.RootsFileFault) in
        try UserRootsFile(place: place, uid: uid).apply(change)
      }
    }
    switch result {
    case .success(let changed): adopt(.success(changed.roots), of: uid)
    // What is there now counts.
    case .failure(.storage): _ = try? await read(of: uid)
    // A text that is refused says nothing about the file.
    case .failure(.certificates): break
    }
    return try result.get()
  }

  private nonisolated static func read(
    _ place: StatePlace, _ uid: UInt32
  ) -> Result<UserRoots, UserRootsFile.RootsFileFault> {
    Result { () throws(UserRootsFile.RootsFileFault) in try UserRootsFile(place: place, uid: uid).read() }
  }

  /// A file with a fault is not used: none of the roots counts.
  private func adopt(_ result: Result<UserRoots, UserRootsFile.RootsFileFault>, of uid: UInt32) {
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
