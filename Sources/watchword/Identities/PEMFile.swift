internal import WatchwordPrimitives
internal import WatchwordSecret

/// A file of certificates or revocation lists that a session is given.
enum PEMFile {
  /// Its PEM blocks. Without a block the daemon says what is wrong.
  static func text(of path: String) throws(Failure) -> String {
    let file = Secret(try InputFile.contents(of: path))
    guard let text = PEMBlocks.text(in: file, { _ in true }) else {
      throw Failure("\(DisplayText.escaped(path)): a PEM block is not ASCII")
    }
    return text
  }
}
