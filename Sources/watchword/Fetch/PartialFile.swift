internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// The file of an earlier fetch with `-C -`, and the version that it holds a part of.
///
/// An extended attribute of the file keeps the server's strong ETag. Without one, the rest may belong to
/// another version, and the file is fetched from the start: a mixture of two versions would be worse.
struct PartialFile {
  private static let attribute = "user.watchword.etag"

  private let size: Int
  private let tag: String

  /// nil when there is nothing to resume.
  init?(_ path: String) {
    var status = stat()
    var value = [CChar](repeating: 0, count: 4096)
    let path = OctetText.cString(path)
    let count = caller_get_attribute(path, Self.attribute, &value, value.count)
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0, count > 0 else {
      return nil
    }
    size = Int(status.st_size)
    tag = String(decoding: value.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// RFC 9110 §13.1.5: the rest, if this is still the version; else all of it.
  var fields: [(name: String, value: String)] { [("Range", "bytes=\(size)-"), ("If-Range", tag)] }

  /// What a response means for the file.
  enum Continuation {
    /// The body is appended at this offset.
    case from(Int)
    /// The file is already complete.
    case complete
  }

  func continuation(_ response: HeadText) throws(Failure) -> Continuation {
    let range = response.first("content-range") ?? ""
    // An origin that supports Range but not If-Range may send another version, and shows it by its tag.
    let isSameVersion = response.first("etag").map { $0 == tag } ?? true
    switch response.status {
    case 206:
      guard isSameVersion, range.hasPrefix("bytes \(size)-") else {
        throw Failure("the server sent another range than the requested one")
      }
      return .from(size)
    case 416 where range == "bytes */\(size)" && isSameVersion: return .complete
    default: return .from(0)
    }
  }

  /// Stores the version that the file begins to hold; a file system without attributes drops it.
  static func note(_ response: HeadText, on descriptor: Int32) {
    guard let tag = response.first("etag"), !tag.hasPrefix("W/") else { return }
    caller_set_attribute(descriptor, attribute, tag, tag.utf8.count)
  }
}
