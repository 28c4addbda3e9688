internal import CLinux
internal import Glibc

/// Blocking work for many, some of whom may hang: the work of each takes a part of the threads, so that it
/// delays no other's.
@ReactorActor
package final class WorkLanes {
  private let pool: BlockingPool
  private var order: LaneOrder<@ReactorActor () -> Void>

  /// - Parameters:
  ///   - threads: of all together.
  ///   - width: pieces of work that may run at the same time in one lane.
  ///   - accountWidth: of one account in all lanes; nil where each account has one lane.
  package nonisolated init(threads: Int, width: Int, accountWidth: Int? = nil) {
    pool = BlockingPool(threads: threads)
    order = LaneOrder(laneWidth: width, accountWidth: accountWidth ?? width)
  }

  /// Runs `work` on a thread, when that of the same account before it in the lane has begun, and passes the
  /// result to `then` on the loop.
  package func submit<Result: Sendable>(
    in lane: UInt64, of account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    let begin: @ReactorActor () -> Void = { [self] in
      pool.submit(work) { [self] result in
        for next in order.ended(account: account, lane: lane) { next() }
        then(result)
      }
    }
    order.add(begin, account: account, lane: lane)?()
  }

  /// Where each account has one lane.
  package func submit<Result: Sendable>(
    for account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    submit(in: UInt64(account), of: account, work, then: then)
  }
}

/// What takes long to compute for callers, as a key that is decrypted or a page that is read: one account
/// takes one of two threads at most, so that its work delays no other account's.
@ReactorActor
package enum ComputingLane {
  private static let lanes = WorkLanes(threads: 2, width: 1)

  /// Runs `work` on a thread, after what was submitted for the same account, and passes the result to `then`
  /// on the loop.
  package static func submit<Result: Sendable>(
    for account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    lanes.submit(for: account, work, then: then)
  }
}

/// Blocking work with files of callers: those of one file system take two threads at most, so that one that
/// hangs (FUSE, a network) delays no file elsewhere, and those of one account eight, so that its file systems
/// delay no other account's.
@ReactorActor
package enum FileLane {
  private static let lanes = WorkLanes(threads: 64, width: 2, accountWidth: 8)

  /// Runs `work`, which uses this descriptor of a regular file, on a thread, and passes the result to `then`
  /// on the loop.
  ///
  /// - Parameter account: of the caller that passed the descriptor. The file does not tell it: the owner of a
  ///   file is what its file system says.
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

/// Closes descriptors that other processes created, outside the loop.
///
/// Closing may block without limit: a FUSE file is flushed, a socket lingers, and a Unix socket closes the
/// descriptors that are in transit in it.
package enum DescriptorCloser {
  /// For sockets and pipes: several threads for each account, so that a blocked one delays no other, and an
  /// account whose descriptors all block delays no other account.
  @ReactorActor private static let lanes = WorkLanes(threads: 64, width: 4)

  /// - Parameter account: whose connection it is, or whose descriptor; nil: the one that made the socket or
  ///   pipe.
  package static func close(_ descriptor: Int32, of account: UInt32? = nil) {
    guard !EventLoop.shared.isOnLoop else { return assumeOnLoop { submit(descriptor, account) } }
    EventLoop.shared.post { submit(descriptor, account) }
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
