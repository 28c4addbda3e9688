import WatchwordVocabulary

@testable import WatchwordCore

/// Chains that are told apart by a number.
enum TrustScene {
  static let origin = Origin(scheme: .https, host: "a.example", port: 443)
  static let other = Origin(scheme: .https, host: "a.example", port: 8443)
  static let unknown = TrustFault(reason: .unknownIssuer, depth: 0)
  static let expired = TrustFault(reason: .expired, depth: 0)

  static func print(_ number: UInt8) -> Fingerprint {
    // Thirty-two bytes are a fingerprint.
    Fingerprint([UInt8](repeating: number, count: Fingerprint.byteCount)) ?? print(0)
  }

  static func presented(_ chain: UInt8, key: UInt8 = 1) -> PresentedChain {
    PresentedChain(chain: print(chain), certificate: print(chain), publicKey: print(key))
  }

  static func trust(_ chain: UInt8 = 1, key: UInt8 = 1, _ faults: [TrustFault] = [unknown]) -> ServerTrust {
    ServerTrust(certificates: [], presented: presented(chain, key: key), faults: faults)
  }

  static func space(_ trust: ServerTrust = trust()) -> ProtectionSpace {
    ProtectionSpace(origin: origin, serverTrust: trust)
  }
}
