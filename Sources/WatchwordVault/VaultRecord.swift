package import WatchwordVocabulary

/// One record of a vault: what it is for is legible, its contents are sealed.
package struct VaultRecord: Sendable, Equatable {
  /// What the contents are.
  package enum Kind: String, Sendable, CaseIterable {
    case credential
    /// A decision about a server's certificates.
    case trust
    /// A client certificate with its chain and its key.
    case identity

    /// The numbers of its records: no two kinds have one in common.
    package var numbers: Range<UInt64> {
      switch self {
      case .credential: 0..<(1 << 60)
      case .trust: (1 << 62)..<(1 << 63)
      case .identity: (1 << 60)..<(1 << 62)
      }
    }
  }

  /// Of the contents: more than a message can have brought.
  package static let maximumBytes = 2 * 1024 * 1024

  package let number: UInt64
  package let kind: Kind
  /// Legible: the protection space, as ``ProtectionSpace/vaultOctets`` writes it, or what stands for it in
  /// records of other kinds.
  package let space: [UInt8]
  package let contents: Secret

  package init(number: UInt64, kind: Kind, space: [UInt8], contents: Secret) {
    self.number = number
    self.kind = kind
    self.space = space
    self.contents = contents
  }

  /// The associated data of the seal: a record that is copied to another account, number, kind or space does
  /// not open.
  static func associated(uid: UInt32, number: Int64, kind: String, space: [UInt8]) -> [UInt8] {
    var octets = Array("watchword record".utf8) + [0]
    withUnsafeBytes(of: uid.bigEndian) { octets += $0 }
    withUnsafeBytes(of: number.bigEndian) { octets += $0 }
    return octets + Array(kind.utf8) + [0] + space
  }
}

extension Origin {
  /// The origin in one form only, since it is the associated data of a seal: scheme, host and port, each
  /// ended by a zero octet.
  package var vaultOctets: [UInt8] {
    [scheme.rawValue, host, String(port)].flatMap { Array($0.utf8) + [0] }
  }

  package init?(vaultOctets octets: [UInt8]) {
    let parts = octets.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    guard let scheme = WebScheme(rawValue: texts[0]), let port = UInt16(texts[2]) else { return nil }
    self.init(scheme: scheme, host: texts[1], port: port)
    guard vaultOctets == octets else { return nil }
  }
}
