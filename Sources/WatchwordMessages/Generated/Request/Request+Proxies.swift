package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// `Proxies` of the contract.
  package struct Proxies: SentObject {
    /// For http origins. Secret.
    package let http: String?
    /// For https origins. Secret.
    package let https: String?
    /// For origins whose scheme has no proxy of its own. Secret.
    package let all: String?
    /// Origins that are reached without a proxy: names with their subdomains, addresses, networks such as
    /// 10.0.0.0/8, names and addresses with a port, or *.
    package let except: [String]?

    package init(http: String? = nil, https: String? = nil, all: String? = nil, except: [String]? = nil) {
      self.http = http
      self.https = https
      self.all = all
      self.except = except
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let http { writer.member("http", http) }
      if let https { writer.member("https", https) }
      if let all { writer.member("all", all) }
      if let except { writer.member("except", except) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      http = try object.memberIfPresent("http")
      https = try object.memberIfPresent("https")
      all = try object.memberIfPresent("all")
      except = try object.memberIfPresent("except")
    }
  }
}
