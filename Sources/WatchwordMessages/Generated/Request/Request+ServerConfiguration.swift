package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `server/configuration`. Shows the settings of the daemon in use, and the file they are
  /// from. The daemon's uid or root only.
  package struct ServerConfiguration: MethodRequest {
    package typealias Result = Sent.ServerConfiguration
    package static let method = "server/configuration"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
