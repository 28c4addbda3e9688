package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `server/reload`. Reads the daemon's configuration again; one that is broken changes
  /// nothing. The daemon's uid or root only.
  package struct ServerReload: MethodRequest {
    package typealias Result = Sent.Reloaded
    package static let method = "server/reload"

    package init() {
    }

    package func writeMembers(to writer: inout JSONWriter) {
    }

    package init(_ object: ReadObject) throws(ReadFault) {
    }
  }
}
