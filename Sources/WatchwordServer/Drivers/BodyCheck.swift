internal import WatchwordCore
internal import WatchwordVocabulary

/// What is computed of a response's body while it passes: the hash that proves a Digest server, and the
/// digests of what is expected of it.
struct BodyCheck: ~Copyable {
  /// Of the body as the server sent it, while the authentication depends on it.
  private var hash: Hash?
  /// Of the response that is the result, if something is expected of its body.
  private var integrity: IntegrityCheck?
  /// The fields behind the body.
  var trailers: [HeaderField] = []

  // MARK: The response

  /// A head has arrived; its body is hashed with `algorithm`, or not.
  mutating func begin(hash algorithm: HashAlgorithm?) { hash = algorithm.flatMap { Hash($0) } }

  /// The response is the result, or may become it. Of a body that was held the digests are there already.
  mutating func beginIntegrity(
    _ head: ResponseHead, to method: String, caller: [ExpectedDigest],
    continuation: PartialDownload.Continuation?
  ) {
    guard integrity == nil else { return }
    integrity = IntegrityCheck.begin(head, to: method, caller: caller, continuation: continuation)
  }

  /// Content as the server sent it, before a coding is decoded.
  mutating func received(_ content: UnsafeRawBufferPointer) {
    hash?.update(content)
    integrity?.received(content)
  }

  /// Bytes for the output.
  mutating func delivered(_ bytes: UnsafeRawBufferPointer) { integrity?.delivered(bytes) }

  /// The rest is not read; the digests of a part say nothing.
  mutating func cut() {
    hash = nil
    integrity = nil
  }

  /// Nothing is expected of the body any more.
  mutating func endIntegrity() { integrity = nil }

  // MARK: The end

  /// What is known of the body for the proof of the server.
  mutating func bodyForDigest() -> DigestBody {
    guard var hash = hash.take() else { return .unknown }
    return .hashed(hash.finish())
  }

  /// The algorithms by which the caller's file has to be hashed; empty if it need not be.
  var algorithmsOfFile: Set<IntegrityAlgorithm> {
    switch integrity {
    case .some(let check): check.algorithmsOfFile
    case nil: []
    }
  }

  /// - Parameter file: the hashes of the caller's file, by `algorithmsOfFile`; nil if it cannot be read.
  mutating func verdict(file: [IntegrityAlgorithm: HashValue]?) -> IntegrityCheck.Verdict {
    integrity.take()?.finish(trailers: trailers, file: file) ?? .unchecked
  }
}
