/// Blocking work for many, some of whom may hang: the work of each takes a part of the threads, so that it delays no other's.
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

  /// Runs `work` on a thread, when that of the same account before it in the lane has begun, and passes the result to `then`
  /// on the loop.
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
