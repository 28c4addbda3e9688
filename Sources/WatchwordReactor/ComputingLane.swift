/// What takes long to compute for callers, as a key that is decrypted or a page that is read: one account takes one of
/// two threads at most, so that its work delays no other account's.
@ReactorActor
package enum ComputingLane {
  private static let lanes = WorkLanes(threads: 2, width: 1)

  /// Runs `work` on a thread, after what was submitted for the same account, and passes the result to `then` on the loop.
  package static func submit<Result: Sendable>(
    for account: UInt32, _ work: @escaping @Sendable () -> Result,
    then: @escaping @ReactorActor (Result) -> Void
  ) {
    lanes.submit(for: account, work, then: then)
  }
}
