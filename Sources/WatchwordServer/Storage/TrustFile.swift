internal import Glibc
internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordVocabulary

/// The file `trust-UID.json` in which earlier versions kept an account's permanent trust decisions.
///
/// Its decisions become records of the vault, and the file is removed after that. Its methods block.
struct TrustFile: Sendable {
  /// What a look for the file has found.
  enum Finding: Sendable {
    case nothing
    case file(TrustFile)
    /// It was put aside, or cannot be read now; for a person.
    case fault(String)
  }

  private static let prefix = "trust-"
  private static let suffix = ".json"
  private static let newSuffix = ".new"

  let decisions: PermanentTrust
  /// The SHA-256 of the file.
  let digest: Fingerprint
  /// Locked: no daemon of an earlier version writes to it meanwhile.
  private let directory: StateDirectory
  private let name: String

  static func find(in place: StatePlace, of uid: UInt32) -> Finding {
    let name = "\(prefix)\(uid)\(suffix)"
    var information = stat()
    guard lstat("\(place.path)/\(name)", &information) == 0 else { return .nothing }
    do throws(StorageFault) {
      guard let directory = try StateDirectory.open(place, isMade: false) else { return .nothing }
      let file = StateFile(name: name, directory: directory)
      let reason: String
      switch try file.read(maximumBytes: PermanentTrust.maximumDocumentBytes) {
      case nil: return .nothing
      case .failure(let fault): reason = fault.text
      case .success(let bytes):
        do throws(PermanentTrust.DocumentFault) {
          let decisions = try PermanentTrust(document: bytes, of: uid)
          guard let digest = digest(of: bytes) else { return .fault("\(file.path): no SHA-256") }
          return .file(
            TrustFile(decisions: decisions, digest: digest, directory: directory, name: name))
        } catch {
          reason = error.text
        }
      }
      return .fault("\(file.path): \(reason); put aside as \(try file.putAside())")
    } catch {
      return .fault("\(place.path)/\(name): \(error.text)")
    }
  }

  private static func digest(of bytes: [UInt8]) -> Fingerprint? {
    guard var hash = Hash(.sha256) else { return nil }
    hash.update(bytes)
    return hash.finish().withBytes { Fingerprint($0) }
  }

  /// The accounts that have such a file.
  static func account(in name: String) -> UInt32? {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
    let digits = name.dropFirst(prefix.count).dropLast(suffix.count)
    guard let uid = UInt32(digits), String(uid) == digits else { return nil }
    return uid
  }

  /// - Returns: Why it is still there, for a person; nil: it is not.
  func remove() -> String? {
    unlinkat(directory.descriptor, name + TrustFile.newSuffix, 0)
    guard unlinkat(directory.descriptor, name, 0) == 0 || errno == ENOENT else {
      return "\(directory.path)/\(name): \(String(cString: strerror(errno)))"
    }
    fsync(directory.descriptor)
    return nil
  }
}
