internal import CLinux
internal import Glibc
internal import Synchronization
internal import WatchwordVocabulary

/// One epoll thread that is a Swift serial executor: only it changes state. It is a task executor as well,
/// since work that waits would otherwise go on by way of another thread (SE-0417).
///
/// A turn: wait, deliver readiness, run due timers and then steps of those whose turn it is, each for as long
/// as there is time, run jobs, run what was deferred to the end of the turn.
package final class EventLoop: SerialExecutor, TaskExecutor {
  /// The loop of the process.
  package static let shared = EventLoop()

  /// Jobs run between two checks of the descriptors, so that neither side can starve the other.
  private static let jobsPerTurn = 256
  /// For steps, before descriptors are looked at again.
  private static let secondsOfSteps = 0.01
  /// For timers, before it is the turn of steps: thousands may be due together.
  private static let secondsOfTimers = 0.01
  /// After which a step that can be divided ends, and goes on in its next turn.
  private static let secondsPerStep = 0.002

  /// Used on the loop's thread only; created before it.
  private nonisolated(unsafe) let poller: OpaquePointer
  private let wakeUpDescriptor: Int32
  /// The thread that runs the loop, as pthread_self; 0 before it does.
  private let thread = Atomic<UInt>(0)
  /// Jobs of other threads, until the loop wakes up and takes them.
  private let foreign = Locked<[UnownedJob]>([])

  // Used only on the loop's thread, which `isOnLoop` checks.
  private nonisolated(unsafe) var jobs = JobQueue()
  private nonisolated(unsafe) var taken: [UnownedJob] = []

  @ReactorActor private var watches = WatchTable()
  @ReactorActor private let timers = TimerQueue()
  @ReactorActor let order = TurnOrder()
  /// When the step that runs has begun; in the past, when none does.
  @ReactorActor private var stepBegan = -Double.infinity
  @ReactorActor private var endOfTurn: [@ReactorActor () -> Void] = []
  @ReactorActor private var isStopping = false
  /// Monotonic seconds, read once per turn.
  @ReactorActor package private(set) var now = EventLoop.monotonicSeconds()
  /// How often the loop has woken up; constant while there is no work.
  @ReactorActor package private(set) var turns: UInt64 = 0
  /// How many steps have been begun.
  @ReactorActor package private(set) var steps: UInt64 = 0

  private init() {
    // The process cannot run without a poller or an eventfd: no input from outside leads here.
    guard let poller = clinux_poller_create() else { preconditionFailure("epoll_create1 failed: \(errno)") }
    self.poller = poller
    wakeUpDescriptor = clinux_eventfd()
    precondition(wakeUpDescriptor >= 0, "eventfd failed: \(errno)")
    _ = clinux_poller_add(poller, wakeUpDescriptor, CLINUX_READABLE, EventLoop.wakeUpToken)
  }

  private static let wakeUpToken = UInt64.max

  package static func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: Executor

  package var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  package func checkIsolated() {
    precondition(isOnLoop, "not on the event loop's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnLoop {
      jobs.append(job)
      return
    }
    let wasEmpty = foreign.withLock { queue in
      queue.append(job)
      return queue.count == 1
    }
    if wasEmpty { wakeUp() }
  }

  /// Begins work that may wait. What comes before its first wait is done when this returns: requests keep
  /// their order.
  @ReactorActor
  package func begin(_ work: @escaping @ReactorActor () async -> Void) {
    Task(executorPreference: self) { @Sendable @ReactorActor in await work() }
    // Nothing else was enqueued on this thread meanwhile.
    if let first = jobs.popLast() { run(first) }
  }

  /// Runs `work` on the loop's thread, in a job of its own. Call it on any thread.
  ///
  /// A task that does not prefer this executor is enqueued twice: as it is, and again when it finds that out.
  package func post(_ work: @escaping @Sendable @ReactorActor () -> Void) {
    Task(executorPreference: self) { @Sendable @ReactorActor in work() }
  }

  private func run(_ job: UnownedJob) {
    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }

  private func wakeUp() {
    var one: UInt64 = 1
    _ = write(wakeUpDescriptor, &one, 8)
  }

  // MARK: Running

  /// Makes the current thread the loop's and runs until `stop`; `begin` runs first, on the loop.
  ///
  /// A loop has one thread: while one runs, a second call returns at once. Test targets that share a process
  /// each start the loop.
  package func run(_ begin: @ReactorActor () -> Void = {}) {
    let current = UInt(pthread_self())
    let claim = thread.compareExchange(expected: 0, desired: current, ordering: .acquiringAndReleasing)
    guard claim.exchanged else { return }
    defer { thread.store(0, ordering: .releasing) }
    assumeOnLoop {
      isStopping = false
      now = EventLoop.monotonicSeconds()
      begin()
      finishTurn()
      while !isStopping { turn() }
    }
  }

  @ReactorActor
  package func stop() { isStopping = true }

  @ReactorActor
  private func turn() {
    let count = clinux_poller_wait(poller, waitNanoseconds())
    now = EventLoop.monotonicSeconds()
    turns &+= 1
    for index in 0..<count {
      dispatch(clinux_poller_token(poller, index), Interest(rawValue: clinux_poller_events(poller, index)))
    }
    // Timers made by a timer wait for the next turn: they must not delay the check of descriptors.
    let newest = timers.lastOrder
    let end = EventLoop.monotonicSeconds() + EventLoop.secondsOfTimers
    while let handler = timers.takeDue(now, notAfter: newest) {
      handler()
      if EventLoop.monotonicSeconds() >= end { break }
    }
    runSteps()
    finishTurn()
  }

  @ReactorActor
  private func waitNanoseconds() -> Int64 {
    if !jobs.isEmpty || !order.isEmpty || isStopping { return 0 }
    guard let next = timers.next else { return -1 }
    let left = next - EventLoop.monotonicSeconds()
    return left <= 0 ? 0 : Int64(min(left, 86_400) * 1e9) + 1
  }

  @ReactorActor
  private func dispatch(_ token: UInt64, _ ready: Interest) {
    if token == EventLoop.wakeUpToken {
      takeForeignJobs()
    } else if let watch = watches.find(token) {
      guard let taker = watch.taker else { return watch.handler(ready) }
      let isWaiting = watch.pending != .none
      watch.pending.formUnion(ready)
      if !isWaiting { order.add(.watch(watch), for: taker) }
    }
  }

  // MARK: Steps

  @ReactorActor
  private func runSteps() {
    guard !order.isEmpty else { return }
    let end = EventLoop.monotonicSeconds() + EventLoop.secondsOfSteps
    repeat {
      guard let step = order.begin() else { break }
      stepBegan = EventLoop.monotonicSeconds()
      steps &+= 1
      switch step {
      case .run(let work): work()
      case .watch(let watch):
        let ready = watch.pending.intersection(watch.interest.union(.hangUp))
        watch.pending = .none
        if !watch.isCancelled, ready != .none { watch.handler(ready) }
      }
      let now = EventLoop.monotonicSeconds()
      order.end(after: now - stepBegan)
      stepBegan = now
    } while stepBegan < end && !isStopping
    stepBegan = -Double.infinity
  }

  /// Whether the step that runs has used up its time: what can wait is left to the next one. True outside of
  /// a step.
  @ReactorActor
  package var isStepOver: Bool { EventLoop.monotonicSeconds() - stepBegan >= EventLoop.secondsPerStep }

  @ReactorActor
  private func takeForeignJobs() {
    var count: UInt64 = 0
    _ = read(wakeUpDescriptor, &count, 8)
    // Swaps the two arrays, so that neither is allocated again.
    foreign.withLock { swap(&$0, &taken) }
    for job in taken { jobs.append(job) }
    taken.removeAll(keepingCapacity: true)
  }

  /// Runs jobs, then deferred work, until there is none left or the turn has run its share.
  @ReactorActor
  private func finishTurn() {
    var share = EventLoop.jobsPerTurn
    repeat {
      while share > 0, let job = jobs.popFirst() {
        share -= 1
        run(job)
      }
      var index = 0
      while index < endOfTurn.count {
        let handler = endOfTurn[index]
        index += 1
        handler()
      }
      endOfTurn.removeAll(keepingCapacity: true)
    } while share > 0 && !jobs.isEmpty
  }

  // MARK: Descriptors

  /// Watches a descriptor until the watch is cancelled.
  ///
  /// - Parameter taker: in whose turn `handler` runs; nil for what is the daemon's own, or costs next to
  ///   nothing.
  @ReactorActor
  package func watch(
    _ descriptor: Int32, for interest: Interest, in taker: TurnTaker? = nil,
    _ handler: @escaping @ReactorActor (Interest) -> Void
  ) throws(ReactorError) -> Watch {
    let slot = watches.reserve()
    let failure = clinux_poller_add(poller, descriptor, interest.rawValue, watches.token(slot))
    guard failure == 0 else {
      watches.free(slot)
      throw .system(operation: "epoll_ctl", errno: failure)
    }
    let watch = Watch(
      descriptor: descriptor, slot: slot, interest: interest, taker: taker, loop: self,
      handler: handler)
    watches.occupy(slot, watch)
    return watch
  }

  @ReactorActor
  func changeInterest(of watch: Watch) {
    guard watches.isNewest(watch) else { return }
    _ = clinux_poller_modify(poller, watch.descriptor, watch.interest.rawValue, watches.token(watch.slot))
  }

  @ReactorActor
  func forget(_ watch: Watch) {
    if watches.isNewest(watch) { _ = clinux_poller_remove(poller, watch.descriptor) }
    watches.free(watch)
  }

  // MARK: Time, signals, end of turn

  @ReactorActor
  package func schedule(after seconds: Double, _ handler: @escaping @ReactorActor () -> Void) -> LoopTimer {
    timers.add(at: now + max(0, seconds), handler)
  }

  @ReactorActor
  package func sleep(seconds: Double) async {
    await completion { _ = schedule(after: seconds, $0) }
  }

  /// Runs `handler` once at the end of this turn, so that many events cost one write.
  @ReactorActor
  package func atEndOfTurn(_ handler: @escaping @ReactorActor () -> Void) { endOfTurn.append(handler) }

  /// Takes over signals. Call it on the main thread before any other thread is made: they are blocked for the
  /// calling thread and those it makes, and a thread that does not block them would take them instead.
  @ReactorActor
  package func onSignals(
    _ numbers: [Int32], _ handler: @escaping @ReactorActor (Int32) -> Void
  ) throws(ReactorError) {
    let descriptor = clinux_signalfd(numbers, Int32(numbers.count))
    guard descriptor >= 0 else { throw .system(operation: "signalfd", errno: errno) }
    _ = try watch(descriptor, for: .readable) { _ in
      while case let number = clinux_signalfd_next(descriptor), number != 0 { handler(number) }
    }
  }
}
