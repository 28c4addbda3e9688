package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `session/open`. Opens or joins a session.
  package struct SessionOpen: MethodRequest {
    package typealias Result = Sent.OpenedSession
    package static let method = "session/open"

    package let name: String?
    package let configuration: Request.SessionConfiguration?
    package let bySettings: Bool?
    package let variant: String?
    package let delegate: Request.Delegate?

    package init(
      name: String? = nil, configuration: Request.SessionConfiguration? = nil, bySettings: Bool? = nil,
      variant: String? = nil, delegate: Request.Delegate? = nil
    ) {
      self.name = name
      self.configuration = configuration
      self.bySettings = bySettings
      self.variant = variant
      self.delegate = delegate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let name { writer.member("name", name) }
      if let configuration { writer.member("configuration", configuration) }
      if let bySettings { writer.member("bySettings", bySettings) }
      if let variant { writer.member("variant", variant) }
      if let delegate { writer.member("delegate", delegate) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      name = try object.memberIfPresent("name")
      configuration = try object.memberIfPresent("configuration")
      bySettings = try object.memberIfPresent("bySettings")
      variant = try object.memberIfPresent("variant")
      delegate = try object.memberIfPresent("delegate")
    }
  }
}
