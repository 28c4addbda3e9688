internal import Glibc

/// The daemon's state directory, open and usually locked: private, and changed by one daemon at a time.
///
/// All files in it are reached through its descriptor, so that the checked directory is the one in use. One
/// thread uses it at a time, and never the loop once the daemon serves.
final class StateDirectory: Sendable {
  let path: String
  let descriptor: Int32
  /// Nil without a lock.
  private let lock: Int32?

  private static let lockName = "lock"

  /// - Parameter isLocked: false to read what is only replaced as a whole.
  /// - Returns: Nil when it does not exist and is not to be created.
  static func open(
    _ place: StatePlace, isMade: Bool, isLocked: Bool = true
  ) throws(StorageFault) -> StateDirectory? {
    let checked: Int32?
    do throws(PrivateDirectory.DirectoryFault) {
      checked = try checkedDescriptor(place, isMade: isMade)
    } catch {
      switch error {
      case .loose(let text): throw .loose(text)
      case .system(let text): throw .system(text)
      }
    }
    guard let checked else { return nil }
    return isLocked ? try locked(place.path, checked) : StateDirectory(place.path, checked, nil)
  }

  private static func checkedDescriptor(
    _ place: StatePlace, isMade: Bool
  ) throws(PrivateDirectory.DirectoryFault) -> Int32? {
    if isMade {
      for parent in place.parents { try PrivateDirectory.make(parent) }
      try PrivateDirectory.make(place.path)
    }
    let descriptor = Glibc.open(place.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if descriptor < 0 && errno == ENOENT && !isMade { return nil }
    if descriptor < 0 && errno == ELOOP {
      throw .loose("\(place.path): is not a directory (links are not followed)")
    }
    guard descriptor >= 0 else { throw .system(PrivateDirectory.reason(place.path)) }
    do throws(PrivateDirectory.DirectoryFault) {
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw .system(PrivateDirectory.reason(place.path)) }
      try PrivateDirectory.check(information, place.path)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func locked(_ path: String, _ descriptor: Int32) throws(StorageFault) -> StateDirectory {
    let lock = openat(descriptor, lockName, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard lock >= 0 else {
      let reason = PrivateDirectory.reason("\(path)/\(lockName)")
      close(descriptor)
      throw .system(reason)
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      close(lock)
      close(descriptor)
      throw .inUse("\(path): another daemon keeps its state there")
    }
    return StateDirectory(path, descriptor, lock)
  }

  private init(_ path: String, _ descriptor: Int32, _ lock: Int32?) {
    self.path = path
    self.descriptor = descriptor
    self.lock = lock
  }

  deinit {
    if let lock { close(lock) }
    close(descriptor)
  }

  /// Whether another process has removed or replaced it.
  var isGone: Bool {
    var held = stat()
    var named = stat()
    guard fstat(descriptor, &held) == 0, lstat(path, &named) == 0 else { return true }
    return held.st_ino != named.st_ino || held.st_dev != named.st_dev
  }

  /// The names in it, except `.` and `..`.
  func names() throws(StorageFault) -> [String] {
    // A separate descriptor: reading moves the offset.
    let copy = openat(descriptor, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard copy >= 0 else { throw .system(PrivateDirectory.reason(path)) }
    guard let stream = fdopendir(copy) else {
      close(copy)
      throw .system(PrivateDirectory.reason(path))
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
