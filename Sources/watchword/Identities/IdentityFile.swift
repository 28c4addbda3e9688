internal import CLinux
internal import Glibc
internal import WatchwordMessages
internal import WatchwordVocabulary

/// A client certificate and its key, read from the caller's files: the daemon opens none. A key in a token
/// stays there.
enum IdentityFile {
  case pem(certificates: String, privateKey: Secret)
  case pkcs12(Secret)
  /// The URI of the key, and the certificates when the token has none.
  case token(uri: String, certificates: String?)

  /// The first byte of DER, which PEM text never begins with.
  private static let derSequence: UInt8 = 0x30
  /// The scheme of a URI that names a key in a token (RFC 7512); `./pkcs11:` is a file.
  static let tokenScheme = "pkcs11:"

  /// The end of the label of a PEM key of any kind.
  private static let keyLabel = "PRIVATE KEY"

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
      self = .token(uri: key, certificates: try Self.certificates(in: file, named: certificate))
      return
    }
    var privateKey = file
    if let key { privateKey = try SecretReader.all(from: try InputFile.open(key), named: key) }
    let blocks = PEMBlocks.secret(in: privateKey, Self.isKey)
    // Without a key the daemon says what is wrong.
    let sent = blocks.isEmpty ? PEMBlocks.secret(in: privateKey) { _ in true } : blocks
    guard sent.isUTF8 else { throw Self.notASCII(key ?? certificate) }
    self = .pem(certificates: try Self.certificates(in: file, named: certificate), privateKey: sent)
  }

  /// The blocks that are no secret: a key beside them is not sent.
  private static func certificates(in file: Secret, named name: String) throws(Failure) -> String {
    guard let text = PEMBlocks.text(in: file, { $0.elementsEqual("CERTIFICATE".utf8) }) else {
      throw notASCII(name)
    }
    return text
  }

  private static func notASCII(_ name: String) -> Failure {
    Failure("\(DisplayText.escaped(name)): a PEM block is not ASCII")
  }

  private static func isKey(_ label: Slice<UnsafeRawBufferPointer>) -> Bool {
    label.suffix(keyLabel.utf8.count).elementsEqual(keyLabel.utf8)
  }

  /// Whether it is PEM without a key, which is in another file.
  var lacksKey: Bool {
    guard case .pem(_, let privateKey) = self else { return false }
    return PEMBlocks.secret(in: privateKey, Self.isKey).isEmpty
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

/// What tells the files of a client certificate from others without reading them.
extension IdentityFile {
  /// The same for the same files as long as they do not change; nil when nothing tells that, as of a pipe,
  /// and for a key in a token, whose PIN is asked for each time.
  ///
  /// The kernel sets the time of a file's last change, and no program chooses it: another content has another
  /// name.
  static func name(ofFiles paths: [String]) -> String? {
    var names: [String] = []
    for path in paths {
      var status = stat()
      guard !path.hasPrefix(tokenScheme), stat(OctetText.cString(path), &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      let changed = status.st_ctim
      names.append(
        "\(status.st_dev):\(status.st_ino):\(status.st_size):\(changed.tv_sec).\(changed.tv_nsec)")
    }
    return names.joined(separator: " ")
  }
}
