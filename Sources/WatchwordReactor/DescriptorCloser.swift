internal import CLinux

/// Closes descriptors that others have made, away from the loop.
///
/// Closing may wait as long as they like: a FUSE file is flushed, a socket lingers, and with a Unix socket go the
/// descriptors that are on their way in it.
package enum DescriptorCloser {
  /// Several, so that one that waits keeps no other.
  private static let pool = BlockingPool(threads: 4)

  package static func close(_ descriptor: Int32) {
    pool.submit {
      clinux_close_received(descriptor)
    } then: { _ in
    }
  }
}
