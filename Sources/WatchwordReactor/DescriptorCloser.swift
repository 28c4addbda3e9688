internal import CLinux

/// Closes descriptors that other processes created, outside the loop.
///
/// Closing may block without limit: a FUSE file is flushed, a socket lingers, and a Unix socket closes the
/// descriptors that are in transit in it.
package enum DescriptorCloser {
  /// Several threads, so that a blocked one delays no other.
  private static let pool = BlockingPool(threads: 4)

  package static func close(_ descriptor: Int32) {
    pool.submit {
      clinux_close_received(descriptor)
    } then: { _ in
    }
  }
}
