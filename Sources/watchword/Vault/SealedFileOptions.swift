internal import WatchwordOptions

/// What the commands that write and read a sealed file of credentials take alike: the file, its passphrase, `--json`.
struct SealedFileOptions {
  var source = PassphraseSource(place: "export")
  private(set) var path: String?
  private(set) var isJSON = false

  static func options<Verb: Command>(_ file: WritableKeyPath<Verb, SealedFileOptions>) -> [Option<Verb>] {
    [Option(nil, "json", "print the daemon's reply as JSON") { $0[keyPath: file].isJSON = true }]
      + SecretSource.passphraseOptions { $1(&$0[keyPath: file].source.source) }
  }

  mutating func take(operand: String) throws(Failure) {
    guard path == nil else { throw .usage("only one file is allowed") }
    path = operand
  }

  /// - Parameter meaning: of `-`.
  func requirePath(orDash meaning: String) throws(Failure) -> String {
    guard let path else { throw .usage("the file is missing", hint: "- is \(meaning)") }
    return path
  }
}
