package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// Which setting names the proxy that leads to an origin, or takes it away.
  package struct ProxyChoice: SentObject {
    package let source: String
    /// The member of proxies, or the variable of the daemon's environment.
    package let setting: String
    /// The entry of except, or of no_proxy, for which the origin is reached without the proxy.
    package let exception: String?
    /// False: the variable is no proxy's URL, and a fetch fails.
    package let usable: Bool

    package init(source: String, setting: String, exception: String?, usable: Bool) {
      self.source = source
      self.setting = setting
      self.exception = exception
      self.usable = usable
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("source", source)
      writer.member("setting", setting)
      writer.member("exception", exception)
      writer.member("usable", usable)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      source = try object.member("source")
      setting = try object.member("setting")
      exception = try object.member("exception")
      usable = try object.member("usable")
    }
  }
}
