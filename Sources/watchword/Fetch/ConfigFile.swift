internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// curl's file of options, `-K`: an option a line, with or without its dashes, and its value after a space,
/// `=` or `:`.
enum ConfigFile {
  /// A longer file is no file of options.
  private static let largest = 256 << 10

  private struct Line: Equatable {
    let number: Int
    /// As written, with the dashes that it may have.
    let option: String
    let value: String?
  }

  /// Options that may hold a password or a token, by their names.
  private static let secretOptions: Set<String> = [
    "user", "-u", "--user", "proxy-user", "-U", "--proxy-user", "oauth2-bearer", "--oauth2-bearer",
  ]

  /// Does what the options in the file do.
  static func apply(_ path: String, to fetch: inout FetchCommand) throws(Failure) {
    let name = DisplayText.escaped(path)
    guard !fetch.isReadingOptions else { throw .usage("\(name): a file of options names no other one") }
    fetch.isReadingOptions = true
    let octets = try InputFile.contents(of: path, largest: largest)
    let parser = OptionParser(
      FetchCommand.options + FetchCommand.daemonOptions, hint: "see watchword help fetch")
    for line in try lines(OctetText.text(of: octets), name) {
      do throws(Failure) {
        try refuseSecret(line)
        let isToRun = try parser.parse(arguments(line)[...], into: &fetch, operandsAreOctets: true) {
          (_, _) throws(Failure) in throw Failure.usage("a URL is written url = \"URL\"")
        }
        guard isToRun else { throw Failure.usage("--help has no place in a file") }
      } catch {
        throw Failure(
          "\(name), line \(line.number): \(error.message ?? "")", hint: error.hint, exitCode: error.exitCode)
      }
    }
    fetch.isReadingOptions = false
  }

  /// A text that was read is not wiped, so no secret is read as one.
  private static func refuseSecret(_ line: Line) throws(Failure) {
    guard secretOptions.contains(line.option), let value = line.value, !value.isEmpty else { return }
    let isToken = line.option.utf8.contains(UInt8(ascii: "2"))
    let mayHold =
      isToken ? value.utf8.first != UInt8(ascii: "@") : value != ":" && value.utf8.contains(UInt8(ascii: ":"))
    guard mayHold else { return }
    throw .usage(
      "a \(isToken ? "token" : "password") is not read from a file of options",
      hint: isToken
        ? "oauth2-bearer = \"@FILE\" reads it from a file of its own"
        : "user = \"NAME\" with netrc-file = \"FILE\" or --password-fd reads it")
  }

  /// What a command line would have.
  private static func arguments(_ line: Line) -> [String] {
    let option = line.option.utf8.first == UInt8(ascii: "-") ? line.option : "--\(line.option)"
    guard let value = line.value else { return [option] }
    if option.utf8.starts(with: "--".utf8) { return ["\(option)=\(value)"] }
    return value.isEmpty ? [option, ""] : [option + value]
  }

  private static func lines(_ text: String, _ name: String) throws(Failure) -> [Line] {
    var lines: [Line] = []
    let all = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0A }
    for (index, bytes) in all.enumerated() {
      var rest = bytes.drop(while: isSpace)
      guard let first = rest.first, first != UInt8(ascii: "#") else { continue }
      let hasDash = first == UInt8(ascii: "-")
      let option = rest.prefix { !isSpace($0) && (hasDash || !isSeparator($0)) }
      rest = rest[option.endIndex...].drop { isSpace($0) || !hasDash && isSeparator($0) }
      let value: String?
      if rest.first == UInt8(ascii: "\"") {
        value = quoted(&rest)
      } else if rest.isEmpty || rest.first == UInt8(ascii: "#") {
        value = nil
        rest = rest.suffix(0)
      } else {
        let word = rest.prefix { !isSpace($0) }
        value = String(Substring(word))
        rest = rest[word.endIndex...]
      }
      rest = rest.drop(while: isSpace)
      guard rest.isEmpty || rest.first == UInt8(ascii: "#") else {
        throw .usage("\(name), line \(index + 1): a value with a space is written in quotes")
      }
      lines.append(Line(number: index + 1, option: String(Substring(option)), value: value))
    }
    return lines
  }

  /// As curl: `\t`, `\n`, `\r` and `\v`; a backslash before anything else stands for that. The quote at the
  /// end may lack.
  private static func quoted(_ rest: inout Substring.UTF8View) -> String {
    var value: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
        value.append(byte)
        continue
      }
      switch escaped {
      case UInt8(ascii: "t"): value.append(0x09)
      case UInt8(ascii: "n"): value.append(0x0A)
      case UInt8(ascii: "r"): value.append(0x0D)
      case UInt8(ascii: "v"): value.append(0x0B)
      default: value.append(escaped)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":")
  }
}
