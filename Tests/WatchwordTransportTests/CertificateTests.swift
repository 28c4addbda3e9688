import CTransport
import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

@Suite struct CertificateTests {
  /// Made with `openssl req -x509`; its names have a bell and a mark that turns the direction of text.
  private static let odd = """
    -----BEGIN CERTIFICATE-----
    MIIBsDCCAVagAwIBAgIECrwSNDAKBggqhkjOPQQDAjAlMQwwCgYDVQQKDANhLGIx
    FTATBgNVBAMMDFpvw6sH4oCudHNldDAeFw0yNjExMjExMTE3MjFaFw0zNjExMTgx
    MTE3MjFaMCUxDDAKBgNVBAoMA2EsYjEVMBMGA1UEAwwMWm/DqwfigK50c2V0MFkw
    EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEAlLXAVB3spuIjU/nsZlgf5GztUlFdxdZ
    Z79Vp3m8tjFmuhhgA/fYyP0Cf2l0NlN+RYNq1KaZ612FG0m48m1zbqN0MHIwUQYD
    VR0RBEowSIIOKi5leGFtcGxlLnRlc3SHBMAAAgGHECABDbgAAAAAAAAAAAAAAAGG
    D2h0dHBzOi8vYS50ZXN0L4EIYUBiLnRlc3SIAyoDBDAdBgNVHQ4EFgQUNs52FfW1
    F/fYoyI9ISxl4oDa480wCgYIKoZIzj0EAwIDSAAwRQIhAI7p08cNmVFA1LpHBXXV
    aoQXz+WQvqKIcRs8E69Op9tEAiAdkWqUBufNWlQTwK2X47Od20LNa1O1210qPlJ3
    E1eMMg==
    -----END CERTIFICATE-----
    """
  /// Made with `openssl req -x509`, Ed25519 and without alternative names.
  private static let plain = """
    -----BEGIN CERTIFICATE-----
    MIIBQDCB86ADAgECAhRt5hsT+/ZcV5q0C7SNwLpiFAV4yTAFBgMrZXAwFTETMBEG
    A1UEAwwKcGxhaW4udGVzdDAgFw0yNjExMjExMTE4MTVaGA8yMDUxMDcxMzExMTgx
    NVowFTETMBEGA1UEAwwKcGxhaW4udGVzdDAqMAUGAytlcAMhAH8UyjXmVzK61IVc
    EAZCS6BdGf6GKSyhFz9pzjvnzfqYo1MwUTAdBgNVHQ4EFgQUp/QQAcKUYXgT1o49
    +jY54M1knVowHwYDVR0jBBgwFoAUp/QQAcKUYXgT1o49+jY54M1knVowDwYDVR0T
    AQH/BAUwAwEB/zAFBgMrZXADQQCUXbMCkEMxNzdL93lvMmq8Aztk4Sc5sEIovHeB
    RuVes9F1H8BaKn32SmD1gzmXFrhWtPGlDCNW3OtjrGNFCfUC
    -----END CERTIFICATE-----
    """

  @Test func everyPartIsRead() throws {
    let chain = try #require(ChainUnderTest(presented: [Self.odd]))
    let trust = try #require(chain.trust)
    let certificate = try #require(trust.certificates.first)
    #expect(certificate.subject == #"CN=Zoë\07\E2\80\AEtset,O=a\,b"#)
    #expect(certificate.issuer == certificate.subject)
    #expect(certificate.serialNumber == "0abc1234")
    #expect(certificate.notBefore == 1_795_259_841)
    #expect(certificate.notAfter == 2_110_619_841)
    #expect(
      certificate.subjectAlternativeNames == [
        "DNS:*.example.test", "IP:192.0.2.1", "IP:2001:db8::1", "URI:https://a.test/", "email:a@b.test",
      ])
    #expect(certificate.keyType == "ec")
    #expect(certificate.keyBits == 256)
    #expect(
      certificate.sha256.hexadecimal == "efaab931436ecda04102b447bc8233c772401a65ffa4646d71c1ba826925b3a7")
    #expect(
      certificate.publicKey.hexadecimal
        == "84aa2bd3d30ebab69ea6f15819fe22812435cad8422cf4ecea5d72c1d0230b28")
    #expect(
      VectorFile.base64(Self.odd.split(separator: "\n").dropFirst().dropLast().joined()) == certificate.der)
  }

  @Test func theServersOwnIsFirstAndOnce() throws {
    let chain = try #require(ChainUnderTest(presented: [Self.plain, Self.odd, Self.plain]))
    let trust = try #require(chain.trust)
    #expect(trust.certificates.map(\.keyType) == ["ed25519", "ec"])
    let presented = trust.presented
    #expect(presented.certificate == trust.certificates[0].sha256)
    #expect(presented.publicKey == trust.certificates[0].publicKey)
    #expect(presented.verifiedPublicKeys.isEmpty)
    let other = try #require(ChainUnderTest(presented: [Self.plain]))
    #expect(PresentedChain(other.context)?.chain != trust.presented.chain)
  }

  @Test func verifiedKeysEndWithTheAnchor() throws {
    let chain = try #require(ChainUnderTest(presented: [Self.plain], roots: Self.plain))
    _ = chain.evaluate(host: "plain.test")
    let presented = try #require(PresentedChain(chain.context))
    #expect(presented.verifiedPublicKeys == [presented.publicKey])
  }

  @Test func aCrowdOfCertificatesIsCutButCounts() throws {
    let crowd = [Self.plain] + Array(repeating: Self.odd, count: 99)
    let chain = try #require(ChainUnderTest(presented: crowd))
    let trust = try #require(chain.trust)
    #expect(trust.certificates.count == 64)
    let larger = try #require(ChainUnderTest(presented: crowd + [Self.odd]))
    #expect(PresentedChain(larger.context)?.chain != trust.presented.chain)
  }
}
