internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// Files that the caller names for reading; `-` is standard input.
enum InputFile {
  /// The most that is read into memory: form data, header lines, certificates. A larger body is sent by
  /// descriptor.
  private static let largest = 256 << 20

  static func contents(of path: String, largest: Int = largest) throws(Failure) -> [UInt8] {
    let descriptor = try open(path)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor.number, &chunk, chunk.count)
      if count < 0, Readiness.mayTryAgain(descriptor.number, to: .read) { continue }
      guard count >= 0 else { throw failure(path) }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
      guard bytes.count <= largest else {
        throw Failure(
          "\(DisplayText.escaped(path)) is too large",
          hint: "--data-binary @FILE sends a file of any size, -T - standard input")
      }
    }
  }

  /// Expands `~` in a path that a person types where no shell does.
  static func underHome(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = Environment.value(of: "HOME") else { return path }
    return home + path.dropFirst()
  }

  static func open(_ path: String) throws(Failure) -> Descriptor {
    if path == "-" {
      let number = dup(STDIN_FILENO)
      guard number >= 0 else { throw failure("standard input") }
      return Descriptor(owning: number)
    }
    guard let descriptor = Descriptor.opened(path, O_RDONLY) else { throw failure(path) }
    return descriptor
  }

  private static func failure(_ path: String) -> Failure {
    Failure("\(DisplayText.escaped(path)) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
  }
}
