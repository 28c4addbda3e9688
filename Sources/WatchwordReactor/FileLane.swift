internal import CLinux

/// Blocking work with files of callers: those of one file system take two threads at most, so that one that hangs (FUSE,
/// a network) delays no file elsewhere, and those of one account eight, so that its file systems delay no other account's.
@ReactorActor
package enum FileLane {
  private static let lanes = WorkLanes(threads: 64, width: 2, accountWidth: 8)

  /// Runs `work`, which uses this descriptor of a regular file, on a thread, and passes the result to `then` on the loop.
  ///
  /// - Parameter account: of the caller that passed the descriptor. The file does not tell it: the owner of a file is what
  ///   its file system says.
  package static func submit<Result: Sendable>(
    for descriptor: Int32, of account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    submit(on: clinux_file_device(descriptor), of: account, work, then: then)
  }

  /// - Parameter device: of the file system.
  package static func submit<Result: Sendable>(
    on device: UInt64, of account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    lanes.submit(in: device, of: account, work, then: then)
  }
}
