internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// The destination of the body: opened, sent to the daemon, completed or abandoned.
final class BodyTarget {
  private let output: FetchOutput
  private let fetch: FetchCommand
  /// The file that the daemon writes to when it is neither standard output nor gated.
  private var file: Descriptor?
  private var pipeWriting: Descriptor?
  private var pipeReading: Descriptor?
  private var gate: BodyGate?
  private var isNewFile = false
  /// With a checksum, the file gets its name when the body is known to be right.
  private var unproved: NewFile?
  private let partial: PartialFile?
  /// Of the file; with -J it is known with the head.
  private(set) var path: String?
  private let mayRetry: Bool

  init(_ output: FetchOutput, _ fetch: FetchCommand, mayRetry: Bool) throws(Failure) {
    self.output = output
    self.fetch = fetch
    self.mayRetry = mayRetry
    path = output.path
    var partial: PartialFile?
    if fetch.digest != nil, let path = output.path, NewFile.mayReplace(path) {
      unproved = try NewFile(path, mode: 0o666)
    }
    switch output {
    case .file where unproved != nil: break
    case .file(let path):
      isNewFile = access(OctetText.cString(path), F_OK) != 0
      guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT) else { throw Self.cannotWrite(path) }
      self.file = consume file
    case .gatedFile(let path):
      if fetch.resumes { partial = PartialFile(path) }
      fallthrough
    case .gatedStandardOutput:
      guard let pipe = Pipe() else { throw Failure("cannot create a pipe: \(Output.lastError)") }
      pipe.move(to: &pipeReading, &pipeWriting)
    case .standardOutput, .discarded: break
    }
    self.partial = partial
  }

  var isGated: Bool { output.isGated }
  var isStandardOutput: Bool { output.isStandardOutput }

  /// Whether the body itself appears on the terminal, where it would mix with a progress line.
  var showsOnTerminal: Bool { output.isStandardOutput && isatty(STDOUT_FILENO) == 1 }

  /// The descriptor sent with the request; nil when the body is not wanted.
  var numberToSend: Int32? {
    switch output {
    case .discarded: nil
    case .standardOutput: STDOUT_FILENO
    case .file: unproved?.descriptor ?? file?.number
    case .gatedFile, .gatedStandardOutput: pipeWriting?.number
    }
  }

  /// The daemon has its own copy now: this one would keep the pipe from ending.
  func didSend() { pipeWriting = nil }

  /// The fields that ask the server for the bytes after the end of the file.
  var fieldsToResume: [(name: String, value: String)] { partial?.fields ?? [] }

  // MARK: The gate

  /// Bytes that passed the gate.
  var passed: Int { gate?.passed ?? 0 }

  /// Whether the file was already complete, so that the server sent nothing more.
  private(set) var isComplete = false

  /// The descriptor to wait for; -1 while the gate is closed and after the end.
  var readableNumber: Int32 { gate?.reading.number ?? -1 }

  /// Takes the head: decides about the body and lets it through.
  func open(for response: HeadText, after earlier: [HeadText]) throws(Failure) {
    guard isGated, let reading = pipeReading.take() else { return }
    let isRefused =
      fetch.withholdsBody(of: response) || mayRetry && fetch.reasonToRetry(response) != nil
    if case .complete = try partial?.continuation(response) { isComplete = true }
    var number: Int32 = -1
    if isRefused {
      unproved = nil
    } else if fetch.isUnchanged(response), !fetch.includesHead || output.isStandardOutput {
      number = -1
    } else {
      switch output {
      case .gatedFile(let path): number = try openFile(path, response)
      case .gatedStandardOutput: number = STDOUT_FILENO
      case .discarded, .standardOutput, .file: break
      }
    }
    if fetch.includesHead, !mayRetry || fetch.reasonToRetry(response) == nil {
      try writeHeads(of: earlier + [response], to: number)
    }
    let mustBeText = number == STDOUT_FILENO && fetch.output == nil && isatty(number) == 1
    gate = BodyGate(reading, target: number, mustBeText: mustBeText)
  }

  /// The heads precede the body, in a file too, except in one that is resumed or may have to be.
  private func writeHeads(of responses: [HeadText], to number: Int32) throws(Failure) {
    var head = responses.map(\.text).joined()
    guard number >= 0, number != STDOUT_FILENO, !fetch.resumes else { return StandardOutput.write(head) }
    guard head.withUTF8({ Output.write(UnsafeRawBufferPointer($0), to: number) }) else {
      throw Failure("the head cannot be written: \(Output.lastError)", exitCode: .outputFailed)
    }
  }

  func pass() throws(Failure) {
    guard let passage = gate?.pass() else { return }
    switch passage {
    case .more: break
    case .ended: gate = nil
    case .failed(let reason): throw Failure("the body cannot be written: \(reason)", exitCode: .outputFailed)
    case .unread: throw Failure(nil)
    case .binary:
      throw Failure(
        "the body is not text and would garble the terminal", hint: "-o FILE saves it, -o - shows it anyway",
        exitCode: .outputFailed)
    }
  }

  /// After the failure of the task: what came before it is in the pipe, and belongs to the output.
  func takeRest() {
    while gate != nil {
      do throws(Failure) { try pass() } catch { return }
    }
  }

  /// The file that a fetch without a result leaves with a part of the body, for a person.
  var pathOfBeginning: String? {
    guard unproved == nil, let path, let number = file?.number else { return nil }
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
      return nil
    }
    return DisplayText.escaped(path)
  }

  private func openFile(_ path: String, _ response: HeadText) throws(Failure) -> Int32 {
    if let unproved { return unproved.descriptor }
    if fetch.takesServersName, let name = RemoteFileName.of(response) {
      return try openNew(try FetchOutput.placed(name, fetch))
    }
    var start = 0
    if case .from(let offset) = try partial?.continuation(response) { start = offset }
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | (start == 0 ? O_TRUNC : 0)),
      start == 0 || lseek(file.number, off_t(start), SEEK_SET) >= 0
    else { throw Self.cannotWrite(path) }
    let number = file.number
    self.file = consume file
    if fetch.resumes { PartialFile.note(response, on: number) }
    return number
  }

  /// A file that a server has named replaces no other one.
  private func openNew(_ path: String) throws(Failure) -> Int32 {
    self.path = path
    guard let file = Descriptor.opened(path, O_WRONLY | O_CREAT | O_EXCL) else {
      throw Self.cannotWrite(path).hinting("-o FILE names the file; the name was the server's")
    }
    let number = file.number
    self.file = consume file
    return number
  }

  // MARK: The end

  /// The result is there, and its body is right.
  ///
  /// - Parameter modified: the time that the file gets, in seconds since 1970; nil: it keeps its own.
  func complete(modified: Int?) throws(Failure) {
    if let modified, let number = unproved?.descriptor ?? file?.number {
      // A file that may not be changed so keeps its own, as with curl.
      let time = timespec(tv_sec: modified, tv_nsec: 0)
      futimens(number, [time, time])
    }
    try unproved?.commit()
    unproved = nil
  }

  /// The body is none that was asked for: a file is again as it was, which was empty or not there.
  func withhold() {
    if unproved == nil, case .file = output, let number = file?.number { ftruncate(number, 0) }
    abandon()
  }

  /// Without a result: removes a file that this fetch created and that is still empty.
  func abandon() {
    unproved = nil
    guard case .file(let path) = output, isNewFile, let number = file?.number else { return }
    var status = stat()
    if fstat(number, &status) == 0, status.st_size == 0 { unlink(OctetText.cString(path)) }
  }

  /// Ends the program by SIGPIPE, as filters do, if a direct write failed because the reader has closed our
  /// output.
  func endIfUnread(after error: ClientError) {
    guard case .refused(let remote) = error, remote.kind == .outputFailed, output.isStandardOutput else {
      return
    }
    var watched = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    if poll(&watched, 1, 0) == 1, watched.revents & Int16(POLLERR) != 0 { raise(SIGPIPE) }
  }

  private static func cannotWrite(_ path: String) -> Failure {
    Failure("\(DisplayText.escaped(path)) cannot be written: \(Output.lastError)", exitCode: .outputFailed)
  }
}

