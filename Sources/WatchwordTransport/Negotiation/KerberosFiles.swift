/// The credential caches and keytabs that the administrator has named.
package struct KerberosFiles: Sendable, Equatable {
  package struct Keytab: Sendable, Equatable {
    package let path: String
    package let principal: String

    package init(path: String, principal: String) {
      self.path = path
      self.principal = principal
    }
  }

  package var caches: [String: String] = [:]
  package var keytabs: [String: Keytab] = [:]

  package init() {}
}
