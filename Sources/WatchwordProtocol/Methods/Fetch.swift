package import WatchwordCore
package import WatchwordJSON
internal import WatchwordPrimitives
package import WatchwordVocabulary

/// `fetch` and `task/start`: one task, with all its retries and redirects.
package enum Fetch {
  package enum Body: Sendable, Equatable {
    case none
    case bytes([UInt8])
    /// The index of a descriptor that was sent with the message.
    case descriptor(Int)
  }

  package enum Output: Sendable, Equatable {
    case auto
    case inline
    case stream
    case discard
    case descriptor(Int, resumeIfRange: String?)
  }

  package struct Parameters: Sendable {
    package var session: String?
    package var task: String?
    package var url = ""
    package var method = "GET"
    package var headers: [HeaderField] = []
    package var sensitiveHeaders: [String] = []
    package var body = Body.none
    package var connectSeconds: Double?
    package var requestSeconds: Double?
    package var resourceSeconds: Double?
    package var priority = 0.5
    package var isDetached = false
    package var output = Output.auto
    /// What the bytes for the output have to hash to.
    package var digests: [ExpectedDigest] = []
    package var decodesContent = true
    /// Of the result, after decoding; nil: the session's limits alone.
    package var maximumBodyBytes: Int64?
    /// If false, the first redirect is the result, regardless of the session's policy.
    package var followsRedirects = true
    /// Nil: the session's.
    package var proxies: SessionConfiguration.Proxies?

    package init(_ object: JSONObject?) throws(RPCError) {
      var reader = ParameterReader(object)
      session = try reader.optionalName("session")
      task = try reader.optionalName("task")
      url = try reader.string("url", maximumBytes: Fetch.maximumURLBytes)
      method = try reader.optionalMethod("method") ?? method
      headers = try reader.optionalHeaders("headers") ?? headers
      sensitiveHeaders = try reader.optionalStrings("sensitiveHeaders", maximum: 64) ?? []
      for (index, name) in sensitiveHeaders.enumerated() where !FieldSyntax.isToken(name) {
        throw .invalidParams("\(reader.path("sensitiveHeaders"))[\(index)]", "is not a header field name")
      }
      body = try Parameters.body(&reader)
      if method == "HEAD", body != .none { throw reader.fault("body", "a HEAD request has none") }
      let timeouts = try reader.optionalObject("timeouts") { reader throws(RPCError) in
        (
          try reader.optionalTimeout("connectSeconds"), try reader.optionalTimeout("requestSeconds"),
          try reader.optionalTimeout("resourceSeconds")
        )
      }
      if let timeouts { (connectSeconds, requestSeconds, resourceSeconds) = timeouts }
      priority = try reader.optionalNumber("priority", in: 0...1) ?? priority
      isDetached = try reader.optionalBool("detached") ?? isDetached
      (output, digests) = try Parameters.output(&reader)
      if method == "HEAD", !digests.isEmpty {
        throw reader.fault("output.digest", "the response to a HEAD request has no body")
      }
      decodesContent = try reader.optionalBool("decodeContent") ?? decodesContent
      maximumBodyBytes = try reader.optionalInteger("maximumBodyBytes", in: 0...Int64.max)
      followsRedirects = try reader.optionalBool("followRedirects") ?? followsRedirects
      proxies = try reader.proxies("proxies")
      try reader.finish()
    }

    private static func body(_ reader: inout ParameterReader) throws(RPCError) -> Body {
      if reader.member("body") == .null { return .none }
      let body = try reader.optionalObject("body") { reader throws(RPCError) -> Body in
        let text = try reader.optionalString("text", maximumBytes: Int.max)
        let base64 = try reader.optionalString("base64", maximumBytes: Int.max)
        let descriptor = try reader.optionalDescriptor("descriptor")
        switch (text, base64, descriptor) {
        case (.some(let text), nil, nil): return .bytes(Array(text.utf8))
        case (nil, .some(let base64), nil):
          guard let bytes = Base64.decode(base64) else { throw reader.fault("base64", "is not base64") }
          return .bytes(bytes)
        case (nil, nil, .some(let index)): return .descriptor(index)
        case (_, _, _):
          throw .invalidParams(reader.path, "must have exactly one of text, base64, descriptor")
        }
      }
      return body ?? .none
    }

    private static func output(
      _ reader: inout ParameterReader
    ) throws(RPCError) -> (Output, [ExpectedDigest]) {
      switch reader.member("output") {
      case nil: return (.auto, [])
      case .string(let name):
        guard let output = Parameters.output(named: name) else { break }
        return (output, [])
      case .object:
        return try reader.object("output") { reader throws(RPCError) in
          (try Parameters.outputObject(&reader), try Parameters.digests(&reader))
        }
      case .some: break
      }
      throw reader.fault("output", "must be auto, inline, stream, discard, or {\"descriptor\": index}")
    }

    private static func output(named name: String) -> Output? {
      switch name {
      case "auto": .auto
      case "inline": .inline
      case "stream": .stream
      case "discard": .discard
      default: nil
      }
    }

    /// Either `mode`, which is `auto` when it is left out, or a descriptor.
    private static func outputObject(_ reader: inout ParameterReader) throws(RPCError) -> Output {
      let mode = try reader.optionalString("mode")
      let descriptor = try reader.optionalDescriptor("descriptor")
      let tag = try reader.optionalString("resumeIfRange", maximumBytes: 1024)
      if let tag, !HeaderRules.isValue(tag) {
        throw reader.fault("resumeIfRange", "holds a control character")
      }
      if let descriptor {
        guard mode == nil else { throw reader.fault("mode", "excludes descriptor") }
        return .descriptor(descriptor, resumeIfRange: tag)
      }
      guard tag == nil else { throw reader.fault("descriptor", "is missing") }
      guard let mode else {
        // Nothing else says what is meant by an object without either.
        guard reader.memberNames.contains("digest") else { throw reader.fault("descriptor", "is missing") }
        return .auto
      }
      guard let output = output(named: mode) else {
        throw reader.fault("mode", "must be auto, inline, stream or discard")
      }
      return output
    }

    private static func digests(_ reader: inout ParameterReader) throws(RPCError) -> [ExpectedDigest] {
      guard let text = try reader.optionalString("digest", maximumBytes: 1024) else { return [] }
      guard let field = DigestField(text) else {
        throw reader.fault("digest", "must be a digest as in RFC 9530, such as sha-256=:BASE64:")
      }
      let digests = ExpectedDigest.list(in: field)
      guard digests.count == field.members.count else {
        throw reader.fault("digest", "its algorithm must be sha-256 or sha-512")
      }
      guard digests.allSatisfy(\.hasItsLength) else {
        throw reader.fault("digest", "does not have the length of its algorithm")
      }
      return digests
    }
  }

  /// The limit of the URL parser; RFC 9110 §4.1 recommends 8,000, servers accept 4 to 16 KiB.
  package static let maximumURLBytes = 16_384
}