/// The pipe of a gated body: closed until the head is known, then passed through or drained.
struct BodyGate: ~Copyable {
  /// The largest pipe that an ordinary user may request: a long body needs fewer turns.
  private static let pipeBytes: Int32 = 1 << 20
  private static let chunk = 256 << 10

  enum Passage {
    case more
    case ended
    case failed(String)
    /// The reader of the output has closed it.
    case unread
    /// The bytes would garble a terminal.
    case binary
  }

  let reading: Descriptor
  private let target: Int32
  private let mustBeText: Bool
  private(set) var passed = 0
  private var canSplice = true
  private var buffer: [UInt8] = []

  /// `target` of -1 drains.
  init(_ reading: consuming Descriptor, target: Int32, mustBeText: Bool) {
    caller_enlarge_pipe(reading.number, Self.pipeBytes)
    self.reading = reading
    self.target = target
    self.mustBeText = mustBeText
  }

  /// Passes on the available bytes; the pipe must be readable.
  mutating func pass() -> Passage {
    if target >= 0, canSplice, !mustBeText {
      let moved = caller_splice(reading.number, target, Int(Self.pipeBytes))
      if moved >= 0 {
        passed += moved
        return moved == 0 ? .ended : .more
      }
      // The pipe has bytes, so the target has no room.
      if Readiness.mayTryAgain(target, to: .write) { return .more }
      // Neither pipe nor file, or a file opened for appending: copied instead.
      guard errno == EINVAL else { return failure() }
      canSplice = false
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.chunk) }
    let count = read(reading.number, &buffer, buffer.count)
    if count < 0 { return errno == EINTR ? .more : .failed(Output.lastError) }
    guard count > 0 else { return .ended }
    if mustBeText, passed == 0, buffer.prefix(count).contains(0) { return .binary }
    passed += count
    guard target >= 0 else { return .more }
    return buffer.withUnsafeBytes { Output.write(UnsafeRawBufferPointer(rebasing: $0[..<count]), to: target) }
      ? .more : failure()
  }

  private func failure() -> Passage { errno == EPIPE ? .unread : .failed(Output.lastError) }
}

