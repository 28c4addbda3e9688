import Testing
import WatchwordCore

/// Why a connection or a handshake failed, from what the system and the server say.
struct HandshakeFaultTests {
  @Test(arguments: [
    ([] as [UInt8], nil), (Array("HTTP".utf8), HandshakeFault.plainHTTP), (Array("HTT".utf8), .notTLS),
    ([19, 3], .notTLS), ([20, 3], nil), ([24, 3], nil), ([25, 3], .notTLS), ([22], nil), ([22, 2], .notTLS),
    ([22, 3, 1, 0], nil), ([0], .notTLS),
  ])
  func theFirstBytesSayWhatIsNotTLS(_ bytes: [UInt8], _ fault: HandshakeFault?) {
    #expect(HandshakeFault(firstBytes: bytes) == fault)
  }

  @Test func anAlertHasAName() {
    #expect(
      [39, 40, 70, 112, 113].map { HandshakeFault(alert: $0) } == [
        nil, .handshakeFailure, .protocolVersion, .unrecognizedName, nil,
      ])
  }

  /// Only these can be caused by the versions and ciphers that a session allows.
  @Test func twoFaultsAreOfTheParameters() {
    let named = HandshakeFault.allCases.filter(\.isOfParameters)
    #expect(named == [.handshakeFailure, .protocolVersion])
  }
}
