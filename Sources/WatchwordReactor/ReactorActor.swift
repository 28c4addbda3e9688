internal import CLinux

/// The isolation of everything that changes: it runs on the event loop's thread and nowhere else.
@globalActor
package actor ReactorActor {
  package static let shared = ReactorActor()

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    EventLoop.shared.asUnownedSerialExecutor()
  }
}

/// Runs `body` as isolated to the loop, from a C callback that is known to be called on its thread.
///
/// Only `MainActor` has a static `assumeIsolated`; this is the same for ours, and the one unsafe place of the
/// loop. A call from another thread stops the process, as it does there.
package func assumeOnLoop<Result>(_ body: @ReactorActor () throws -> Result) rethrows -> Result {
  EventLoop.shared.checkIsolated()
  return try withoutActuallyEscaping(body) { escapable in
    // The cast drops the isolation only, which the check above has proved.
    try unsafeBitCast(escapable, to: (() throws -> Result).self)()
  }
}

/// The same for a function that captures nothing, and is given what it needs: it costs no allocation. It
/// would if `Object` were a class, which functions take in another way than any value.
package func assumeOnLoop<Object, Argument, Result>(
  _ object: Object, _ argument: Argument, _ body: @escaping @ReactorActor (Object, Argument) -> Result
) -> Result {
  EventLoop.shared.checkIsolated()
  // As above.
  return unsafeBitCast(body, to: ((Object, Argument) -> Result).self)(object, argument)
}

/// Waits for what `start` passes to its argument, which it calls once, now or later.
@ReactorActor
package func completion<Value: Sendable>(
  of start: (@escaping @ReactorActor (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in
    start { continuation.resume(returning: $0) }
  }
}

/// Waits until `start` calls its argument, once, now or later.
@ReactorActor
package func completion(of start: (@escaping @ReactorActor () -> Void) -> Void) async {
  await withCheckedContinuation { continuation in
    start { continuation.resume() }
  }
}

/// Begins work with each element, in their order, and returns when all of it has ended.
@ReactorActor
package func joinAll<Elements: Collection>(
  _ elements: Elements, _ work: @escaping @ReactorActor (Elements.Element) async -> Void
) async {
  var left = elements.count
  guard left > 0 else { return }
  await completion { end in
    for element in elements {
      EventLoop.shared.begin {
        await work(element)
        left -= 1
        if left == 0 { end() }
      }
    }
  }
}

/// Jobs in order of arrival.
///
/// Two arrays are swapped, so that memory is proportional to waiting jobs, not to past ones, and running
/// costs no allocation.
struct JobQueue {
  private var running: [UnownedJob] = []
  private var next = 0
  private var waiting: [UnownedJob] = []

  var isEmpty: Bool { next == running.count && waiting.isEmpty }

  mutating func append(_ job: UnownedJob) { waiting.append(job) }

  /// Takes the job that was appended just now.
  mutating func popLast() -> UnownedJob? { waiting.popLast() }

  mutating func popFirst() -> UnownedJob? {
    if next == running.count {
      guard !waiting.isEmpty else { return nil }
      running.removeAll(keepingCapacity: true)
      next = 0
      swap(&running, &waiting)
    }
    defer { next += 1 }
    return running[next]
  }
}

package enum ReactorError: Error, Sendable, Equatable {
  case system(operation: String, errno: Int32)
}
