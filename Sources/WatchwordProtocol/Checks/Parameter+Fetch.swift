internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordVocabulary

/// The body of a request, and where that of the response goes.
extension Parameter {
  func requestBody() throws(RPCError) -> Fetch.Body {
    try object { reader throws(RPCError) in try body(RequestBodyMembers(&reader)) }
  }

  private func body(_ given: RequestBodyMembers) throws(RPCError) -> Fetch.Body {
    switch (given.text, given.base64, given.descriptor) {
    case (.some(let text), nil, nil): return .bytes(Array(text.utf8))
    case (nil, .some(let base64), nil):
      guard let bytes = Base64.decode(base64) else { throw .invalidParams("\(path).base64", "is not base64") }
      return .bytes(bytes)
    case (nil, nil, .some(let index)): return .descriptor(index)
    case (_, _, _): throw fault("must have exactly one of text, base64, descriptor")
    }
  }

  /// A mode, or an object with a mode or a descriptor.
  func output() throws(RPCError) -> Fetch.Delivery {
    var delivery = Fetch.Delivery()
    if let name = value.text, let output = Parameter.output(named: name) {
      delivery.output = output
      return delivery
    }
    guard value.kind == .object else {
      throw fault("must be auto, inline, stream, discard, or {\"descriptor\": index}")
    }
    let given = try object(OutputMembers.init)
    delivery.output = try output(given)
    delivery.digests = try given.digest.map { text throws(RPCError) in try digests(text) } ?? []
    return delivery
  }

  private static func output(named name: String) -> Fetch.Output? {
    switch name {
    case "auto": .auto
    case "inline": .inline
    case "stream": .stream
    case "discard": .discard
    default: nil
    }
  }

  func bodyMode() throws(RPCError) -> Fetch.Output {
    guard let output = Parameter.output(named: try string()) else {
      throw fault("must be auto, inline, stream or discard")
    }
    return output
  }

  /// Either `mode`, which is `auto` when it is left out, or a descriptor.
  private func output(_ given: OutputMembers) throws(RPCError) -> Fetch.Output {
    if let tag = given.resumeIfRange, !HeaderRules.isValue(tag) {
      throw .invalidParams("\(path).resumeIfRange", "holds a control character")
    }
    if let descriptor = given.descriptor {
      guard given.mode == nil else { throw .invalidParams("\(path).mode", "excludes descriptor") }
      return .descriptor(descriptor, resumeIfRange: given.resumeIfRange)
    }
    // Nothing else says what is meant by an object without either.
    guard given.resumeIfRange == nil, given.mode != nil || given.digest != nil else {
      throw .invalidParams("\(path).descriptor", "is missing")
    }
    return given.mode ?? .auto
  }

  private func digests(_ text: String) throws(RPCError) -> [ExpectedDigest] {
    func digestFault(_ message: String) -> RPCError { .invalidParams("\(path).digest", message) }
    guard let field = DigestField(text) else {
      throw digestFault("must be a digest as in RFC 9530, such as sha-256=:BASE64:")
    }
    let digests = ExpectedDigest.list(in: field)
    guard digests.count == field.members.count else {
      throw digestFault("its algorithm must be sha-256 or sha-512")
    }
    guard digests.allSatisfy(\.hasItsLength) else {
      throw digestFault("does not have the length of its algorithm")
    }
    return digests
  }
}

extension FetchParameters {
  /// Neither the request nor the response has a body.
  func checkHead() throws(RPCError) {
    guard method == "HEAD" else { return }
    guard body == nil else { throw .invalidParams("params.body", "a HEAD request has none") }
    guard output?.digests.isEmpty ?? true else {
      throw .invalidParams("params.output.digest", "the response to a HEAD request has no body")
    }
  }
}
