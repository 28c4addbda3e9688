internal import CLinux
internal import Glibc

/// Closes descriptors that other processes created, outside the loop.
///
/// Closing may block without limit: a FUSE file is flushed, a socket lingers, and a Unix socket closes the
/// descriptors that are in transit in it.
package enum DescriptorCloser {
  /// For sockets and pipes: several threads for each account, so that a blocked one delays no other, and an account
  /// whose descriptors all block delays no other account.
  @ReactorActor private static let lanes = WorkLanes(threads: 64, width: 4)

  /// - Parameter account: whose connection it is, or whose descriptor; nil: the one that made the socket or pipe.
  package static func close(_ descriptor: Int32, of account: UInt32? = nil) {
    guard !EventLoop.shared.isOnLoop else { return assumeOnLoop { submit(descriptor, account) } }
    Task { @ReactorActor in submit(descriptor, account) }
  }

  @ReactorActor
  private static func submit(_ descriptor: Int32, _ account: UInt32?) {
    let device = clinux_file_device(descriptor)
    guard device == 0 else {
      return FileLane.submit(on: device, of: account ?? getuid()) {
        clinux_close_received(descriptor)
      } then: { _ in
      }
    }
    lanes.submit(for: account ?? clinux_creator(descriptor)) {
      clinux_close_received(descriptor)
    } then: { _ in
    }
  }
}
