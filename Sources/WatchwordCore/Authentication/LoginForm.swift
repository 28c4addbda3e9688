package import WatchwordVocabulary

/// The form of a login page, ready to be filled in.
///
/// A reference: offers and questions carry it about.
package final class LoginForm: Sendable, Equatable {
  /// One entry of what is posted, in the order of the page.
  package enum Field: Sendable, Equatable {
    /// As the page has it: a hidden field, the default of another one, the first button.
    case given(name: String, value: String)
    case user(name: String)
    case password(name: String)
  }

  /// Where it is posted, as the page says it; nil or empty: to the page itself.
  package let action: String?
  /// What `action` is relative to, as the page's `<base href>` says it; nil: the page's URL.
  package let base: String?
  package let entries: [Field]

  package init(action: String?, base: String? = nil, entries: [Field]) {
    self.action = action
    self.base = base
    self.entries = entries
  }

  /// The content that is posted: `application/x-www-form-urlencoded` in UTF-8.
  package func content(user: String, password: Secret) -> Secret {
    var parts: [Secret] = []
    for entry in entries {
      let separator = parts.isEmpty ? "" : "&"
      switch entry {
      case .given(let name, let value):
        parts.append(Secret("\(separator)\(FormEncoding.text(name))=\(FormEncoding.text(value))".utf8))
      case .user(let name):
        parts.append(Secret("\(separator)\(FormEncoding.text(name))=\(FormEncoding.text(user))".utf8))
      case .password(let name):
        parts.append(Secret("\(separator)\(FormEncoding.text(name))=".utf8))
        parts.append(FormEncoding.secret(password))
      }
    }
    return Secret(joining: parts)
  }

  package static func == (left: LoginForm, right: LoginForm) -> Bool {
    left === right
      || (left.action == right.action && left.base == right.base && left.entries == right.entries)
  }
}

extension LoginFormFault: Error {}

/// `application/x-www-form-urlencoded`.
enum FormEncoding {
  static func text(_ text: String) -> String {
    String(unsafeUninitializedCapacity: text.utf8.count * 3) { target in
      write(text.utf8, to: UnsafeMutableRawBufferPointer(target))
    }
  }

  static func secret(_ secret: Secret) -> Secret {
    let count = secret.withBytes { bytes in bytes.reduce(0) { $0 + (isPlain($1) || $1 == 0x20 ? 1 : 3) } }
    return Secret(count: count) { target in secret.withBytes { _ = write($0, to: target) } }
  }

  private static func write(_ bytes: some Sequence<UInt8>, to target: UnsafeMutableRawBufferPointer) -> Int {
    let digits = Array("0123456789ABCDEF".utf8)
    var count = 0
    func put(_ byte: UInt8) {
      target[count] = byte
      count += 1
    }
    for byte in bytes {
      if byte == 0x20 {
        put(UInt8(ascii: "+"))
      } else if isPlain(byte) {
        put(byte)
      } else {
        put(UInt8(ascii: "%"))
        put(digits[Int(byte >> 4)])
        put(digits[Int(byte & 15)])
      }
    }
    return count
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
