import Glibc
import Testing
import WatchwordCore
import WatchwordTransport
import WatchwordVocabulary

@Suite struct IdentityTests {
  static let now = Double(time(nil))

  private func read(_ material: IdentityMaterial, at wallClock: Double = now) -> Result<
    Identity, IdentityFault
  > {
    Result { () throws(IdentityFault) in try ClientIdentity(material, wallClock: wallClock).identity }
  }

  private func fault(_ material: IdentityMaterial, at wallClock: Double = now) -> IdentityFault? {
    switch read(material, at: wallClock) {
    case .success: nil
    case .failure(let fault): fault
    }
  }

  @Test(
    arguments: [
      ("ec", "ec", IdentityKeyType.ec), ("ec", "ec-sec1", .ec), ("rsa", "rsa", .rsa),
      ("rsa", "rsa-pkcs1", .rsa), ("ed25519", "ed25519", .ed25519), ("ed448", "ed448", .ed448),
      ("bare", "bare", .ec),
    ])
  func keyIsReadInEveryForm(_ certificate: String, _ key: String, _ type: IdentityKeyType) throws {
    let identity = try read(IdentityFiles.shared.pem(certificate, key)).get()
    #expect(identity.keyType == type)
    #expect(identity.chainLength == 1)
    #expect(identity.certificate.subject == "CN=\(certificate),O=Watchword")
    #expect(identity.certificate.issuer == "CN=Middle,O=Watchword")
    #expect(identity.identifier == "i-\(identity.certificate.sha256.hexadecimal.prefix(32))")
  }

  @Test(
    arguments: [
      ("ec", "ec-pkcs8"), ("ec", "ec-scrypt"), ("ec", "ec-traditional"), ("rsa", "rsa-3des"),
      ("rsa", "rsa-traditional"),
    ])
  func encryptedKeyNeedsItsPassphrase(_ certificate: String, _ key: String) throws {
    let files = IdentityFiles.shared
    #expect(fault(files.pem(certificate, key)) == .passphraseNeeded)
    #expect(fault(files.pem(certificate, key, passphrase: "")) == .wrongPassphrase)
    #expect(fault(files.pem(certificate, key, passphrase: "sesam")) == .wrongPassphrase)
    let identity = try read(files.pem(certificate, key, passphrase: "sesame")).get()
    #expect(identity == (try read(files.pem(certificate, certificate)).get()))
  }

  @Test func passphraseOfAPlainKeyIsNotNeeded() {
    #expect(fault(IdentityFiles.shared.pem("ec", "ec", passphrase: "sesame")) == nil)
  }

  @Test func pkcs12IsReadWithItsChain() throws {
    let files = IdentityFiles.shared
    for name in ["new", "unsigned"] {
      let identity = try read(files.pkcs12(name, passphrase: "sesame")).get()
      #expect(identity.certificate.subject == "CN=rsa,O=Watchword")
      #expect(identity.chainLength == 2)
      #expect(identity.issuers.count == 2)
      #expect(fault(files.pkcs12(name)) == .passphraseNeeded)
      #expect(fault(files.pkcs12(name, passphrase: "sesam")) == .wrongPassphrase)
    }
    #expect(fault(files.pkcs12("empty")) == nil)
    #expect(fault(files.pkcs12("empty", passphrase: "")) == nil)
    #expect(fault(files.pkcs12("keyless", passphrase: "sesame")) == .keyUnreadable)
  }

  @Test func oldCiphersAreReadWhereOpenSSLHasThem() {
    let files = IdentityFiles.shared
    if !files.text("legacy.p12").isEmpty {
      #expect(fault(files.pkcs12("legacy", passphrase: "sesame")) == nil)
      #expect(fault(files.pkcs12("legacy", passphrase: "sesam")) == .wrongPassphrase)
      #expect(fault(files.pkcs12("legacy")) == .passphraseNeeded)
    }
    if !files.text("rsa-rc2.key").isEmpty {
      #expect(fault(files.pem("rsa", "rsa-rc2", passphrase: "sesame")) == nil)
      #expect(fault(files.pem("rsa", "rsa-rc2", passphrase: "sesam")) == .wrongPassphrase)
    }
  }

