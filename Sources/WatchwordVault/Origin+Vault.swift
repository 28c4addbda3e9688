package import WatchwordVocabulary

extension Origin {
  /// The origin in one form only, since it is the associated data of a seal: scheme, host and port, each ended by a zero
  /// octet.
  package var vaultOctets: [UInt8] {
    [scheme.rawValue, host, String(port)].flatMap { Array($0.utf8) + [0] }
  }

  init?(vaultOctets octets: [UInt8]) {
    let parts = octets.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let texts = parts.map { String(decoding: $0, as: UTF8.self) }
    guard let scheme = WebScheme(rawValue: texts[0]), let port = UInt16(texts[2]) else { return nil }
    self.init(scheme: scheme, host: texts[1], port: port)
    guard vaultOctets == octets else { return nil }
  }
}
