internal import CTransport
internal import WatchwordReactor

/// What an engine's pools count together.
@ReactorActor
final class ConnectionCounters {
  var open = 0
  var opened = 0
  var reused = 0
}
