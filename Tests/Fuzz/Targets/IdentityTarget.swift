internal import CTransport

/// A client identity as a caller gives it: PEM certificates, NUL, a PEM key; or PKCS#12.
///
/// The first byte says which of the two, and whether there is a passphrase, which is `secret`.
enum IdentityTarget {
  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let kind = reader.byte()
    let rest = UnsafeRawBufferPointer(rebasing: reader.rest)
    var fault = TRANSPORT_IDENTITY_OUT_OF_MEMORY
    let identity = withPassphrase(kind & 2 != 0) { passphrase in
      guard kind & 1 == 0 else { return transport_identity_read_pkcs12(lent(rest), passphrase, &fault) }
      let parts = reader.parts(separatedBy: 0)
      return transport_identity_read_pem(lent(parts[0]), lent(parts.last ?? rest), passphrase, &fault)
    }
    guard let identity else { return }
    defer { transport_identity_free(identity) }
    let count = transport_identity_count(identity)
    require(count > 0, "an identity without a certificate")
    for index in 0..<count {
      require(transport_identity_certificate(identity, index) != nil, "a certificate that is not there")
    }
  }

  private static func lent(_ bytes: UnsafeRawBufferPointer) -> transport_bytes {
    transport_bytes(bytes: bytes.baseAddress, count: bytes.count)
  }

  private static func withPassphrase<Result>(
    _ isThere: Bool, _ body: (UnsafePointer<transport_bytes>?) -> Result
  ) -> Result {
    guard isThere else { return body(nil) }
    return Array("secret".utf8).withUnsafeBytes { bytes in
      withUnsafePointer(to: lent(bytes)) { body($0) }
    }
  }
}
