internal import WatchwordMessages

/// `initialize`: names the caller and its capabilities. Optional.
package enum Initialize {
  package static let protocolVersion = "1"
}

extension Sent.Greeting {
  package init(version: String, pid: Int32, uid: UInt32, limits: [(name: String, value: Int)]) {
    self.init(
      name: "watchwordd", version: version, protocolVersion: Initialize.protocolVersion,
      capabilities: Sent.GreetingCapabilities(descriptors: true, framings: ["line", "contentLength"]),
      pid: Int(pid), uid: Int(uid), limits: limits)
  }
}
