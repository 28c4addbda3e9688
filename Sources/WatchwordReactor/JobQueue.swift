/// Jobs in order of arrival.
///
/// Two arrays are swapped, so that memory is proportional to waiting jobs, not to past ones, and running costs no
/// allocation.
struct JobQueue {
  private var running: [UnownedJob] = []
  private var next = 0
  private var waiting: [UnownedJob] = []

  var isEmpty: Bool { next == running.count && waiting.isEmpty }

  mutating func append(_ job: UnownedJob) { waiting.append(job) }

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
