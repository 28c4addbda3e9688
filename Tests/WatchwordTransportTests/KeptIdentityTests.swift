import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

@Suite struct KeptIdentityTests {
  @Test(arguments: [
    ("ec", "ec-pkcs8"), ("ec", "ec-traditional"), ("rsa", "rsa-3des"), ("rsa", "rsa-pkcs1"),
    ("ed25519", "ed25519"), ("ed448", "ed448"),
  ])
  func whatIsKeptNeedsNoPassphrase(_ certificate: String, _ key: String) throws {
    let given = try ClientIdentity(
      anyTime: IdentityFiles.shared.pem(certificate, key, passphrase: "sesame"))
    let kept = try #require(given.kept())
    #expect(kept.identity == given.identity && !kept.isTooLarge)
    let isPlain = kept.privateKey.withBytes { $0.starts(with: "-----BEGIN PRIVATE KEY-----".utf8) }
    #expect(isPlain)
    let read = try ClientIdentity(
      anyTime: .pem(certificates: kept.certificates, privateKey: kept.privateKey, passphrase: nil))
    #expect(read.identity == given.identity)
    #expect(read.kept() == kept)
  }

  @Test func anExpiredOneIsRead() throws {
    let given = try ClientIdentity(anyTime: IdentityFiles.shared.pem("expired", "expired"))
    let kept = try #require(given.kept())
    let read = try ClientIdentity(
      anyTime: .pem(certificates: kept.certificates, privateKey: kept.privateKey, passphrase: nil))
    #expect(read.identity.fault(at: IdentityTests.now) == .expired)
  }

  @Test func aWholeChainIsKept() throws {
    let given = try ClientIdentity(anyTime: IdentityFiles.shared.pkcs12("new", passphrase: "sesame"))
    let kept = try #require(given.kept())
    let read = try ClientIdentity(
      anyTime: .pem(certificates: kept.certificates, privateKey: kept.privateKey, passphrase: nil))
    #expect(read.identity == given.identity && given.identity.chainLength > 1)
  }
}
