internal import Glibc
internal import WatchwordClient
internal import WatchwordOptions
internal import WatchwordPrimitives
internal import WatchwordSecret

/// The source of a secret in a command for people: a descriptor, an askpass program or the terminal. Never an
/// argument.
struct SecretSource {
  var askpass: String? = SocketPath.environment("WATCHWORD_ASKPASS")
  var passwordDescriptor: Int32?
  var tokenDescriptor: Int32?

  static func options<Verb: Command>(
    _ source: @escaping (inout Verb, (inout SecretSource) -> Void) -> Void
  ) -> [Option<Verb>] {
    descriptorOptions(source) + [
      Option(
        nil, "askpass", "PROGRAM", "ask with this program instead of the terminal [WATCHWORD_ASKPASS]",
        completion: .file
      ) { (verb, program) in source(&verb) { $0.askpass = program } }
    ]
  }

  /// Without the program.
  static func descriptorOptions<Verb: Command>(
    _ source: @escaping (inout Verb, (inout SecretSource) -> Void) -> Void
  ) -> [Option<Verb>] {
    [
      Option(nil, "password-fd", "NUMBER", "read the password from this descriptor") {
        (verb, text) throws(Failure) in
        let number = try descriptor(text)
        source(&verb) { $0.passwordDescriptor = number }
      },
      Option(nil, "token-fd", "NUMBER", "read a token from this descriptor") { (verb, text) throws(Failure) in
        let number = try descriptor(text)
        source(&verb) { $0.tokenDescriptor = number }
      },
    ]
  }

  /// The same for a passphrase.
  static func passphraseOptions<Verb: Command>(
    _ source: @escaping (inout Verb, (inout SecretSource) -> Void) -> Void
  ) -> [Option<Verb>] {
    [
      Option(nil, "password-fd", "NUMBER", "read the passphrase from this descriptor") {
        (verb, text) throws(Failure) in
        let number = try descriptor(text)
        source(&verb) { $0.passwordDescriptor = number }
      },
      Option(
        nil, "askpass", "PROGRAM", "ask with this program instead of the terminal [WATCHWORD_ASKPASS]",
        completion: .file
      ) { (verb, program) in source(&verb) { $0.askpass = program } },
    ]
  }

  /// Whether an option names a descriptor.
  var isGiven: Bool { tokenDescriptor != nil || passwordDescriptor != nil }

  /// The secret of a descriptor option; nil when there was none.
  ///
  /// - Parameter takesOctets: whether a password may be other than UTF-8.
  func given(takesOctets: Bool = false) throws(Failure) -> (secret: Secret, isToken: Bool)? {
    guard let number = tokenDescriptor ?? passwordDescriptor else { return nil }
    // What this program has opened itself, such as its connection, is closed on exec.
    let isGiven = fcntl(number, F_GETFD) & FD_CLOEXEC == 0
    if !isGiven { errno = EBADF }
    let copy = isGiven ? dup(number) : -1
    guard copy >= 0 else { throw .usage("descriptor \(number) cannot be read: \(Output.lastError)") }
    let isToken = tokenDescriptor != nil
    let secret = try SecretReader.line(
      from: Descriptor(owning: copy), named: "descriptor \(number)", takesOctets: takesOctets && !isToken)
    return (secret, isToken)
  }

  private static func descriptor(_ text: String) throws(Failure) -> Int32 {
    guard let number = Int32(text), number >= 0 else {
      throw .usage("a descriptor is a number, not \(DisplayText.escaped(text))")
    }
    return number
  }
}
