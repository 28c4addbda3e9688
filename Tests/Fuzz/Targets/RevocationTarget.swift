internal import CTransport

/// Revocation lists, in PEM or DER, and OCSP responses, about one certificate. The first byte says which of them.
///
/// The certificate and its issuer are made for this; both are valid until 2126.
enum RevocationTarget {
  // Both are made once and only read.
  private nonisolated(unsafe) static let issuer = certificate(
    """
    -----BEGIN CERTIFICATE-----
    MIIBkDCCATWgAwIBAgIUbSJvkhX/EG6IgfKCp+cJqEd5fecwCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJRnV6eiByb290MCAXDTI2MTEyMjAxMTcxOFoYDzIxMjYxMDI5
    MDExNzE4WjAUMRIwEAYDVQQDDAlGdXp6IHJvb3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAARdEkvnUZNqO5rBP+5ZKj6ENTTpcPHZjOBXy+amdQqF9NH2cJGE6jwG
    jNWDmciMIms5mGJs4DjjNtJij1b7RLV4o2MwYTAdBgNVHQ4EFgQUFrGs5lYg+97p
    ycX9baj1rHWmkq0wHwYDVR0jBBgwFoAUFrGs5lYg+97pycX9baj1rHWmkq0wDwYD
    VR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAQYwCgYIKoZIzj0EAwIDSQAwRgIh
    AKP0hZYZPWLb3BLhOyH+i6AWLU7rqV+QCRasTZU2mee8AiEAr23+9w+nJisOlMVv
    5ie00UhONG6/cCe+jHHV8xHW1SM=
    -----END CERTIFICATE-----
    """)
  private nonisolated(unsafe) static let leaf = certificate(
    """
    -----BEGIN CERTIFICATE-----
    MIIBfDCCASOgAwIBAgICEJIwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJRnV6eiBy
    b290MCAXDTI2MTEyMjAxMTcxOFoYDzIxMjYxMDI5MDExNzE4WjAUMRIwEAYDVQQD
    DAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQZ/IfnjMQrjZ7s
    5waq0ZCVkZmyPWVzYXGf35Ofc9O6GaXwmG7JF93Ft9tORqJ45J8KU7MM0UENwysH
    H5aNhQ1Wo2MwYTAUBgNVHREEDTALgglsb2NhbGhvc3QwCQYDVR0TBAIwADAdBgNV
    HQ4EFgQUBC5nEc4ZOSzgC3s73La7cOSyazYwHwYDVR0jBBgwFoAUFrGs5lYg+97p
    ycX9baj1rHWmkq0wCgYIKoZIzj0EAwIDRwAwRAIgV+l+YH9wzHScpBTGoALgwYg4
    K0AQLc855J2+GalnXocCIBk7HgVxcmNsXmGskvatJ0JtTCfX1E75DszW7zYSfsdM
    -----END CERTIFICATE-----
    """)

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    var reader = InputReader(input)
    let kind = reader.byte()
    let rest = UnsafeRawBufferPointer(rebasing: reader.rest)
    switch kind % 3 {
    case 0: checkLists(rest)
    case 1: pem(of: rest).withUnsafeBytes { checkLists($0) }
    default:
      let verdict = transport_staple_verify(
        rest.bindMemory(to: UInt8.self).baseAddress, rest.count, leaf, issuer)
      require(verdicts.contains(verdict), "a verdict that is none")
    }
  }

  private static let verdicts = [
    X509_V_OK, X509_V_ERR_CERT_REVOKED, X509_V_ERR_OCSP_CERT_UNKNOWN, X509_V_ERR_OCSP_VERIFY_FAILED,
  ]

  /// Evaluates the chain with the lists among the roots.
  private static func checkLists(_ text: UnsafeRawBufferPointer) {
    var count: Int32 = 0
    guard let roots = transport_roots_make(nil, 0, &count) else { return }
    defer { transport_roots_free(roots) }
    let characters = text.bindMemory(to: CChar.self).baseAddress
    guard transport_roots_add_revocation_lists(roots, characters, text.count) else { return }
    require(X509_STORE_add_cert(roots, issuer) == 1, "no root")
    guard let context = X509_STORE_CTX_new() else { return }
    defer { X509_STORE_CTX_free(context) }
    require(X509_STORE_CTX_init(context, roots, leaf, nil) == 1, "no chain")
    require(X509_STORE_CTX_set_default(context, "ssl_server") == 1, "no purpose")
    _ = ChainFaults.of(context)
  }

  private static func certificate(_ text: String) -> OpaquePointer? {
    // What OpenSSL reads stays where it is.
    text.withCString { characters in
      guard let memory = BIO_new_mem_buf(characters, -1) else { return nil }
      defer { BIO_free(memory) }
      return PEM_read_bio_X509(memory, nil, nil, nil)
    }
  }

  /// libFuzzer changes DER more wisely than its base64.
  private static func pem(of der: UnsafeRawBufferPointer) -> [UInt8] {
    var coded = [UInt8](repeating: 0, count: der.count / 3 * 4 + 5)
    let count = EVP_EncodeBlock(&coded, der.bindMemory(to: UInt8.self).baseAddress, Int32(der.count))
    var text = Array("-----BEGIN X509 CRL-----\n".utf8)
    for start in stride(from: 0, to: Int(count), by: 64) {
      text += coded[start..<min(Int(count), start + 64)]
      text.append(UInt8(ascii: "\n"))
    }
    return text + "-----END X509 CRL-----\n".utf8
  }
}
