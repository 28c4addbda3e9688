internal import WatchwordMessages

/// `session/open`: opens or joins a session, and registers the challenges that this connection takes.
package enum SessionOpen {
  /// Only the daemon chooses names of private sessions.
  package static let privatePrefix = "private-"
}

extension SessionOpenParameters {
  /// A name is either chosen or made from the settings.
  func checkName() throws(RPCError) {
    if bySettings, name != nil { throw .invalidParams("params.bySettings", "excludes name") }
    guard let variant else { return }
    if !bySettings { throw .invalidParams("params.variant", "goes with bySettings") }
    if variant.isEmpty { throw .invalidParams("params.variant", "is empty") }
  }
}

/// `initialize`: names the caller and its capabilities. Optional.
package enum Initialize {
  package static let protocolVersion = "1"
}

/// What was added to this version of the protocol, for clients that may meet an older daemon (messages.md
/// 3.3.2).
package enum Feature: String, CaseIterable, Sendable {
  case configure
  case bySettings
  case taskSettings
  case connectionSettings
  case preemptive
  case key
  case userRoots
  case loginPage
  case callersWays
  case hostField
  case strictPins
  case exchangeDetails
  case traceContext
  case because
  case restart
}

extension Sent.Greeting {
  package init(version: String, pid: Int32, uid: UInt32, limits: [(name: String, value: Int)]) {
    self.init(
      name: "watchwordd", version: version, protocolVersion: Initialize.protocolVersion,
      capabilities: Sent.GreetingCapabilities(descriptors: true, framings: ["line", "contentLength"]),
      features: Feature.allCases.map(\.rawValue), pid: Int(pid), uid: Int(uid), limits: limits)
  }
}
