import CTransport
import Glibc
import Testing
import WatchwordCore

@testable import WatchwordTransport

/// Why an exchange failed, fact by fact.
struct ExchangeEndTests {
  private func error(
    _ code: CURLcode = CURLE_OK, _ change: (inout ExchangeEnd) -> Void = { _ in }
  ) -> TransportError? {
    var end = ExchangeEnd(code)
    change(&end)
    return end.error
  }

  @Test func aWholeResponseHasNoError() {
    #expect(error { $0.hasHead = true } == nil)
    #expect(
      error(CURLE_WRITE_ERROR) { ($0.hasHead, $0.isCutShort, $0.isCodingCut) = (true, true, true) } == nil)
  }

  @Test func theFirstReasonCountsWhateverFollows() {
    let everything: (inout ExchangeEnd) -> Void = {
      $0.failure = .timedOut(.request)
      $0.isHeadTooLarge = true
      $0.isFlooded = true
      $0.certificateRefusal = .clientCertificateRefused(.certificateRequired)
    }
    #expect(error(CURLE_SEND_ERROR, everything) == .timedOut(.request))
    #expect(
      error(CURLE_SEND_ERROR) {
        everything(&$0); $0.failure = nil
      } == .headersTooLarge)
    #expect(
      error(CURLE_SEND_ERROR) {
        everything(&$0); $0.failure = nil; $0.isHeadTooLarge = false
      }
        == .connectionFlooded)
  }

  @Test func aFloodIsNoEndOfABody() {
    #expect(error { ($0.hasHead, $0.isFlooded) = (true, true) } == .connectionFlooded)
  }

  @Test func anAlertAboutACertificateCountsBeforeTheHead() {
    let refusal = TransportError.clientCertificateRefused(.certificateRequired)
    #expect(error(CURLE_RECV_ERROR) { $0.certificateRefusal = refusal } == refusal)
    #expect(
      error(CURLE_RECV_ERROR) {
        ($0.certificateRefusal, $0.hasHead, $0.hasSystemError) = (refusal, true, true)
      }
        == .connectionLost(ConnectionLoss(isBeforeFirstByte: true, processed: .no)))
  }

  @Test func aHeadThatDoesNotEndIsALostConnection() {
    let lost = TransportError.connectionLost(ConnectionLoss(isBeforeFirstByte: false))
    #expect(error { ($0.hasBytes, $0.isHeadCut) = (true, true) } == lost)
    #expect(error { $0.hasBytes = true } == .malformedResponse)
  }

  @Test func aBodyThatEndsInItsCodingIsNotDelivered() {
    #expect(error { ($0.hasHead, $0.isCodingCut) = (true, true) } == .contentDecodingFailed)
  }

  @Test func onlyWhatWasNeverWrittenIsKnownNotToBeProcessed() {
    let lost = { (written: Bool, bytes: Bool, reused: Bool) in
      error(CURLE_GOT_NOTHING) { ($0.hasWrittenRequest, $0.hasBytes, $0.isReused) = (written, bytes, reused) }
    }
    #expect(
      lost(false, false, false) == .connectionLost(ConnectionLoss(isBeforeFirstByte: true, processed: .no)))
    #expect(lost(true, false, false) == .connectionLost(ConnectionLoss(isBeforeFirstByte: true)))
    #expect(
      lost(true, true, true) == .connectionLost(ConnectionLoss(isBeforeFirstByte: false, wasStale: true)))
  }

  @Test func whatAServerSaysIsProofThatARequestWasNotProcessed() {
    let refused = { (refusal: StreamReport.Refusal) in
      error(CURLE_HTTP2) { ($0.hasWrittenRequest, $0.refusal) = (true, refusal) }
    }
    let loss = ConnectionLoss(isBeforeFirstByte: true, wasStale: true, processed: .no)
    #expect(refused(.refused) == .connectionLost(loss))
    #expect(
      error(CURLE_HTTP2) { ($0.hasWrittenRequest, $0.hasBytes, $0.refusal) = (true, true, .refused) }
        == .connectionLost(ConnectionLoss(isBeforeFirstByte: false, wasStale: true)))
  }

  @Test func aRequestThatLibcurlWouldRepeatHasLostItsConnection() {
    #expect(
      error(CURLE_ABORTED_BY_CALLBACK) { ($0.wasRepeated, $0.hasWrittenRequest) = (true, true) }
        == .connectionLost(ConnectionLoss(isBeforeFirstByte: true, wasStale: true)))
    #expect(error(CURLE_ABORTED_BY_CALLBACK) { ($0.wasRepeated, $0.hasHead) = (true, true) } == nil)
  }

  @Test func aBrokenChunkIsToldFromABrokenConnection() {
    let received = { (systemError: Bool) in
      error(CURLE_RECV_ERROR) { ($0.hasHead, $0.hasBytes, $0.hasSystemError) = (true, true, systemError) }
    }
    #expect(received(false) == .malformedResponse)
    #expect(received(true) == .connectionLost(ConnectionLoss(isBeforeFirstByte: false)))
  }

  @Test(arguments: [
    (CURLE_COULDNT_RESOLVE_HOST, TransportError.nameNotResolved),
    (CURLE_COULDNT_CONNECT, .connectionFailed(nil)),
    (CURLE_OPERATION_TIMEDOUT, .timedOut(.connect)), (CURLE_SSL_CONNECT_ERROR, .tlsFailed(nil)),
    (CURLE_WEIRD_SERVER_REPLY, .malformedResponse), (CURLE_OUT_OF_MEMORY, .headersTooLarge),
    (transport_too_large, .headersTooLarge), (CURLE_READ_ERROR, .requestBodyFailed),
    (CURLE_FAILED_INIT, .other(code: Int32(bitPattern: CURLE_FAILED_INIT.rawValue))),
  ])
  func resultsOfLibcurl(_ code: CURLcode, _ expected: TransportError) {
    #expect(error(code) == expected)
  }

  @Test func whyThereIsNoConnection() {
    for (number, fault) in [
      (ECONNREFUSED, ConnectionFault.connectionRefused), (EHOSTUNREACH, .hostUnreachable),
      (ENETUNREACH, .networkUnreachable), (EACCES, nil), (0, nil),
    ] {
      let found = error(CURLE_COULDNT_CONNECT) { $0.connectionFault = ConnectionFault(systemError: number) }
      #expect(found == .connectionFailed(fault))
    }
  }

  @Test(arguments: [
    ([0x16, 3, 3, 0, 1], HandshakeFault?.none), ([0x15, 3, 1, 0, 2], nil), ([], nil),
    (Array("HTTP/".utf8), .plainHTTP), (Array("HTTQ/".utf8), .notTLS), (Array("220 m".utf8), .notTLS),
    ([0x16, 0x48, 3, 0, 1], .notTLS), ([0x15, 2, 0, 0, 2], .notTLS), ([0xFF], .notTLS), ([0x16], nil),
  ])
  func whatIsNoRecordOfTLS(_ bytes: [UInt8], _ fault: HandshakeFault?) {
    #expect(HandshakeFault(firstBytes: bytes) == fault)
    #expect(error(CURLE_SSL_CONNECT_ERROR) { $0.handshakeFault = fault } == .tlsFailed(fault))
  }

  @Test func aTrailerThatIsTooLongCountsAsTheHead() {
    #expect(error(transport_too_large) { ($0.hasHead, $0.hasBytes) = (true, true) } == .headersTooLarge)
  }

  @Test func anAddressThatIsRefusedIsNoServerThatIsDown() {
    #expect(error(CURLE_COULDNT_CONNECT) { $0.refusedAddress = true } == .addressRefused)
  }
}
