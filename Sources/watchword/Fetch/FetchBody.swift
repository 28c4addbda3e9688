internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// The body of the request, built from curl's data options.
struct FetchBody {
  /// A larger body is sent as a memory file: the text of a message is bounded.
  private static let largestInline = 64 << 10

  private enum Part {
    case bytes([UInt8])
    case file(String)
  }

  private var parts: [Part] = []
  private(set) var contentType: String?
  private(set) var isUpload = false
  private var isJSON = false
  private var form = MultipartForm()

  init() {}

  /// curl's `-T`: `-` and `.` are standard input.
  init(uploading path: String) {
    isUpload = true
    parts = [.file(path == "." ? "-" : path)]
  }

  var isEmpty: Bool { parts.isEmpty && form.isEmpty }

  /// What a caller's own Content-Type for a form lacks.
  var boundary: String? { form.isEmpty ? nil : form.boundary }

  /// Whether it is read from standard input when it is sent.
  var readsStandardInput: Bool {
    form.readsStandardInput
      || parts.contains { part in
        if case .file("-") = part { true } else { false }
      }
  }

  mutating func addPart(_ argument: String) throws(Failure) {
    try form.add(argument)
    try checkForm()
  }

  mutating func addTextPart(_ argument: String) throws(Failure) {
    try form.addText(argument)
    try checkForm()
  }

  private mutating func checkForm() throws(Failure) {
    guard parts.isEmpty else { throw .usage("-F excludes every other body") }
    contentType = form.contentType
  }

  /// Line ends and null bytes of a file are dropped, as curl does for forms.
  mutating func addForm(_ data: String) throws(Failure) {
    guard let path = path(in: data) else { return try addRaw(data) }
    let bytes = try InputFile.contents(of: path)
    try append(.bytes(bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }))
  }

  mutating func addRaw(_ data: String) throws(Failure) { try append(.bytes(OctetText.octets(of: data))) }

  mutating func addBinary(_ data: String) throws(Failure) {
    try append(path(in: data).map { .file($0) } ?? .bytes(OctetText.octets(of: data)))
  }

  /// curl's `CONTENT`, `=CONTENT`, `NAME=CONTENT`, `@FILE` and `NAME@FILE`; the name goes as it is.
  mutating func addEncoded(_ data: String) throws(Failure) { try addRaw(try Self.encoded(data)) }

  /// The same as text, for the query of a URL.
  static func encoded(_ data: String) throws(Failure) -> String {
    let bytes = data.utf8
    let split = bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.firstIndex(of: UInt8(ascii: "@"))
    let name = split.map { data[..<$0] } ?? ""
    let rest = split.map { String(data[bytes.index(after: $0)...]) } ?? data
    let isFile = split.map { bytes[$0] == UInt8(ascii: "@") } ?? false
    let content = isFile ? try InputFile.contents(of: rest) : OctetText.octets(of: rest)
    return (name.isEmpty ? "" : "\(name)=") + URLText.formEncoded(content)
  }

  mutating func addJSON(_ data: String) throws(Failure) {
    isJSON = true
    try addBinary(data)
    contentType = "application/json"
  }

  /// The name of the file to upload; nil for standard input.
  var uploadName: String? {
    guard isUpload, case .file(let path)? = parts.first, path != "-" else { return nil }
    return path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
  }

  /// The text after a leading `@`. By bytes: to Swift, `@` and a combining mark are one character.
  private func path(in data: String) -> String? {
    data.utf8.first == UInt8(ascii: "@") ? String(Substring(data.utf8.dropFirst())) : nil
  }

  private mutating func append(_ part: Part) throws(Failure) {
    guard form.isEmpty else { throw .usage("-F excludes every other body") }
    if contentType == nil { contentType = "application/x-www-form-urlencoded" }
    parts.append(part)
  }

  /// All parts in memory, for the query of a URL.
  func text() throws(Failure) -> String {
    guard form.isEmpty else { throw .usage("-G goes with -d, not with -F") }
    let octets = try joined()
    if let text = String(validating: octets, as: UTF8.self) { return text }
    // A query has any octet, if only as %E9.
    return octets.reduce(into: "") { text, octet in
      if octet < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(octet))
      } else {
        text += URLText.encoded([octet])
      }
    }
  }

  /// The body of the request.
  func content() throws(Failure) -> Content {
    if !form.isEmpty { return Content(try form.spooled()) }
    if parts.count == 1, case .file(let path) = parts[0] {
      let file = try InputFile.open(path)
      if canTravel(file) { return Content(file) }
    }
    let bytes = try joined()
    guard bytes.count > Self.largestInline else { return Content(bytes) }
    let memory = clinux_memfd_create("body")
    guard memory >= 0, bytes.withUnsafeBytes({ Output.write($0, to: memory) }),
      lseek(memory, 0, SEEK_SET) == 0
    else { throw Failure("cannot allocate memory for the body: \(Output.lastError)") }
    return Content(Descriptor(owning: memory))
  }

  /// A body in one of two forms, or none.
  struct Content: ~Copyable {
    var bytes: [UInt8]?
    var file: Descriptor?

    init() {}

    /// The descriptor sent with the request; nil when the request contains the body.
    var number: Int32? {
      switch file {
      case .some(let file): file.number
      case .none: nil
      }
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ file: consuming Descriptor) { self.file = consume file }
  }

  private func joined() throws(Failure) -> [UInt8] {
    var result: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if index > 0 && !isJSON { result.append(UInt8(ascii: "&")) }
      switch part {
      case .bytes(let bytes): result += bytes
      case .file(let path): result += try InputFile.contents(of: path)
      }
    }
    return result
  }

  /// The daemon takes files, pipes and sockets, but no devices: a terminal is read here. So is a pipe with
  /// form data, which could not be sent again after a password was asked for; an upload may be of any length.
  private func canTravel(_ file: borrowing Descriptor) -> Bool {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    return kind == S_IFREG || isUpload && [S_IFIFO, S_IFSOCK].contains(kind)
  }
}
