internal import CTransport
internal import WatchwordReactor

/// Counts across all pools of an engine.
@ReactorActor
final class ConnectionCounters {
  var open = 0
  var opened = 0
  var reused = 0
}
