internal import Glibc
internal import WatchwordPrimitives

/// What tells the files of a client certificate from others without reading them.
extension IdentityFile {
  /// The same for the same files as long as they do not change; nil when nothing tells that, as of a pipe, and for a key
  /// in a token, whose PIN is asked for each time.
  ///
  /// The kernel sets the time of a file's last change, and no program chooses it: another content has another name.
  static func name(ofFiles paths: [String]) -> String? {
    var names: [String] = []
    for path in paths {
      var status = stat()
      guard !path.hasPrefix(tokenScheme), stat(OctetText.cString(path), &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      let changed = status.st_ctim
      names.append(
        "\(status.st_dev):\(status.st_ino):\(status.st_size):\(changed.tv_sec).\(changed.tv_nsec)")
    }
    return names.joined(separator: " ")
  }
}
