internal import CCrypto
package import WatchwordVocabulary

/// The keys of one account of a fleet, made of the contents of the key file that its hosts share.
///
/// Each use has a key of its own: HMAC-SHA-256 of the use and the uid under the file's contents. What a store
/// of the fleet sees of an account and of a credential are tags, from which neither uid nor host nor user can
/// be read.
package struct FleetKeys: Sendable {
  package static let minimumBytes = 32
  private static let tagBytes = 16

  private let uid: UInt32
  let seal: Seal
  private let names: Secret
  /// What the names of the account's credentials begin with, in hexadecimal digits.
  package let account: String

  /// Nil for contents shorter than ``minimumBytes``, or without OpenSSL's SHA-256.
  package init?(_ contents: Secret, uid: UInt32) {
    guard contents.count >= Self.minimumBytes, let key = Self.derive(contents, "watchword fleet seal", uid),
      let seal = Seal(key), let names = Self.derive(contents, "watchword fleet names", uid),
      let account = Self.derive(contents, "watchword fleet account", uid)
    else { return nil }
    self.uid = uid
    self.seal = seal
    self.names = names
    self.account = Self.tag(account)
  }

  /// The name of a credential under ``account``: always the same for one space and user.
  package func name(ofSpace space: [UInt8], user: String?) -> String? {
    // The space's own octets come first, with their count: no user can make them those of another space.
    var message = withUnsafeBytes(of: UInt32(truncatingIfNeeded: space.count).bigEndian) { Array($0) } + space
    message.append(user == nil ? 0 : 1)
    message += Array((user ?? "").utf8)
    return Self.code(names, message).map(Self.tag)
  }

  /// What a value is bound to: one that is copied to another account or name does not open.
  func associated(_ name: String) -> [UInt8] {
    Array("watchword fleet record".utf8) + [0] + withUnsafeBytes(of: uid.bigEndian) { Array($0) }
      + Array(account.utf8) + [0] + Array(name.utf8)
  }

  private static func derive(_ contents: Secret, _ use: String, _ uid: UInt32) -> Secret? {
    code(contents, Array(use.utf8) + [0] + withUnsafeBytes(of: uid.bigEndian) { Array($0) })
  }

  private static func code(_ key: Secret, _ message: [UInt8]) -> Secret? {
    var isMade = false
    let code = Secret(count: Int(WATCHWORD_HMAC_BYTES)) { target in
      key.withBytes { key in
        message.withUnsafeBytes { message in
          let count = key.count
          guard let key = key.baseAddress, let output = target.bindMemory(to: UInt8.self).baseAddress else {
            return
          }
          isMade = watchword_hmac(key, count, message.baseAddress, message.count, output)
        }
      }
    }
    return isMade ? code : nil
  }

  private static func tag(_ code: Secret) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return code.withBytes { bytes in
      String(
        decoding: bytes.prefix(tagBytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
        as: UTF8.self)
    }
  }
}
