internal import WatchwordReactor
internal import WatchwordTransport

/// The engine of a session's current settings, and those of earlier settings that running tasks were begun
/// with.
@ReactorActor
struct SessionEngines {
  private(set) var current: any ExchangeEngine
  /// With the number of running tasks that each was begun with.
  private var earlier: [ObjectIdentifier: (engine: any ExchangeEngine, tasks: Int)] = [:]

  init(_ current: any ExchangeEngine) { self.current = current }

  var all: [any ExchangeEngine] { [current] + earlier.values.map(\.engine) }

  var count: Int { 1 + earlier.count }

  var openConnections: Int { all.reduce(0) { $0 + $1.openConnections } }

  /// Those that later tasks do not have.
  var earlierCookies: [SessionCookies] {
    guard !earlier.isEmpty else { return [] }
    var found: [SessionCookies] = []
    for (used, _) in earlier.values where used.cookies !== current.cookies {
      if !found.contains(where: { $0 === used.cookies }) { found.append(used.cookies) }
    }
    return found
  }

  /// - Parameter running: the tasks that were begun with the current one.
  mutating func replace(with new: any ExchangeEngine, runningOnCurrent running: Int) {
    let old = current
    current = new
    if running == 0 { old.shutDown() } else { earlier[ObjectIdentifier(old)] = (old, running) }
  }

  /// A task has ended that was begun with this one: one of earlier settings ends with the last of them.
  ///
  /// - Returns: whether it has ended.
  mutating func release(_ used: (any ExchangeEngine)?) -> Bool {
    guard let used, let entry = earlier[ObjectIdentifier(used)] else { return false }
    guard entry.tasks <= 1 else {
      earlier[ObjectIdentifier(used)] = (used, entry.tasks - 1)
      return false
    }
    earlier[ObjectIdentifier(used)] = nil
    used.shutDown()
    return true
  }

  mutating func shutDown() {
    for engine in all { engine.shutDown() }
    earlier = [:]
  }
}