  /// RFC 8446 §4.4.2: sorted, without the root and what belongs to others.
  @Test(arguments: ["chain", "upside-down", "mixed"])
  func chainComesInAnyOrder(_ name: String) throws {
    let files = IdentityFiles.shared
    let given = try ClientIdentity(files.pem(name, "ec"), wallClock: Self.now)
    #expect(given.identity.certificate.subject == "CN=ec,O=Watchword")
    #expect(given.identity.chainLength == 2)
    #expect(given.identity.issuers.count == 2)
    #expect(given.kept()?.certificates == files.text("ec.pem") + files.text("middle.pem"))
  }

  @Test func whatCannotBeUsedSaysWhy() {
    let files = IdentityFiles.shared
    #expect(fault(files.pem("ec", "rsa")) == .keyMismatch)
    #expect(fault(files.pem("server", "server")) == .wrongPurpose)
    #expect(fault(files.pem("agreement", "agreement")) == .wrongPurpose)
    #expect(fault(files.pem("expired", "expired")) == .expired)
    #expect(fault(files.pem("ec", "ec"), at: Self.now - 86_400 * 365) == .notYetValid)
    #expect(fault(files.pem("weak", "weak")) == .tooWeak)
    #expect(fault(files.pem("many", "ec")) == .tooLarge)
  }

  /// Each of them would keep a thread busy for seconds.
  @Test func costlyPassphrasesAreRefusedBeforeTheyAreTried() {
    let files = IdentityFiles.shared
    #expect(fault(files.pem("rsa", "rsa-slow", passphrase: "sesame")) == .tooLarge)
    #expect(fault(files.pkcs12("slow", passphrase: "sesame")) == .tooLarge)
  }

  @Test func whatIsNoneOfItIsUnreadable() {
    let files = IdentityFiles.shared
    let key = Secret(files.text("ec.key").utf8)
    func pem(_ certificates: String, _ key: Secret = key) -> IdentityMaterial {
      .pem(certificates: certificates, privateKey: key, passphrase: nil)
    }
    let certificate = files.text("ec.pem")
    #expect(fault(pem("")) == .certificatesUnreadable)
    #expect(fault(pem("certificate")) == .certificatesUnreadable)
    #expect(fault(pem(String(certificate.dropLast(80)))) == .certificatesUnreadable)
    #expect(fault(pem(certificate + "-----BEGIN CERTIFICATE-----\nMIIB\n")) == .certificatesUnreadable)
    #expect(fault(pem(certificate, Secret([]))) == .keyUnreadable)
    #expect(fault(pem(certificate, Secret(certificate.utf8))) == .keyUnreadable)
    #expect(fault(.pkcs12(Secret([]), passphrase: nil)) == .pkcs12Unreadable)
    #expect(fault(.pkcs12(Secret(certificate.utf8), passphrase: nil)) == .pkcs12Unreadable)
  }

  /// Every cut and every changed byte ends in an identity or a fault, never in a crash.
  @Test func brokenFilesAreFaults() {
    let files = IdentityFiles.shared
    let whole = files.bytes("new.p12")
    for cut in stride(from: 0, to: whole.count, by: 97) {
      #expect(fault(.pkcs12(Secret(whole[..<cut]), passphrase: Secret("sesame".utf8))) != nil)
      var changed = whole
      changed[cut] ^= 0x55
      _ = fault(.pkcs12(Secret(changed), passphrase: Secret("sesame".utf8)))
    }
    let key = Array(files.text("ec-pkcs8.key").utf8)
    for cut in stride(from: 0, to: key.count - 30, by: 7) {
      let material = IdentityMaterial.pem(
        certificates: files.text("ec.pem"), privateKey: Secret(key[..<cut]), passphrase: Secret("sesame".utf8)
      )
      #expect(fault(material) != nil)
    }
  }
}
