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

extension Sent.Greeting {
  package init(version: String, pid: Int32, uid: UInt32, limits: [(name: String, value: Int)]) {
    self.init(
      name: "watchwordd", version: version, protocolVersion: Initialize.protocolVersion,
      capabilities: Sent.GreetingCapabilities(descriptors: true, framings: ["line", "contentLength"]),
      features: Feature.allCases.map(\.rawValue), pid: Int(pid), uid: Int(uid), limits: limits)
  }
}
