internal import Glibc
internal import WatchwordVocabulary

/// A file that takes the place of another one, or its name, when it is complete; until then it has a name
/// beside that.
final class NewFile {
  private let path: String
  private let partial: String
  private let file: Descriptor
  private var isCommitted = false

  /// Whether it would take the place of a file, or of nothing: a device, a pipe or a link would be lost.
  static func mayReplace(_ path: String) -> Bool {
    var status = stat()
    return lstat(OctetText.cString(path), &status) != 0 || status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether the path leads to a device or a pipe, which no file may take the place of.
  static func isDevice(_ path: String) -> Bool {
    var status = stat()
    guard stat(OctetText.cString(path), &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  init(_ path: String, mode: mode_t = 0o600) throws(Failure) {
    guard NewFile.mayReplace(path) else {
      throw Failure(
        "\(DisplayText.escaped(path)) is not a file", hint: "- writes to standard output, wherever that leads"
      )
    }
    self.path = path
    partial = "\(path).\(getpid()).partial"
    guard let file = Descriptor.opened(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode) else {
      throw Failure(
        "\(DisplayText.escaped(partial)) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
    self.file = file
  }

  deinit {
    if !isCommitted { unlink(OctetText.cString(partial)) }
  }

  var descriptor: Int32 { file.number }

  /// On the disk when this returns.
  func commit() throws(Failure) {
    guard fsync(file.number) == 0, rename(OctetText.cString(partial), OctetText.cString(path)) == 0 else {
      throw Failure(
        "\(DisplayText.escaped(path)) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
    isCommitted = true
  }
}
