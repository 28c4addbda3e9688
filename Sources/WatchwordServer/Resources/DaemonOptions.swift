package import WatchwordCore

/// How the daemon was started.
package struct DaemonOptions: Sendable {
  package var socketPath: String
  package var configurationPath: String?
  /// Where what outlives the daemon is kept; nil when nothing says where.
  package var statePlace: StatePlace?
  package var idleExitSeconds: Double?
  /// Whether every uid of the host may connect, each to its own sessions.
  package var isHostWide = false
  package var policy = TrustPolicy()
  /// Absolute paths of the PKCS#11 modules that keys may be in.
  package var tokenModules: [String] = []
  /// The program that runs them; nil when it is not installed.
  package var tokenProgram: String?

  package init(socketPath: String) { self.socketPath = socketPath }

  package static let version = "1.0.0"
}
