internal import Glibc

/// The descriptors of this process: peers, connections to origins, memory files, callers' files.
package enum ProcessDescriptors {
  /// systemd's hard limit for services. Some systems allow a thousand million, and the kernel's table of
  /// descriptors grows with the highest number in use.
  private static let maximum = rlim_t(524_288)

  /// Raises the soft limit to the hard one: the soft one is low for programs that use select(2), which is not
  /// used here.
  package static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let wanted = min(limit.rlim_max, maximum)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// The number of descriptors that the process may have open.
  static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// The number of open descriptors; nil when the kernel does not say.
  static var inUse: Int? {
    var information = stat()
    // Since Linux 6.2 the size of the directory is their number.
    if stat("/proc/self/fd", &information) == 0, information.st_size > 0 { return Int(information.st_size) }
    return listed
  }

  /// The same on an earlier kernel.
  static var listed: Int? {
    guard let directory = opendir("/proc/self/fd") else { return nil }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Without its own descriptor, "." and "..".
    return count - 3
  }
}

/// The memory of this process.
enum ProcessMemory {
  /// Resident bytes; 0 when the kernel does not say.
  static func residentBytes() -> Int64 {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return 0 }
    let fields = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let pages = Int64(fields[1]) else { return 0 }
    return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
