internal import WatchwordClient
internal import WatchwordMessages
internal import WatchwordPrimitives
internal import WatchwordSecret

/// A client certificate and its key, read from the caller's files: the daemon opens none. A key in a token stays there.
enum IdentityFile {
  case pem(certificates: String, privateKey: Secret)
  case pkcs12(Secret)
  /// The URI of the key, and the certificates when the token has none.
  case token(uri: String, certificates: String?)

  /// The first byte of DER, which PEM text never begins with.
  private static let derSequence: UInt8 = 0x30
  /// The scheme of a URI that names a key in a token (RFC 7512); `./pkcs11:` is a file.
  private static let tokenScheme = "pkcs11:"

  /// The end of the first line of a PEM key of any kind.
  private static let keyMark = "PRIVATE KEY-----"

  /// - Parameters:
  /// - certificate: PEM with or without the key, or PKCS#12; or the URI of a key in a token.
  /// - key: PEM, or the URI of a key in a token; nil when `certificate` contains it.
  init(certificate: String, key: String?) throws(Failure) {
    if certificate.hasPrefix(Self.tokenScheme) {
      guard key == nil else { throw .usage("--key goes with a PEM file; a token has its key in it") }
      self = .token(uri: certificate, certificates: nil)
      return
    }
    let file = try SecretReader.all(from: try InputFile.open(certificate), named: certificate)
    if file.withBytes({ $0.first == Self.derSequence }) {
      guard key == nil else { throw .usage("--key goes with a PEM file; a PKCS#12 file has its key in it") }
      self = .pkcs12(file)
      return
    }
    if let key, key.hasPrefix(Self.tokenScheme) {
      self = .token(uri: key, certificates: Self.certificates(in: file))
      return
    }
    let privateKey: Secret
    if let key {
      privateKey = try SecretReader.all(from: try InputFile.open(key), named: key)
    } else {
      privateKey = file
    }
    self = .pem(certificates: Self.certificates(in: file), privateKey: privateKey)
  }

  /// The blocks that are no secret: a key beside them is not sent.
  private static func certificates(in file: Secret) -> String {
    file.withBytes { bytes in
      var text: [UInt8] = []
      var isInside = false
      for line in bytes.split(separator: UInt8(ascii: "\n")) {
        if line.starts(with: "-----BEGIN CERTIFICATE-----".utf8) { isInside = true }
        if isInside { text += Array(line) + [UInt8(ascii: "\n")] }
        if line.starts(with: "-----END CERTIFICATE-----".utf8) { isInside = false }
      }
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// Whether it is PEM without a key, which is in another file.
  var lacksKey: Bool {
    guard case .pem(_, let privateKey) = self else { return false }
    return privateKey.withBytes { bytes in
      !bytes.split(separator: UInt8(ascii: "\n")).contains { line in
        let end = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return end.starts(with: "-----BEGIN ".utf8)
          && end.suffix(Self.keyMark.utf8.count).elementsEqual(Self.keyMark.utf8)
      }
    }
  }

  /// The name of the key's passphrase, for a person.
  var passphraseName: String {
    switch self {
    case .pem, .pkcs12: "passphrase"
    case .token: "PIN"
    }
  }

  /// The same at the beginning of a question.
  var passphrasePrompt: String {
    switch self {
    case .pem, .pkcs12: "Passphrase"
    case .token: "PIN"
    }
  }

  /// How often a person is asked: for files as often as by ssh; tokens lock themselves after some wrong PINs.
  var attempts: Int {
    switch self {
    case .pem, .pkcs12: 3
    case .token: 1
    }
  }

  /// Longest encoding in a message, in bytes.
  var size: Int {
    switch self {
    case .pem(let certificates, let privateKey): (certificates.utf8.count + privateKey.count) * 2
    case .pkcs12(let bytes): bytes.count * 2
    case .token(let uri, let certificates): (uri.utf8.count + (certificates?.utf8.count ?? 0)) * 2
    }
  }

  /// As the daemon takes it.
  func material(passphrase: Secret?) -> Request.IdentityMaterial {
    switch self {
    case .pem(let certificates, let privateKey):
      Request.IdentityMaterial(certificates: certificates, privateKey: privateKey, passphrase: passphrase)
    case .pkcs12(let bytes):
      Request.IdentityMaterial(passphrase: passphrase, pkcs12: Self.base64(bytes))
    case .token(let uri, let certificates):
      Request.IdentityMaterial(certificates: certificates, passphrase: passphrase, pkcs11: uri)
    }
  }

  private static func base64(_ secret: Secret) -> Secret {
    Secret(count: Base64.encodedCount(of: secret.count)) { text in
      secret.withBytes { Base64.encode($0, into: text) }
    }
  }
}
