package import WatchwordVocabulary

/// Whether a body is the one that the caller and the server say it is (messages.md 5.5.8).
///
/// The caller's digest is of the bytes that the output gets, the server's of the content as it was sent,
/// before a content coding is decoded. Nothing is hashed for a response of which nothing is expected.
package struct IntegrityCheck: ~Copyable {
  package enum Verdict: Sendable, Equatable {
    /// Nothing was expected, or it cannot be told.
    case unchecked
    case verified
    case mismatch(IntegrityFault)
  }

  private let caller: [ExpectedDigest]
  private var server: [ExpectedDigest]
  /// What the server says of the whole of which this body is a part.
  private let whole: [ExpectedDigest]
  private let continuation: PartialDownload.Continuation?
  private let isEmptyAllowed: Bool
  /// Whether the server says its digests behind the body.
  package let awaitsTrailers: Bool
  private var content: BodyHashes?
  private var delivered: BodyHashes?
  private var hasContent = false

  /// The check of a response; nil when nothing is expected of it.
  ///
  /// - Parameters:
  ///   - caller: the caller's digests, which count for a response that says success.
  ///   - continuation: what the output does with the body, if it continues a file.
  package static func begin(
    _ head: ResponseHead, to method: String, caller: [ExpectedDigest],
    continuation: PartialDownload.Continuation?
  ) -> IntegrityCheck? {
    guard !caller.isEmpty || mayConcern(head) else { return nil }
    let check = IntegrityCheck(head, to: method, caller: caller, continuation: continuation)
    guard check.isNeeded else { return nil }
    return check
  }

  private init(
    _ head: ResponseHead, to method: String, caller: [ExpectedDigest],
    continuation: PartialDownload.Continuation?
  ) {
    self.caller = continuation == .complete || 200..<300 ~= head.status ? caller : []
    self.continuation = continuation
    let represented = ExpectedDigest.list(in: head.headers, named: "repr-digest")
    let sent = ExpectedDigest.list(in: head.headers, named: "content-digest")
    // A HEAD, a 204 or a 304 describes a body that it does not have.
    let hasBody = method != "HEAD" && ![204, 205, 304].contains(head.status)
    // The digest of a representation is not that of a part of it (RFC 9530 §3.2).
    server = !hasBody ? [] : head.status == 206 ? sent : represented + sent
    whole = continuation == .continued ? represented : []
    awaitsTrailers = hasBody && head.status != 206 && IntegrityCheck.announcesDigest(head)
    isEmptyAllowed = method != "GET"
    let ofContent = awaitsTrailers ? IntegrityAlgorithm.allCases : server.map(\.algorithm)
    if !ofContent.isEmpty { content = BodyHashes(Set(ofContent)) }
    if !self.caller.isEmpty, continuation == nil || continuation == .restarted {
      delivered = BodyHashes(Set(self.caller.map(\.algorithm)))
    }
  }

  private var isNeeded: Bool { !caller.isEmpty || !server.isEmpty || !whole.isEmpty || awaitsTrailers }

  /// The algorithms by which the caller's file has to be hashed when all of it is there; empty if it need not
  /// be.
  package var algorithmsOfFile: Set<IntegrityAlgorithm> {
    switch continuation {
    case .continued, .complete: Set((caller + whole).map(\.algorithm))
    case .restarted, .discarded, nil: []
    }
  }

  /// Content as received.
  package mutating func received(_ bytes: UnsafeRawBufferPointer) {
    hasContent = true
    content?.update(bytes)
  }

  /// Bytes for the output.
  package mutating func delivered(_ bytes: UnsafeRawBufferPointer) { delivered?.update(bytes) }

  /// The body has ended.
  ///
  /// - Parameters:
  ///   - trailers: the fields behind the body.
  ///   - file: the hashes of the caller's file, by `algorithmsOfFile`; nil if it cannot be read.
  package consuming func finish(
    trailers: [HeaderField], file: [IntegrityAlgorithm: HashValue]?
  ) -> Verdict {
    if awaitsTrailers {
      for name in ["repr-digest", "content-digest"] {
        server += ExpectedDigest.list(in: trailers, named: name)
      }
    }
    // The answer to a PUT may describe what was stored and have no content (RFC 9530 §3.1).
    if !hasContent, isEmptyAllowed { server = [] }
    var isVerified = false
    if !server.isEmpty, var content = content.take() {
      let values = content.finish()
      for digest in server where !digest.isMet(by: values[digest.algorithm]) {
        return .mismatch(IntegrityFault(expectedBy: .origin, algorithm: digest.algorithm))
      }
      isVerified = true
    }
    let values: [IntegrityAlgorithm: HashValue]?
    switch continuation {
    case .continued, .complete: values = file
    case .discarded: values = nil
    case .restarted, nil:
      if var delivered = delivered.take() { values = delivered.finish() } else { values = nil }
    }
    for digest in caller where !digest.isMet(by: values?[digest.algorithm]) {
      return .mismatch(IntegrityFault(expectedBy: .caller, algorithm: digest.algorithm))
    }
    if let values {
      for digest in whole where !digest.isMet(by: values[digest.algorithm]) {
        return .mismatch(IntegrityFault(expectedBy: .origin, algorithm: digest.algorithm))
      }
      isVerified = isVerified || !whole.isEmpty
    }
    return isVerified || !caller.isEmpty ? .verified : .unchecked
  }

  /// Whether the head has a field that counts here: nearly none has.
  private static func mayConcern(_ head: ResponseHead) -> Bool {
    // By index: a field that is compared by its length alone is not copied.
    head.headers.indices.contains { index in
      switch head.headers[index].name.utf8.count {
      case 7: head.headers[index].isNamed("trailer")
      case 11: head.headers[index].isNamed("repr-digest")
      case 14: head.headers[index].isNamed("content-digest")
      default: false
      }
    }
  }

  /// RFC 9110 §6.6.2: a server that sends trailers says which.
  private static func announcesDigest(_ head: ResponseHead) -> Bool {
    head.headers.values(of: "trailer").contains { value in
      value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).contains {
        ["repr-digest", "content-digest"].contains($0.asciiLowercased)
      }
    }
  }
}

/// Those of digest fields that may be relied on (RFC 9530 §5, "Active").
extension IntegrityAlgorithm {
  var hash: HashAlgorithm {
    switch self {
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}

/// The body is not the one that was expected.
package struct IntegrityFault: Error, Sendable, Equatable {
  package let expectedBy: Source
  package let algorithm: IntegrityAlgorithm

  package init(expectedBy: Source, algorithm: IntegrityAlgorithm) {
    self.expectedBy = expectedBy
    self.algorithm = algorithm
  }
}

/// The hashes of one body, by the algorithms that something is expected of.
package struct BodyHashes: ~Copyable {
  private var sha256: Hash?
  private var sha512: Hash?

  package init(_ algorithms: Set<IntegrityAlgorithm>) {
    if algorithms.contains(.sha256) { sha256 = Hash(IntegrityAlgorithm.sha256.hash) }
    if algorithms.contains(.sha512) { sha512 = Hash(IntegrityAlgorithm.sha512.hash) }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha256?.update(bytes)
    sha512?.update(bytes)
  }

  package mutating func finish() -> [IntegrityAlgorithm: HashValue] {
    var values: [IntegrityAlgorithm: HashValue] = [:]
    values[.sha256] = sha256?.finish()
    values[.sha512] = sha512?.finish()
    return values
  }
}
