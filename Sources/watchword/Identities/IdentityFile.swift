internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordSecret

/// A client certificate and its key, read from the caller's files: the daemon opens none.
enum IdentityFile {
  case pem(certificates: String, privateKey: Secret)
  case pkcs12(Secret)

  /// What DER begins with, and PEM text never does.
  private static let derSequence: UInt8 = 0x30

  /// - Parameters:
  ///   - certificate: PEM with the key or without it, or PKCS#12.
  ///   - key: PEM; nil when it is in the other file.
  init(certificate: String, key: String?) throws(Failure) {
    let file = try SecretReader.all(from: try InputFile.open(certificate), named: certificate)
    if file.withBytes({ $0.first == Self.derSequence }) {
      guard key == nil else { throw .usage("--key goes with a PEM file; a PKCS#12 file has its key in it") }
      self = .pkcs12(file)
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

  /// The blocks that are no secret: a key beside them stays where it is.
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

  /// Bytes that it takes in a message, at most.
  var size: Int {
    switch self {
    case .pem(let certificates, let privateKey): (certificates.utf8.count + privateKey.count) * 2
    case .pkcs12(let bytes): bytes.count * 2
    }
  }

  /// Writes the value of the member `identity`.
  func write(to writer: inout JSONWriter, passphrase: Secret?) {
    writer.beginObject()
    switch self {
    case .pem(let certificates, let privateKey):
      writer.key("certificates")
      writer.string(certificates)
      writer.key("privateKey")
      privateKey.withBytes { writer.stringBytes($0) }
    case .pkcs12(let bytes):
      writer.key("pkcs12")
      bytes.withBytes { writer.base64($0) }
    }
    if let passphrase {
      writer.key("passphrase")
      passphrase.withBytes { writer.stringBytes($0) }
    }
    writer.endObject()
  }
}
