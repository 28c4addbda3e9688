internal import CCrypto
package import WatchwordVocabulary

/// AES-256-GCM under one key: a version, a random nonce, the ciphertext and its tag.
///
/// A random nonce of 96 bits may be used 2³² times with a key (NIST SP 800-38D). A vault has thousands of
/// records.
package struct Seal: Sendable {
  private static let version: UInt8 = 1
  static let overhead = 1 + Int(WATCHWORD_SEAL_NONCE_BYTES) + Int(WATCHWORD_SEAL_TAG_BYTES)
  package static let keyBytes = Int(WATCHWORD_SEAL_KEY_BYTES)

  let key: Secret

  /// Nil unless the key has 32 octets.
  package init?(_ key: Secret) {
    guard key.count == Self.keyBytes else { return nil }
    self.key = key
  }

  /// A random key; nil when the system has no entropy.
  package static func randomKey() -> Secret? {
    var isFilled = false
    let key = Secret(count: keyBytes) { isFilled = random(into: $0) }
    return isFilled ? key : nil
  }

  /// Random octets that are not secret, such as a salt.
  static func randomOctets(_ count: Int) -> [UInt8]? {
    var octets = [UInt8](repeating: 0, count: count)
    return octets.withUnsafeMutableBytes { random(into: $0) } ? octets : nil
  }

  private static func random(into buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard let start = buffer.bindMemory(to: UInt8.self).baseAddress else { return true }
    return watchword_seal_random(start, buffer.count)
  }

  /// Nil when OpenSSL lacks the cipher, entropy or memory.
  package func seal(_ secret: Secret, for associated: [UInt8]) -> [UInt8]? {
    let nonceEnd = 1 + Int(WATCHWORD_SEAL_NONCE_BYTES)
    guard let nonce = Seal.randomOctets(Int(WATCHWORD_SEAL_NONCE_BYTES)) else { return nil }
    var sealed = [UInt8](repeating: 0, count: secret.count + Seal.overhead)
    sealed[0] = Seal.version
    sealed.replaceSubrange(1..<nonceEnd, with: nonce)
    let isSealed = sealed.withUnsafeMutableBufferPointer { target in
      guard let output = target.baseAddress else { return false }
      return withKey { key in
        secret.withBytes { plain in
          associated.withUnsafeBytes {
            watchword_seal(
              key, output + 1, $0.baseAddress, $0.count, plain.baseAddress, plain.count, output + nonceEnd)
          }
        }
      }
    }
    return isSealed ? sealed : nil
  }

  /// Nil unless it was sealed with this key for the same associated data, and not altered.
  package func open(_ sealed: [UInt8], for associated: [UInt8]) -> Secret? {
    guard sealed.count >= Seal.overhead, sealed[0] == Seal.version else { return nil }
    let nonceEnd = 1 + Int(WATCHWORD_SEAL_NONCE_BYTES)
    var isOpen = false
    let secret = Secret(count: sealed.count - Seal.overhead) { plain in
      isOpen = sealed.withUnsafeBufferPointer { input in
        associated.withUnsafeBytes { associated in
          withKey { key in
            // For no octets at all, any place that can be written will do.
            var nothing: UInt8 = 0
            return withUnsafeMutablePointer(to: &nothing) { spare in
              guard let input = input.baseAddress else { return false }
              return watchword_open_seal(
                key, input + 1, associated.baseAddress, associated.count, input + nonceEnd, plain.count,
                plain.bindMemory(to: UInt8.self).baseAddress ?? spare)
            }
          }
        }
      }
    }
    return isOpen ? secret : nil
  }

  private func withKey(_ body: (UnsafePointer<UInt8>) -> Bool) -> Bool {
    key.withBytes { bytes in
      guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return false }
      return body(start)
    }
  }
}

/// A record as it is in the file.
struct SealedRow {
  let number: Int64
  let kind: String
  let space: [UInt8]
  let sealed: [UInt8]

  /// Of a record that is too large, nothing is read.
  static let query = """
    SELECT number, kind, space,
      CASE WHEN length(sealed) <= \(VaultRecord.maximumBytes + Seal.overhead) THEN sealed END
    FROM record ORDER BY number
    """

  /// Nil for a row that is too large, or that has a value of a wrong type.
  init?(_ row: borrowing Statement) {
    guard let number = row.integer(0), let kind = row.text(1), let space = row.blob(2),
      let sealed = row.blob(3)
    else { return nil }
    self.number = number
    self.kind = kind
    self.space = space
    self.sealed = sealed
  }

  static func all(in database: Database) throws(SQLiteFault) -> [SealedRow] {
    var found: [SealedRow] = []
    let rows = try database.prepare(query)
    while try rows.step() {
      if let row = SealedRow(rows) { found.append(row) }
    }
    return found
  }

  func associated(_ uid: UInt32) -> [UInt8] {
    VaultRecord.associated(uid: uid, number: number, kind: kind, space: space)
  }
}
