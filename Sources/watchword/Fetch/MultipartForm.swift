internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordVocabulary

/// The body of `-F`: multipart/form-data (RFC 7578).
struct MultipartForm {
  private struct Part {
    enum Content {
      case text(String)
      case file(String)
    }

    let name: String
    let content: Content
    let fileName: String?
    let type: String?
  }

  private static let chunk = 256 << 10

  /// RFC 2046 §5.1.1: it must not be in a part; 128 bits of chance are not.
  let boundary =
    "watchword-" + String(UInt64.random(in: .min ... .max), radix: 36)
    + String(UInt64.random(in: .min ... .max), radix: 36)
  private var parts: [Part] = []

  var isEmpty: Bool { parts.isEmpty }
  /// Whether a part is read from standard input when the body is made.
  var readsStandardInput: Bool {
    parts.contains { part in
      if case .file("-") = part.content { true } else { false }
    }
  }
  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// curl's `NAME=TEXT`, `NAME=@FILE` and `NAME=<FILE`, with `;type=` and `;filename=`.
  mutating func add(_ argument: String) throws(Failure) {
    let (name, value) = try Self.pair(argument)
    guard let mark = value.utf8.first, mark == UInt8(ascii: "@") || mark == UInt8(ascii: "<") else {
      let (text, settings) = try Self.settings(value, areFiles: false)
      parts.append(
        Part(name: name, content: .text(text), fileName: settings["filename"], type: settings["type"]))
      return
    }
    let (path, settings) = try Self.settings(String(Substring(value.utf8.dropFirst())), areFiles: true)
    let isFile = mark == UInt8(ascii: "@")
    let lastName = path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    parts.append(
      Part(
        name: name, content: .file(path), fileName: settings["filename"] ?? (isFile ? lastName ?? path : nil),
        type: settings["type"] ?? (isFile && path != "-" ? Self.type(of: path) : nil)))
  }

  /// curl's `--form-string`: nothing in it has a meaning.
  mutating func addText(_ argument: String) throws(Failure) {
    let (name, value) = try Self.pair(argument)
    parts.append(Part(name: name, content: .text(value), fileName: nil, type: nil))
  }

  /// Writes the body to a file without a name, so that it can be sent again and needs no memory.
  func spooled() throws(Failure) -> Descriptor {
    var template = Array("\(Environment.value(of: "TMPDIR") ?? "/tmp")/watchword-form-XXXXXX\0".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw Failure("cannot create a temporary file: \(Output.lastError)") }
    unlink(template)
    let file = Descriptor(owning: number)
    for part in parts { try write(part, to: file.number) }
    try Self.write("--\(boundary)--\r\n", to: file.number)
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw Self.fault }
    return file
  }

  private func write(_ part: Part, to file: Int32) throws(Failure) {
    var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(part.name))\""
    if let fileName = part.fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
    if let type = part.type { head += "\r\nContent-Type: \(type)" }
    try Self.write(head + "\r\n\r\n", to: file)
    switch part.content {
    case .text(let text): try Self.write(text, to: file)
    case .file(let path): try Self.copy(path, to: file)
    }
    try Self.write("\r\n", to: file)
  }

  private static func copy(_ path: String, to file: Int32) throws(Failure) {
    let source = try InputFile.open(path)
    var buffer = [UInt8](repeating: 0, count: chunk)
    while true {
      let count = read(source.number, &buffer, buffer.count)
      if count < 0, Readiness.mayTryAgain(source.number, to: .read) { continue }
      guard count >= 0 else {
        throw Failure(
          "\(DisplayText.escaped(path)) cannot be read: \(Output.lastError)", exitCode: .inputFailed)
      }
      if count == 0 { return }
      guard buffer.withUnsafeBytes({ Output.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: file) })
      else { throw fault }
    }
  }

  private static func write(_ text: String, to file: Int32) throws(Failure) {
    guard OctetText.octets(of: text).withUnsafeBytes({ Output.write($0, to: file) }) else { throw fault }
  }

  private static var fault: Failure {
    Failure("the form cannot be written to a temporary file: \(Output.lastError)")
  }

  /// As browsers do: a quote or the end of a line in a name is percent-encoded.
  private static func escaped(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func pair(_ argument: String) throws(Failure) -> (name: String, value: String) {
    guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")), equals > argument.utf8.startIndex
    else {
      throw .usage("-F takes NAME=TEXT, NAME=@FILE or NAME=<FILE")
    }
    return (String(argument[..<equals]), String(argument[argument.utf8.index(after: equals)...]))
  }

  /// Splits off `;type=…` and `;filename=…`; a value or a path in quotes may hold a semicolon.
  private static func settings(
    _ text: String, areFiles: Bool
  ) throws(Failure) -> (value: String, settings: [String: String]) {
    var pieces = split(text)
    let value = unquoted(pieces.removeFirst())
    if areFiles, !text.utf8.starts(with: "\"".utf8), value.utf8.contains(UInt8(ascii: ",")) {
      throw .usage("-F takes one file", hint: "a path with a comma is put in quotes: NAME=@\"a,b\"")
    }
    var settings: [String: String] = [:]
    for piece in pieces {
      let trimmed = piece.drop { $0 == " " }
      guard let equals = trimmed.firstIndex(of: "="), ["type", "filename"].contains(trimmed[..<equals]) else {
        // A text may hold semicolons of its own.
        guard areFiles || settings.isEmpty else { throw .usage("-F knows ;type= and ;filename= only") }
        guard !areFiles else { throw .usage("-F knows ;type= and ;filename= only") }
        return (text, [:])
      }
      let setting = unquoted(trimmed[trimmed.index(after: equals)...])
      guard setting.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw .usage("-F: a control character in \(trimmed[..<equals])")
      }
      settings[String(trimmed[..<equals])] = setting
    }
    return (value, settings)
  }

  private static func split(_ text: String) -> [Substring] {
    var pieces: [Substring] = []
    var begin = text.startIndex
    var isQuoted = false
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped { isEscaped = false; continue }
      if character == "\\", isQuoted { isEscaped = true }
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted {
        pieces.append(text[begin..<index])
        begin = text.index(after: index)
      }
    }
    pieces.append(text[begin...])
    return pieces
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if !isEscaped, character == "\\" { isEscaped = true; continue }
      isEscaped = false
      result.append(character)
    }
    return result
  }

  /// By the end of its name, as curl guesses.
  private static func type(of path: String) -> String {
    let types = [
      "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
      "svg": "image/svg+xml",
      "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
      "xml": "application/xml",
    ]
    let end = path.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last
    return end.flatMap { types[String(Substring($0)).lowercased()] } ?? "application/octet-stream"
  }
}
