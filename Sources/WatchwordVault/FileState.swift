internal import Glibc

/// What a file is, and when it was written last: to notice that another program has replaced, emptied or altered it.
struct FileState: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil when there is no such file.
  init?(of path: String) {
    var information = stat()
    guard lstat(path, &information) == 0 else { return nil }
    device = UInt64(information.st_dev)
    inode = UInt64(information.st_ino)
    size = Int64(information.st_size)
    seconds = information.st_mtim.tv_sec
    nanoseconds = information.st_mtim.tv_nsec
  }

  /// Whether it is the same file, written meanwhile or not.
  func isSameFile(as other: FileState) -> Bool { device == other.device && inode == other.inode }
}
