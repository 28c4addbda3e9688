import Glibc

/// Waits for the children of this process with a name, which a test has had the daemon's code start.
///
/// The daemon ignores `SIGCHLD`, so that the kernel forgets its children. This process does not: a child that nobody has
/// waited for hides the end of each later test that runs in a process of its own.
func waitForChildren(named name: String) {
  guard let directory = opendir("/proc") else { return }
  defer { closedir(directory) }
  while let entry = readdir(directory) {
    let text = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if let process = pid_t(text), isChild(process, named: name) { waitpid(process, nil, 0) }
  }
}

/// By `/proc/PID/stat`: the name in parentheses, the state, and the parent.
private func isChild(_ process: pid_t, named name: String) -> Bool {
  let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  let bytes = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
    count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
  }
  let text = String(decoding: bytes, as: UTF8.self)
  guard let end = text.lastIndex(of: ")"), text[..<end].hasSuffix("(\(name)") else { return false }
  let fields = text[end...].split(separator: " ")
  return fields.count > 2 && pid_t(fields[2]) == getpid()
}
