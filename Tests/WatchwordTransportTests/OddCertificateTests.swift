import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

/// Certificates that no authority should issue: they are shown as they are, refused for what they are, and end nothing.
@Suite struct OddCertificateTests {
  private static func certificate(_ pem: String) throws -> Certificate {
    try #require(ChainUnderTest(presented: [pem])?.trust?.certificates.first)
  }

  /// A reader that stops at the zero takes it for localhost's (CVE-2009-2408).
  @Test func aZeroByteEndsNoName() throws {
    let certificate = try Self.certificate(Self.zeroBytes)
    #expect(certificate.subject == #"CN=localhost\00.evil.test"#)
    #expect(
      certificate.subjectAlternativeNames
        == [#"DNS:localhost\00.evil.test"#, #"DNS:\00"#, #"DNS:localhost\00"#])
    let chain = try #require(ChainUnderTest(presented: [Self.zeroBytes], roots: Self.zeroBytes))
    let reasons = chain.evaluate(host: "localhost").map(\.reason)
    #expect(reasons.contains(.hostMismatch) && !reasons.contains(.expired))
  }

  @Test(arguments: [
    // From 29 February 1940 to the end of 9999, from 1950 to the end of 2049, and from the year 0 to 1 January 2050.
    (zeroBytes, -941_673_600.0, 253_402_300_799.0), (oldForm, -631_152_000, 2_524_607_999),
    (newForm, -62_167_219_200, 2_524_608_000),
  ])
  func datesAreReadInBothFormsAndOfAnyCentury(_ pem: String, _ begin: Double, _ end: Double) throws {
    let certificate = try Self.certificate(pem)
    #expect(certificate.notBefore == begin && certificate.notAfter == end)
    let chain = try #require(ChainUnderTest(presented: [pem], roots: pem))
    let reasons = chain.evaluate(host: "localhost").map(\.reason)
    #expect(!reasons.contains(.expired) && !reasons.contains(.notYetValid))
  }

  /// The 29th of February 2050: nothing is said about a certificate that says nothing itself.
  @Test func aDateThatThereIsNotMakesACertificateUnreadable() throws {
    let chain = try #require(ChainUnderTest(presented: [Self.noDate], roots: Self.noDate))
    #expect(chain.evaluate(host: "localhost").contains(TrustFault(reason: .malformed, depth: 0)))
    #expect(chain.trust == nil)
  }

  @Test func aKeyOfDSAIsNamed() throws {
    let certificate = try Self.certificate(Self.dsa)
    #expect(certificate.keyType == "dsa" && certificate.keyBits == 2048)
    let chain = try #require(ChainUnderTest(presented: [Self.dsa], roots: Self.dsa))
    #expect(chain.evaluate(host: "localhost").allSatisfy { $0.depth == 0 })
  }

  private static let zeroBytes = """
    -----BEGIN CERTIFICATE-----
    MIIBZDCCAQmgAwIBAgIBBTAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRsb2NhbGhv
    c3QALmV2aWwudGVzdDAiGA8xOTQwMDIyOTAwMDAwMFoYDzk5OTkxMjMxMjM1OTU5
    WjAfMR0wGwYDVQQDDBRsb2NhbGhvc3QALmV2aWwudGVzdDBZMBMGByqGSM49AgEG
    CCqGSM49AwEHA0IABOr6BchGzdUVCbwTDWwEYpOBUuO1qZw0LbFajEtuvjAJE2GK
    61IP6okKysSXOllBrjHtur15E9JMmlX6hCatSIGjMjAwMC4GA1UdEQQnMCWCFGxv
    Y2FsaG9zdAAuZXZpbC50ZXN0ggEAggpsb2NhbGhvc3QAMAoGCCqGSM49BAMCA0kA
    MEYCIQDBZwo2wohNowGk1Xo31/StjH/cK7VqVMuwMBrhYBG18QIhANzRGChrf1K4
    zRUgsopuyU11RjBm1WUARGFla6vG4IEc
    -----END CERTIFICATE-----
    """
  private static let oldForm = """
    -----BEGIN CERTIFICATE-----
    MIIBLjCB1aADAgECAgEFMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
    dDAeFw01MDAxMDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxv
    Y2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHGpTqzYcj1hSzEzl2I6
    wW+7ysoMG8CpoGeN3k4XGAtFjB8t+FDUAsfwTM0Us9PaTp4ODxx+pzUDzxNzUi8d
    28ajGDAWMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAKBggqhkjOPQQDAgNIADBFAiEA
    9nfrlQKzp1R1MXNzmfc296WdE51hPAvLegTDwGf6IRQCIHIYexsgAEsjlpWpreFQ
    0CU/Z0ZN1aE3yPlarLLoIViD
    -----END CERTIFICATE-----
    """
  private static let newForm = """
    -----BEGIN CERTIFICATE-----
    MIIBMjCB2aADAgECAgEFMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
    dDAiGA8wMDAwMDEwMTAwMDAwMFoYDzIwNTAwMTAxMDAwMDAwWjAUMRIwEAYDVQQD
    DAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASzrmEto6D4sq1X
    V77tRK6IshDDsr7L0ihmoAFNu4pbHGtRP467tEa/CAkAIIMQ/jPjhKg5Vb4tRCFC
    WwbAdPfRoxgwFjAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwIDSAAw
    RQIgDBj1yNdseuikqVxSkw8t4pbWsP+6dSO7Cx/hHcL9QSsCIQDl5F8Cr+VIcZQR
    fafJMUH0Onv8vzg46USTRPcM+WZxag==
    -----END CERTIFICATE-----
    """
  private static let noDate = """
    -----BEGIN CERTIFICATE-----
    MIIBMDCB16ADAgECAgEFMAoGCCqGSM49BAMCMBQxEjAQBgNVBAMMCWxvY2FsaG9z
    dDAgFw02OTEyMzEyMzU5NTlaGA8yMDUwMDIyOTAwMDAwMFowFDESMBAGA1UEAwwJ
    bG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEp1DgIrd0cygtjz3u
    H3ekxm/9CeaRTrDV/EpE9noEnor0OBGiTcmaz9hVZtyhpL4/+CBMMxVsWTlU2WxM
    phQ28qMYMBYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MAoGCCqGSM49BAMCA0gAMEUC
    IBmMohSuqw3tmOeDQwqeXbbQpqJ0Y4JSRRkVNmQ8ZjonAiEAuoK25NHbQ7uASHzW
    XvuPPNbI70cPpKHi1b7PPc6Yv+Q=
    -----END CERTIFICATE-----
    """
  private static let dsa = """
    -----BEGIN CERTIFICATE-----
    MIIEejCCBCegAwIBAgIUTf9awZE9fCbqVu9S7NX2GcJN0r4wCwYJYIZIAWUDBAMC
    MBQxEjAQBgNVBAMMCWxvY2FsaG9zdDAgFw0yNjExMjExNDU3NDBaGA8yMDUxMDcx
    MzE0NTc0MFowFDESMBAGA1UEAwwJbG9jYWxob3N0MIIDQjCCAjUGByqGSM44BAEw
    ggIoAoIBAQDCdZGsqFk/MFWwPHs5Y8aB+3F7xgnHEbE++F1zaAozHKahL04vyc24
    eKrpedYbTjcQqyBacf+WJHf76D5jGLWPfUwTg8UECZW7geh8qbrp4/K94TbTrX5M
    nKABg81EBG5L97w9pAJyxa4Gyi1VYXfB4JOzGQ1Qu7hyuRteDu1I8Zf2iTQn9BcF
    6J8NGKdE5NQcSQUMJqKPw7j/um1wAicV1HdtZWWxTo9RyNjVX4lWA7IbtDBWAok0
    f59fMU+DCqmJcgCayyXdf+Hdw32FrtTE7BgMIzfzQPMyc5M6M5bgxNseof/GGpEl
    C016BfaKviTfCmSs8P7tDj3bej4YSMzxAh0A1hcqqRT+7cyTmjOmKealZuPg2Fre
    qi+ryGBnfwKCAQBOv8C3jJWzj10Ky5JNE8YejFrC6f3Kdqw7EzL3BG8gORqLXQEs
    FbRXAWyqXP1eD70alTPnra5HVRl2GRRF8b3KD434XLQfO3iO6wXpGqyU5D4yLCQy
    0ZcEBv7g38Gh7R8W07revieIu4IyWzsk6QPUZeO5iXPGgYAj5X72KP6aXkCjR3Z0
    Ke8ArAIvdOq5aJctdAh/ZvM3qirNhwO0tElNpCC/ryRCBuUEneBmTBpVm/i/2SHW
    Q91iAwhWpuVZZpM3HbuLIWRAPG3qPnG942OWem45ghR5oc8udv+U6oSv+jX8ngb2
    ApStZppAAHOcrY/j60HfVbFKrwBZ6HsLrv37A4IBBQACggEAa2ureyszhgXTRJ45
    NqrL/BD3LH6atI7uaRVDo4UNPzyRtVn0xPZ3wv3EgZoFcgDAWQcFqUkYcB/6wlf5
    jwvTqmaP261xWMkOz7g2MfUKFMnB1pTjJLkb0XtMPB/SUUb4PHu/PpQuHkidhepR
    OQwm4l71t17mQaZelhxXJsy2XkzDzZwFIcrSUmjAF3TbWI4b18it+R+9zh7A8yR4
    cIJMHigBHNQZrBeZTYuVZcvrKv6adEUfRo/CdbgG2/qACFPhMzajTk5XjTG36uKK
    dU0Pr5ZjRIEy4GSgM9bVjMxDUgVAtIAld2egDwYnPvF6esbqMR/S2wBez9G7M5KQ
    TOxOVaNpMGcwHQYDVR0OBBYEFNkpd0q+tHcZmoV4ruZw/p8a2oWZMB8GA1UdIwQY
    MBaAFNkpd0q+tHcZmoV4ruZw/p8a2oWZMA8GA1UdEwEB/wQFMAMBAf8wFAYDVR0R
    BA0wC4IJbG9jYWxob3N0MAsGCWCGSAFlAwQDAgNAADA9Ah0AwEfHoVlmjgTtzcbT
    4OU3UPFkrcta1dTD/NoisAIcMROkAOuNci6LE9y61eOLRvr4971eMPQIZMV/8Q==
    -----END CERTIFICATE-----
    """
}
