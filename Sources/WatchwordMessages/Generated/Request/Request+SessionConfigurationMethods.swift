package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// Authentication methods.
  package struct SessionConfigurationMethods: SentObject {
    /// Which offers come first: a list, or the server's order. Methods left out come after those named, by
    /// strength (challenges.md 6.4).
    package let order: TextOr<[String]>?
    /// Methods that are no offers at all.
    package let disabled: [String]?
    /// Whether stored and URL credentials may be used for Basic over http to a host other than loopback, and
    /// credentials, tokens too, go there with the first request. An explicit reply is always possible
    /// (challenges.md 6.7).
    package let basicOverCleartext: Bool?
    /// Only the strongest offer of a response counts, and none weaker than any that the origin made before
    /// (challenges.md 6.6).
    package let strongestOnly: Bool?
    /// What Digest may do.
    package let digest: Request.SessionConfigurationMethodsDigest?
    /// What Negotiate may do.
    package let negotiate: Request.SessionConfigurationMethodsNegotiate?

    package init(
      order: TextOr<[String]>? = nil, disabled: [String]? = nil, basicOverCleartext: Bool? = nil,
      strongestOnly: Bool? = nil, digest: Request.SessionConfigurationMethodsDigest? = nil,
      negotiate: Request.SessionConfigurationMethodsNegotiate? = nil
    ) {
      self.order = order
      self.disabled = disabled
      self.basicOverCleartext = basicOverCleartext
      self.strongestOnly = strongestOnly
      self.digest = digest
      self.negotiate = negotiate
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let order { writer.member("order", order) }
      if let disabled { writer.member("disabled", disabled) }
      if let basicOverCleartext { writer.member("basicOverCleartext", basicOverCleartext) }
      if let strongestOnly { writer.member("strongestOnly", strongestOnly) }
      if let digest { writer.member("digest", digest) }
      if let negotiate { writer.member("negotiate", negotiate) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      order = try object.memberIfPresent("order")
      disabled = try object.memberIfPresent("disabled")
      basicOverCleartext = try object.memberIfPresent("basicOverCleartext")
      strongestOnly = try object.memberIfPresent("strongestOnly")
      digest = try object.memberIfPresent("digest")
      negotiate = try object.memberIfPresent("negotiate")
    }
  }
}
