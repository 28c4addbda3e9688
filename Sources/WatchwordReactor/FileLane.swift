internal import CLinux

/// Blocking work with files of callers: those of one file system take two threads at most, so that one that hangs (FUSE,
/// a network) delays no file elsewhere.
@ReactorActor
package enum FileLane {
  private static let lanes = WorkLanes(threads: 64, width: 2)

  /// Runs `work`, which uses this descriptor of a regular file, on a thread, and passes the result to `then` on the loop.
  package static func submit<Result: Sendable>(
    for descriptor: Int32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    submit(on: clinux_file_device(descriptor), work, then: then)
  }

  /// - Parameter device: of the file system.
  static func submit<Result: Sendable>(
    on device: UInt64, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    lanes.submit(in: device, work, then: then)
  }
}
