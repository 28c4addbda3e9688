internal import Glibc
internal import WatchwordCore
internal import WatchwordSecret
internal import WatchwordVault

/// An open vault with the lock of its directory. Its methods block.
struct VaultFile: Sendable {
  /// A vault that has just been opened, and what is in it.
  struct Opened: Sendable {
    let file: VaultFile
    var contents: VaultContents
    let isNew: Bool
    /// Decisions of the file of an earlier version that are records now.
    var takenOver = 0
  }

  struct Fault: Error, Sendable {
    let fault: VaultFault
    /// Whether another daemon holds it, which may end.
    var isInUse = false
  }

  let directory: StateDirectory
  let vault: Vault

  /// What a look for a vault has come to.
  struct Outcome: Sendable {
    /// Nil when there is no vault and none was made.
    let result: Result<Opened?, Fault>
    /// Why the decisions of an earlier version's file are not used, for a person.
    var complaint: String?
  }

  /// Opens the vault, and takes over the decisions that an earlier version has left in a file of their own: there is a
  /// vault then, too.
  static func open(
    _ place: VaultPlace, of uid: UInt32, isMade: Bool, passphrase: Secret? = nil,
    isOnLoop: Bool = false, _ clocks: CredentialRecord.Clocks
  ) -> Outcome {
    let finding = TrustFile.find(in: place.outer, of: uid)
    var earlier: TrustFile?
    var complaint: String?
    switch finding {
    case .nothing: break
    case .file(let file): earlier = file
    case .fault(let text): complaint = text
    }
    let hasDecisions = earlier.map { $0.decisions.count > 0 } ?? false
    do throws(Fault) {
      let opened = try openFile(
        place, of: uid, isMade: isMade || hasDecisions, passphrase: passphrase, isOnLoop: isOnLoop, clocks)
      guard let opened, let earlier else { return Outcome(result: .success(opened), complaint: complaint) }
      let (after, text) = opened.takingOver(earlier, clocks)
      return Outcome(result: .success(after), complaint: text)
    } catch {
      return Outcome(result: .failure(error), complaint: complaint)
    }
  }

  private static func openFile(
    _ place: VaultPlace, of uid: UInt32, isMade: Bool, passphrase: Secret?, isOnLoop: Bool,
    _ clocks: CredentialRecord.Clocks
  ) throws(Fault) -> Opened? {
    let directory: StateDirectory
    do throws(StorageFault) {
      try checkParent(place.state)
      guard let opened = try StateDirectory.open(place.state, isMade: isMade) else { return nil }
      directory = opened
    } catch {
      switch error {
      case .inUse: throw Fault(fault: .unavailable(error.text), isInUse: true)
      case .noPlace, .loose, .system, .full: throw Fault(fault: .unavailable(error.text))
      }
    }
    do throws(VaultFault) {
      let isThere = access("\(place.path)/\(Vault.fileName)", F_OK) == 0
      guard
        let vault = try Vault.open(
          in: place.path, of: uid, isMade: isMade, given: place.keys(passphrase, isOnLoop: isOnLoop))
      else { return nil }
      let contents = VaultContents(try vault.contents(), clocks)
      return Opened(
        file: VaultFile(directory: directory, vault: vault), contents: contents, isNew: !isThere)
    } catch {
      throw Fault(fault: error)
    }
  }

  /// The directory around it must be private, too: otherwise others could replace it.
  private static func checkParent(_ place: StatePlace) throws(StorageFault) {
    guard let parent = place.parents.last else { return }
    var information = stat()
    guard lstat(parent, &information) == 0 else { return }
    do throws(PrivateDirectory.Fault) {
      try PrivateDirectory.check(information, parent)
    } catch {
      throw .loose(error.text)
    }
  }

  /// The accounts that have a vault, or decisions that a vault takes over.
  static func accounts(in place: StatePlace, prefix: String) -> [UInt32] {
    guard let stream = opendir(place.path) else { return [] }
    defer { closedir(stream) }
    var accounts: Set<UInt32> = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let uid = TrustFile.account(in: name) { accounts.insert(uid) }
      if name.hasPrefix(prefix), let uid = UInt32(name.dropFirst(prefix.count)), name == "\(prefix)\(uid)" {
        accounts.insert(uid)
      }
    }
    return accounts.sorted()
  }

  func write(_ changes: VaultChanges, _ clocks: CredentialRecord.Clocks) throws(VaultFault) {
    guard !directory.isGone else { throw .unavailable("\(directory.path): was removed") }
    try vault.write(changes.records(clocks), removing: changes.removed)
  }
}

extension VaultFile.Opened {
  /// Makes the decisions of a file records, in one transaction, and removes the file after that. A crash in between leaves
  /// both: the vault knows the file that it has taken over, and takes nothing of it again.
  fileprivate func takingOver(
    _ earlier: TrustFile, _ clocks: CredentialRecord.Clocks
  ) -> (VaultFile.Opened, complaint: String?) {
    var after = self
    guard let count = after.contents.trust.takeOver(earlier.decisions, from: earlier.digest) else {
      return (self, "the vault has no room for the decisions of the file")
    }
    let difference = after.contents.trust.difference(from: contents.trust)
    do throws(VaultFault) {
      if !difference.isEmpty {
        try file.write(VaultChanges(trust: (after.contents.trust, difference)), clocks)
      }
    } catch {
      return (self, error.text)
    }
    after.takenOver = count
    return (after, earlier.remove())
  }
}
