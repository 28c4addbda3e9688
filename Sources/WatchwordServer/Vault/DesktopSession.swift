internal import Glibc
internal import WatchwordCore
internal import WatchwordVault
internal import WatchwordVocabulary

/// The Secret Service of the desktop session that the daemon runs in, asked through
/// `watchword-secret-service`.
///
/// libsecret is in that program: it waits for a service that may hang, and has threads of its own.
struct DesktopSession: SecretService {
  /// A service answers within some milliseconds; one that prompts or hangs is left.
  private static let seconds = 5.0

  private let program: String

  private init(_ program: String) { self.program = program }

  /// - Parameter program: an absolute path; nil: it is not installed.
  static func access(_ program: String?) -> Vault.GivenKeys.SecretServiceAccess {
    guard let program, Glibc.access(program, X_OK) == 0 else {
      return .none("watchword-secret-service is not installed")
    }
    guard hasBus() else { return .none("there is no session bus") }
    return .now(DesktopSession(program))
  }

  /// As GLib looks for it, except that none is started.
  private static func hasBus() -> Bool {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS") {
      return String(cString: address).hasPrefix("unix:")
    }
    // A relative one does not count (XDG Base Directory Specification).
    guard let variable = getenv("XDG_RUNTIME_DIR") else { return false }
    let directory = String(cString: variable)
    guard directory.hasPrefix("/") else { return false }
    var information = stat()
    return stat("\(directory)/bus", &information) == 0 && information.st_uid == getuid()
      && information.st_mode & S_IFMT == S_IFSOCK
  }

  func key(_ identifier: String) throws(VaultFault) -> Secret? {
    let answer = try ask(["lookup", identifier], Secret(EmptyCollection()))
    let (letter, key) = answer.withBytes { bytes -> (UInt8?, Secret?) in
      (bytes.first, DesktopSession.key(of: bytes.dropFirst()))
    }
    switch letter {
    case UInt8(ascii: "k"):
      guard let key else { throw .keyring("the Secret Service gives what is no key", isLocked: false) }
      return key
    case UInt8(ascii: "m"): return nil
    default: throw DesktopSession.fault(letter)
    }
  }

  func keep(_ key: Secret, as identifier: String, for path: String) throws(VaultFault) {
    let digits = key.withBytes { bytes in
      Secret(count: 2 * bytes.count) { Hexadecimal.encode(bytes, into: $0) }
    }
    let answer = try ask(["store", identifier, "Watchword: \(path)"], digits)
    let letter = answer.withBytes { $0.first }
    guard letter == UInt8(ascii: "s") else { throw DesktopSession.fault(letter) }
  }

  func remove(_ identifier: String) {
    _ = try? ask(["remove", identifier], Secret(EmptyCollection()))
  }

  private func ask(_ arguments: [String], _ question: Secret) throws(VaultFault) -> Secret {
    do throws(SourceFault) {
      return try HelperProcess.run([program] + arguments, question, within: DesktopSession.seconds)
    } catch {
      switch error {
      case .timedOut: throw .keyring("the Secret Service does not answer", isLocked: false)
      default: throw .keyring("\(program) does not run", isLocked: false)
      }
    }
  }

  private static func key(of digits: Slice<UnsafeRawBufferPointer>) -> Secret? {
    guard digits.count == 2 * Seal.keyBytes else { return nil }
    var isWhole = true
    let key = Secret(count: Seal.keyBytes) { target in
      var index = digits.startIndex
      for octet in target.indices {
        guard let high = Hexadecimal.value(ofDigit: digits[index]),
          let low = Hexadecimal.value(ofDigit: digits[index + 1])
        else {
          isWhole = false
          return
        }
        target[octet] = high << 4 | low
        index += 2
      }
    }
    return isWhole ? key : nil
  }

  /// What the letters of `watchword-secret-service` mean.
  private static func fault(_ letter: UInt8?) -> VaultFault {
    switch letter {
    case UInt8(ascii: "l"):
      .keyring(
        "the keyring of the desktop session is locked: unlock it, and the vault opens with the next request",
        isLocked: true)
    case UInt8(ascii: "a"):
      .keyring("no Secret Service answers on the session bus: is the desktop session open?", isLocked: false)
    case UInt8(ascii: "m"): .keyring("the Secret Service has no such item", isLocked: false)
    // Without libsecret the program ends before it answers.
    case nil: .keyring("watchword-secret-service has ended: is libsecret installed?", isLocked: false)
    default: .keyring("the Secret Service fails", isLocked: false)
    }
  }
}
