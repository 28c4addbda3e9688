internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// Reads a secret from a descriptor: the output of an askpass program, or the descriptor of `--password-fd`.
enum SecretReader {
  /// The protocol's limit of a password; later bytes are not read.
  private static let longest = 64 << 10

  private static let newline = UInt8(ascii: "\n")

  /// The protocol's limit of a PKCS#12 file.
  private static let longestFile = 384 << 10

  /// Reads a whole file that contains a key.
  static func all(from descriptor: consuming Descriptor, named name: String) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longestFile + 1) { bytes throws(Failure) in
      guard bytes.count <= longestFile else { throw Failure("\(DisplayText.escaped(name)) is too large") }
      return Secret(bytes)
    }
  }

  /// The bytes up to the first newline or the end; it does not wait for bytes after the newline.
  static func line(
    from descriptor: consuming Descriptor, named name: String, takesOctets: Bool = false
  ) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest, untilNewline: true) { bytes throws(Failure) in
      try firstLine(bytes, of: name, takesOctets)
    }
  }

  /// The first line of a program's whole output: a program that cannot write the rest would fail.
  static func output(
    from descriptor: consuming Descriptor, named name: String, takesOctets: Bool = false
  ) throws(Failure) -> Secret {
    try read(descriptor.number, named: name, atMost: longest) { bytes throws(Failure) in
      try firstLine(bytes, of: name, takesOctets)
    }
  }

  /// - Throws: when it is not UTF-8, and has to be: repaired, it would be another one.
  private static func firstLine(
    _ bytes: ArraySlice<UInt8>, of name: String, _ takesOctets: Bool
  ) throws(Failure) -> Secret {
    let line = bytes.prefix { $0 != newline }
    guard takesOctets || UTF8Text.fault(in: line) == nil else {
      throw Failure("\(DisplayText.escaped(name)) is not UTF-8")
    }
    return Secret(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }

  /// Passes on the bytes up to the end, to a newline or to the limit, and wipes them.
  private static func read(
    _ descriptor: Int32, named name: String, atMost room: Int, untilNewline: Bool = false,
    _ take: (ArraySlice<UInt8>) throws(Failure) -> Secret
  ) throws(Failure) -> Secret {
    CoreDumps.forbid()
    var bytes = [UInt8](repeating: 0, count: room)
    defer {
      bytes.withUnsafeMutableBytes { if let start = $0.baseAddress { explicit_bzero(start, $0.count) } }
    }
    var count = 0
    while count < room {
      let received = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if received < 0, Readiness.mayTryAgain(descriptor, to: .read) { continue }
      guard received >= 0 else {
        throw Failure("\(DisplayText.escaped(name)) cannot be read: \(Output.lastError)")
      }
      if received == 0 { break }
      let isComplete = untilNewline && bytes[count..<count + received].contains(newline)
      count += received
      if isComplete { break }
    }
    return try take(bytes[..<count])
  }
}

/// The source of a secret in a command for people: a descriptor, an askpass program or the terminal. Never an
/// argument.
struct SecretSource {
  var askpass: String? = Environment.value(of: "WATCHWORD_ASKPASS")
  var passwordDescriptor: Int32?
  var tokenDescriptor: Int32?

  /// Whether a person or a program is asked for the secret, and so can be for the user.
  var mayAsk: Bool {
    passwordDescriptor == nil && tokenDescriptor == nil && (askpass != nil || Terminal() != nil)
  }

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
