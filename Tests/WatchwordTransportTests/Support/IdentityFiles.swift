import WatchwordCore
import WatchwordJSON
import WatchwordVocabulary

/// Client certificates and keys in every form that there is, minted once by openssl.
final class IdentityFiles: Sendable {
  static let shared = IdentityFiles()

  /// PEM texts, and PKCS#12 in hexadecimal, by the file's name.
  private let files: JSONObject

  func text(_ name: String) -> String {
    guard case .string(let text) = files[name] else { return "" }
    return text
  }

  func bytes(_ name: String) -> [UInt8] {
    let digits = Array(text(name).utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) ?? 0
    }
  }

  /// A certificate and a key by the names of their files, without what comes behind the dot.
  func pem(_ certificate: String, _ key: String, passphrase: String? = nil) -> IdentityMaterial {
    .pem(
      certificates: text("\(certificate).pem"), privateKey: Secret(text("\(key).key").utf8),
      passphrase: passphrase.map { Secret($0.utf8) })
  }

  func pkcs12(_ name: String, passphrase: String? = nil) -> IdentityMaterial {
    .pkcs12(Secret(bytes("\(name).p12")), passphrase: passphrase.map { Secret($0.utf8) })
  }

  private init() {
    let printed = ChildProcess.python("identity_files").readUntil("ready")
    let line = Array((printed.split(separator: "\n").first ?? "").utf8)
    let files = line.withUnsafeBytes { try? JSONParser().parse($0) }?.object
    guard let files else { preconditionFailure("nothing was minted: \(printed)") }
    self.files = JSONObject(files)
  }
}
