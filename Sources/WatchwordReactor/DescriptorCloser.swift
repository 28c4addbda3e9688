internal import CLinux

/// Closes descriptors that other processes created, outside the loop.
///
/// Closing may block without limit: a FUSE file is flushed, a socket lingers, and a Unix socket closes the
/// descriptors that are in transit in it.
package enum DescriptorCloser {
  /// For sockets and pipes: several threads, so that a blocked one delays no other.
  private static let pool = BlockingPool(threads: 4)

  package static func close(_ descriptor: Int32) {
    let device = clinux_file_device(descriptor)
    guard device == 0 else {
      Task { @ReactorActor in
        FileLane.submit(on: device) {
          clinux_close_received(descriptor)
        } then: { _ in
        }
      }
      return
    }
    pool.submit {
      clinux_close_received(descriptor)
    } then: { _ in
    }
  }
}
