import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

/// Certificates of one authority, and what servers ask with them in a handshake.
enum TestCertificates {
  /// The authority of those below.
  static let authority = """
    -----BEGIN CERTIFICATE-----
    MIIBrDCCAVOgAwIBAgIUJZfuVCx/C6oNRX23zpDCC2bj03kwCgYIKoZIzj0EAwIw
    IzESMBAGA1UECgwJV2F0Y2h3b3JkMQ0wCwYDVQQDDARSb290MCAXDTI2MTEyODIy
    NTA0M1oYDzIxMjYxMTA0MjI1MDQzWjAjMRIwEAYDVQQKDAlXYXRjaHdvcmQxDTAL
    BgNVBAMMBFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATKzUcCAdxvWA2G
    87hAd56RYItZIDo9zKmWmB5S4G22Yti++OxmaN8QVNZANSSBdFz6xjoqn/qtDNdC
    IhdCQ1Elo2MwYTAdBgNVHQ4EFgQUrJkJepowdsa0+nggiRoevKeGX5IwHwYDVR0j
    BBgwFoAUrJkJepowdsa0+nggiRoevKeGX5IwDwYDVR0TAQH/BAUwAwEB/zAOBgNV
    HQ8BAf8EBAMCAgQwCgYIKoZIzj0EAwIDRwAwRAIgTSi18k6/D/vSWIiW6AmFDTbM
    JxsYVVOF5Sn+pvHqeb4CIDAIBpLee1xUsKD4FQKWKo4UrFg5eZVMJZyvhm3f+fTR
    -----END CERTIFICATE-----

    """
  /// Of a client, until the year 2126.
  static let one = """
    -----BEGIN CERTIFICATE-----
    MIIBeDCCAR+gAwIBAgIBETAKBggqhkjOPQQDAjAjMRIwEAYDVQQKDAlXYXRjaHdv
    cmQxDTALBgNVBAMMBFJvb3QwIBcNMjYxMTI4MjI1MDQzWhgPMjEyNjExMDQyMjUw
    NDNaMA4xDDAKBgNVBAMMA29uZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPoo
    P79s092OSzjXdrgALo1OM1qSdinij8MoENF5rWTplMNLdEzmW0l0PSsupWjjFdYV
    bVqAkpqLnPK6b6wnsT2jVzBVMBMGA1UdJQQMMAoGCCsGAQUFBwMCMB0GA1UdDgQW
    BBRmiHbMFv26K7rTk2K7ga1AB1eSpTAfBgNVHSMEGDAWgBSsmQl6mjB2xrT6eCCJ
    Gh68p4ZfkjAKBggqhkjOPQQDAgNHADBEAiAOU2iGsHA9zcVATzIoVzrt1mA9SBTm
    TukfY2NfYqOgwwIgcw7j5jRy+soa6UEDQ2mfTyUXHe31qF8kcVNmJyk36S4=
    -----END CERTIFICATE-----

    """
  static let oneKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgaFQwDq+zaK+8CZxJ
    LE0cu+yuCOjmcfQ2FJMzbQUxkDehRANCAAT6KD+/bNPdjks413a4AC6NTjNaknYp
    4o/DKBDRea1k6ZTDS3RM5ltJdD0rLqVo4xXWFW1agJKai5zyum+sJ7E9
    -----END PRIVATE KEY-----

    """
  static let two = """
    -----BEGIN CERTIFICATE-----
    MIIBeDCCAR+gAwIBAgIBEjAKBggqhkjOPQQDAjAjMRIwEAYDVQQKDAlXYXRjaHdv
    cmQxDTALBgNVBAMMBFJvb3QwIBcNMjYxMTI4MjI1MDQzWhgPMjEyNjExMDQyMjUw
    NDNaMA4xDDAKBgNVBAMMA3R3bzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABI+l
    COyl8aiu+gRDuk23QkWXwvMi9AQ+uZxscA67Fn+4kg1RBRX2pgdrik+oVn+jCIMu
    TanB8j4oHb1UGtzEE/ijVzBVMBMGA1UdJQQMMAoGCCsGAQUFBwMCMB0GA1UdDgQW
    BBRPsNFHmuQ2m2bhABBzCOLkgUYyfTAfBgNVHSMEGDAWgBSsmQl6mjB2xrT6eCCJ
    Gh68p4ZfkjAKBggqhkjOPQQDAgNHADBEAiAmHGQdVSrmgMNi8tGqMJffVMpFQQ3Q
    hh4iHxytF/J2IgIgN31701DK/+l7rwd13N3S4gJkHxyT+Nd+abbQJxdLfsE=
    -----END CERTIFICATE-----

    """
  static let twoKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6fPI44eSMvYY5GSg
    CV9UFDUUc7NM8LRLFLwXzEUAdB+hRANCAASPpQjspfGorvoEQ7pNt0JFl8LzIvQE
    PrmcbHAOuxZ/uJINUQUV9qYHa4pPqFZ/owiDLk2pwfI+KB29VBrcxBP4
    -----END PRIVATE KEY-----

    """
  /// Of `oneKey`, and not valid since 2020.
  static let old = """
    -----BEGIN CERTIFICATE-----
    MIIBHTCBxKADAgECAgETMAoGCCqGSM49BAMCMCMxEjAQBgNVBAoMCVdhdGNod29y
    ZDENMAsGA1UEAwwEUm9vdDAeFw0yMDAxMDEwMDAwMDBaFw0yMDAyMDEwMDAwMDBa
    MA4xDDAKBgNVBAMMA29sZDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPooP79s
    092OSzjXdrgALo1OM1qSdinij8MoENF5rWTplMNLdEzmW0l0PSsupWjjFdYVbVqA
    kpqLnPK6b6wnsT0wCgYIKoZIzj0EAwIDSAAwRQIgX+jW5B3W/pgByUGoFM6PlY7z
    Epdzo1Ge9XVg1qHDv30CIQCYzqCtPakmbFDq4UTc4ine7a+jJFi5w84oXHjR1XaB
    GA==
    -----END CERTIFICATE-----

    """

  /// A PEM text in a JSON string.
  static func quoted(_ pem: String) -> String { "\"" + pem.replacing("\n", with: "\\n") + "\"" }

  /// A server's chain of one certificate that no root vouches for.
  static func untrusted(_ number: UInt8 = 1) throws -> ServerTrust {
    let print = try #require(Fingerprint(Array(repeating: number, count: Fingerprint.byteCount)))
    let certificate = Certificate(
      subject: "CN=server", issuer: "CN=nobody", serialNumber: "1", notBefore: 0, notAfter: 1e12,
      subjectAlternativeNames: [], keyType: "ec", keyBits: 256, sha256: print, publicKey: print, der: [number]
    )
    return ServerTrust(
      certificates: [certificate],
      presented: PresentedChain(chain: print, certificate: print, publicKey: print),
      faults: [TrustFault(reason: .unknownIssuer, depth: 0)])
  }

  static let request = CertificateRequest(issuers: [], keyTypes: [.ec])
}