/// The name that a server gives a file, in `Content-Disposition` (RFC 6266), for `-J`.
///
/// The server may choose no folder, and no name that a shell or a program reads without being told, such as
/// `.profile`.
enum RemoteFileName {
  /// Longer ones have no place in a file system.
  private static let longest = 255

  /// Nil without a name that can be used.
  static func of(_ response: HeadText) -> String? {
    guard let field = response.last("content-disposition") else { return nil }
    var rest = field.utf8[...]
    while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == 0x20 || $0 == 0x09 }
      guard ASCIICase.matches(rest.prefix(9), "filename=".utf8) else { continue }
      return usable(value(rest.dropFirst(9)))
    }
    return nil
  }

  private static func value(_ rest: Substring.UTF8View) -> [UInt8] {
    guard rest.first == UInt8(ascii: "\"") else {
      return Array(rest.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 })
    }
    var value: [UInt8] = []
    var rest = rest.dropFirst()
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(byte)
      }
    }
    return value
  }

  private static func usable(_ name: [UInt8]) -> String? {
    let separators = "/\\".utf8
    let parts = name.split(omittingEmptySubsequences: false) { separators.contains($0) }
    guard let last = parts.last, let first = last.first, first != UInt8(ascii: "."), last.count <= longest,
      last.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return String(validating: last, as: UTF8.self)
  }
}
