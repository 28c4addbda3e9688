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
