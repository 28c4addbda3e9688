package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// TLS to origins.
  package struct SessionConfigurationTls: SentObject {
    /// Further roots, or with exclusive the only ones; at most 1 MiB.
    package let roots: Request.SessionConfigurationTlsRoots?
    /// Not above the maximum.
    package let minimumVersion: String?
    /// Not below the minimum.
    package let maximumVersion: String?
    /// Every rule for a host has to be met; else pinMismatch (messages.md 14.3).
    package let pins: [Request.SessionConfigurationTlsPin]?
    /// stapled: an OCSP response that the server sends is checked; required: there has to be a good one, or a
    /// list of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with off,
    /// too (messages.md 14.4).
    package let revocation: String?
    /// PEM, at most 1 MiB and 512 lists, each for 64 distribution points at most. A certificate whose issuer
    /// has a list here is looked up in it; a list that has expired says nothing, which is revocationUnknown.
    package let revocationLists: String?

    package init(
      roots: Request.SessionConfigurationTlsRoots? = nil, minimumVersion: String? = nil,
      maximumVersion: String? = nil, pins: [Request.SessionConfigurationTlsPin]? = nil,
      revocation: String? = nil, revocationLists: String? = nil
    ) {
      self.roots = roots
      self.minimumVersion = minimumVersion
      self.maximumVersion = maximumVersion
      self.pins = pins
      self.revocation = revocation
      self.revocationLists = revocationLists
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let roots { writer.member("roots", roots) }
      if let minimumVersion { writer.member("minimumVersion", minimumVersion) }
      if let maximumVersion { writer.member("maximumVersion", maximumVersion) }
      if let pins { writer.member("pins", pins) }
      if let revocation { writer.member("revocation", revocation) }
      if let revocationLists { writer.member("revocationLists", revocationLists) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      roots = try object.memberIfPresent("roots")
      minimumVersion = try object.memberIfPresent("minimumVersion")
      maximumVersion = try object.memberIfPresent("maximumVersion")
      pins = try object.memberIfPresent("pins")
      revocation = try object.memberIfPresent("revocation")
      revocationLists = try object.memberIfPresent("revocationLists")
    }
  }
}
