internal import WatchwordCore
internal import WatchwordProtocol

/// The permanent trust decisions in the state directory: one file for each account, `trust-UID.json`.
///
/// Its methods block: call them on the pool and at the daemon's start.
struct TrustFiles: Sendable {
  /// The stored decisions, and messages about them for a person.
  struct Contents: Sendable {
    var kept: [UInt32: PermanentTrust] = [:]
    /// Which files were put aside, and why.
    var complaints: [String] = []
  }

  /// Changes that are written together, by account.
  struct Batch: Sendable {
    var kept: [UInt32: PermanentTrust]
    var changes: [UInt32: [PermanentTrust.Change]]
    /// Accounts whose file differs from the decisions in memory.
    var stale: Set<UInt32>
  }

  struct Result: Sendable {
    /// Nil when it could not be opened.
    var directory: StateDirectory?
    /// The contents of a directory that has just been opened, without the changes.
    var contents: Contents?
    var faults: [UInt32: StorageFault] = [:]
    var written = 0
  }

  private static let prefix = "trust-"
  private static let suffix = ".json"

  static func open(_ place: StatePlace, isMade: Bool) throws(StorageFault) -> (StateDirectory, Contents)? {
    guard let directory = try StateDirectory.open(place, isMade: isMade) else { return nil }
    return (directory, try contents(of: directory))
  }

  /// Applies the changes to the kept decisions and writes them; opens the directory first if necessary.
  static func carryOut(_ batch: Batch, in directory: StateDirectory?, at place: StatePlace) -> Result {
    var result = Result()
    var batch = batch
    let accounts = batch.stale.union(batch.changes.keys)
    do throws(StorageFault) {
      if let directory, !directory.isGone {
        result.directory = directory
      } else if let (directory, contents) = try open(place, isMade: true) {
        // The contents of a disk that is back, or of another daemon, take precedence over memory.
        batch.kept = contents.kept
        result.directory = directory
        result.contents = contents
      }
    } catch {
      for uid in accounts { result.faults[uid] = error }
    }
    guard let directory = result.directory else { return result }
    for uid in accounts {
      do throws(StorageFault) {
        let before = batch.kept[uid] ?? PermanentTrust()
        var after = before
        for change in batch.changes[uid] ?? [] { _ = after.apply(change) }
        guard after != before || batch.stale.contains(uid) else { continue }
        try write(after, of: uid, to: directory)
        result.written += 1
      } catch {
        result.faults[uid] = error
      }
    }
    return result
  }

  private static func contents(of directory: StateDirectory) throws(StorageFault) -> Contents {
    var contents = Contents()
    for name in try directory.names() {
      guard let uid = uid(in: name) else { continue }
      let file = StateFile(name: name, directory: directory)
      let reason: String
      switch try file.read(maximumBytes: PermanentTrust.maximumDocumentBytes) {
      case nil: continue
      case .failure(let fault): reason = fault.text
      case .success(let bytes):
        do throws(PermanentTrust.DocumentFault) {
          contents.kept[uid] = try PermanentTrust(document: bytes, of: uid)
          continue
        } catch {
          reason = error.text
        }
      }
      contents.complaints.append("\(file.path): \(reason); put aside as \(try file.putAside())")
    }
    return contents
  }

  private static func write(
    _ trust: PermanentTrust, of uid: UInt32, to directory: StateDirectory
  ) throws(StorageFault) {
    let document = trust.document(of: uid)
    // An unreadable entry would later cause the whole file to be put aside.
    do throws(PermanentTrust.DocumentFault) {
      _ = try PermanentTrust(document: document, of: uid)
    } catch {
      throw .full("the decision cannot be written down: \(error.text)")
    }
    try StateFile(name: prefix + String(uid) + suffix, directory: directory).write(document)
  }

  private static func uid(in name: String) -> UInt32? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
    guard let uid = UInt32(digits), String(uid) == digits else { return nil }
    return uid
  }
}
