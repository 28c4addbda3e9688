internal import WatchwordCore
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
    package var decodesContent = true
    /// If false, the first redirect is the result, regardless of the session's policy.
    package var followsRedirects = true

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
      output = try Parameters.output(&reader)
      decodesContent = try reader.optionalBool("decodeContent") ?? decodesContent
      followsRedirects = try reader.optionalBool("followRedirects") ?? followsRedirects
      try reader.finish()
    }

    private static let descriptorIndices = 0...Int64(Message.maximumDescriptors - 1)

    private static func body(_ reader: inout ParameterReader) throws(RPCError) -> Body {
      if reader.member("body") == .null { return .none }
      let body = try reader.optionalObject("body") { reader throws(RPCError) -> Body in
        let text = try reader.optionalString("text", maximumBytes: Int.max)
        let base64 = try reader.optionalString("base64", maximumBytes: Int.max)
        let descriptor = try reader.optionalInteger("descriptor", in: descriptorIndices)
        switch (text, base64, descriptor) {
        case (.some(let text), nil, nil): return .bytes(Array(text.utf8))
        case (nil, .some(let base64), nil):
          guard let bytes = Base64.decode(base64) else { throw reader.fault("base64", "is not base64") }
          return .bytes(bytes)
        case (nil, nil, .some(let index)): return .descriptor(Int(index))
        case (_, _, _):
          throw .invalidParams(reader.path, "must have exactly one of text, base64, descriptor")
        }
      }
      return body ?? .none
    }

    private static func output(_ reader: inout ParameterReader) throws(RPCError) -> Output {
      switch reader.member("output") {
      case nil, .string("auto"): return .auto
      case .string("inline"): return .inline
      case .string("stream"): return .stream
      case .string("discard"): return .discard
      case .object:
        let output = try reader.object("output") { reader throws(RPCError) -> Output in
          guard let index = try reader.optionalInteger("descriptor", in: descriptorIndices) else {
            throw reader.fault("descriptor", "is missing")
          }
          let tag = try reader.optionalString("resumeIfRange", maximumBytes: 1024)
          if let tag, !HeaderRules.isValue(tag) {
            throw reader.fault("resumeIfRange", "holds a control character")
          }
          return .descriptor(Int(index), resumeIfRange: tag)
        }
        return output
      case .some:
        throw reader.fault("output", "must be auto, inline, stream, discard, or {\"descriptor\": index}")
      }
    }
  }

  /// The limit of the URL parser; RFC 9110 §4.1 recommends 8,000, servers accept 4 to 16 KiB.
  package static let maximumURLBytes = 16_384
}
