import CLinux
import Glibc
import Testing

@testable import WatchwordServer

/// A directory of the test's own, mode 0700; removed with everything in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/watchword-test-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { TemporaryFolder.remove(path) }

  func path(of name: String) -> String { "\(path)/\(name)" }

  /// The state directory of a daemon, in the folder.
  var statePlace: StatePlace? { StatePlace.resolve(path(of: "state")) { _ in nil } }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws -> String {
    let file = path(of: name)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    try #require(fchmod(descriptor, mode) == 0)
    return file
  }

  /// The text of a file; nil when there is none.
  func read(_ name: String) -> String? {
    let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The permissions of a file, as in `ls`; nil when there is none.
  func mode(of name: String) -> mode_t? {
    var information = stat()
    return lstat(path(of: name), &information) == 0 ? information.st_mode & 0o7777 : nil
  }

  var names: [String] { TemporaryFolder.names(path) }

  private static func names(_ path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    if information.st_mode & S_IFMT == S_IFDIR {
      for name in names(path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}

/// A file in memory that a caller passes.
final class MemoryDescriptor {
  let number: Int32

  init() throws {
    number = clinux_memfd_create("test")
    try #require(number >= 0)
  }

  deinit { close(number) }

  /// So that what was written is read.
  func rewind() { lseek(number, 0, SEEK_SET) }
}
