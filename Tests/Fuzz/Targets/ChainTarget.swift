internal import CTransport

/// A server's certificate and what came with it, in DER, one after the other. The first byte says whether the last one
/// is an anchor.
///
/// What costs too much is never verified, and a chain has no more faults than there is room for.
enum ChainTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let lastIsAnchor = reader.byte() & 1 == 1
    let bytes = UnsafeRawBufferPointer(rebasing: reader.rest).bindMemory(to: UInt8.self)
    // Such a key costs as soon as it is read; a handshake ends before.
    guard !transport_has_costly_curve(bytes.baseAddress, bytes.count) else { return }
    guard let certificates = OPENSSL_sk_new_null() else { return }
    defer { free(certificates) }
    read(bytes, into: certificates)
    guard OPENSSL_sk_num(certificates) > 0 else { return }
    evaluate(certificates, lastIsAnchor: lastIsAnchor)
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>, into certificates: OpaquePointer) {
    guard var position = bytes.baseAddress else { return }
    let end = position + bytes.count
    var next: UnsafePointer<UInt8>? = position
    while position < end, let certificate = d2i_X509(nil, &next, end - position) {
      OPENSSL_sk_push(certificates, UnsafeRawPointer(certificate))
      position = next ?? end
    }
  }

  private static func evaluate(_ certificates: OpaquePointer, lastIsAnchor: Bool) {
    var rootCount: Int32 = 0
    guard let roots = transport_roots_make(nil, 0, &rootCount), let context = X509_STORE_CTX_new() else {
      return
    }
    defer {
      X509_STORE_CTX_free(context)
      transport_roots_free(roots)
    }
    let count = OPENSSL_sk_num(certificates)
    if lastIsAnchor { X509_STORE_add_cert(roots, certificate(count - 1, of: certificates)) }
    require(
      X509_STORE_CTX_init(context, roots, certificate(0, of: certificates), certificates) == 1, "no chain")
    require(X509_STORE_CTX_set_default(context, "ssl_server") == 1, "no purpose")
    let faults = ChainFaults.of(context)
    let mostDepth = max(count, OPENSSL_sk_num(X509_STORE_CTX_get0_chain(context)))
    require(faults.allSatisfy { (0...mostDepth).contains($0.depth) }, "a fault of no certificate")
    let isTooComplex = faults.contains { $0.error == Int32(TRANSPORT_FAULT_TOO_COMPLEX) }
    if transport_costly_key(certificates) >= 0 {
      require(isTooComplex && faults.count == 1, "a costly key is verified")
    }
    if let built = X509_STORE_CTX_get0_chain(context), transport_costly_constraints(built) >= 0 {
      require(isTooComplex, "too many names are compared")
    }
  }

  private static func certificate(_ index: Int32, of certificates: OpaquePointer) -> OpaquePointer? {
    OPENSSL_sk_value(certificates, index).map { OpaquePointer($0) }
  }

  private static func free(_ certificates: OpaquePointer) {
    for index in 0..<OPENSSL_sk_num(certificates) { X509_free(certificate(index, of: certificates)) }
    OPENSSL_sk_free(certificates)
  }
}
