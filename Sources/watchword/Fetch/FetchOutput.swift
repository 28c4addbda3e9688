internal import CLinux
internal import Glibc
internal import WatchwordVocabulary

/// Where the body goes, and how.
///
/// Direct: the daemon writes into the file or pipe itself. Gated: through a pipe of this program. That is
/// needed whenever the head of the response decides about the body (-f), precedes it (-i), says where it
/// continues (-C), or when the daemon does not take the target, such as a terminal. What was written to
/// standard output cannot be taken back, so that it is gated unless the page of a 401 is wanted, too.
enum FetchOutput {
  case discarded
  case standardOutput
  case gatedStandardOutput
  /// A new or empty file; a new one is removed again when no body arrives.
  case file(String)
  case gatedFile(String)

  init(_ fetch: FetchCommand, url: String) throws(Failure) {
    if fetch.isHead {
      self = .discarded
    } else if let path = try Self.path(fetch, url: url) {
      self =
        fetch.decidesAfterHead || fetch.includesHead || fetch.resumes || fetch.takesServersName
          || Self.holdsSomething(path)
        ? .gatedFile(path) : .file(path)
    } else if caller_is_null_device(STDOUT_FILENO) == 1, !fetch.includesHead {
      self = .discarded
    } else {
      self =
        fetch.decidesAfterHead || !fetch.deliversRefusals || fetch.includesHead || fetch.headPath == "-"
          || !Self.daemonTakes(STDOUT_FILENO)
        ? .gatedStandardOutput : .standardOutput
    }
  }

  /// Of the file.
  var path: String? {
    switch self {
    case .file(let path), .gatedFile(let path): path
    case .discarded, .standardOutput, .gatedStandardOutput: nil
    }
  }

  var isGated: Bool {
    switch self {
    case .gatedStandardOutput, .gatedFile: true
    case .discarded, .standardOutput, .file: false
    }
  }

  var isStandardOutput: Bool {
    switch self {
    case .standardOutput, .gatedStandardOutput: true
    case .discarded, .file, .gatedFile: false
    }
  }

  /// The path of the output file; nil for standard output.
  static func path(_ fetch: FetchCommand, url: String) throws(Failure) -> String? {
    switch fetch.output {
    case .path("-"):
      guard !fetch.resumes else { throw .usage("-C - needs a file", hint: "name it with -o FILE") }
      return nil
    case .path(let path): return try placed(path, fetch)
    case .remoteName:
      // With -J the server may have a name.
      guard let name = URLText.lastName(of: url) ?? (fetch.takesServersName ? "" : nil) else {
        throw .usage("the URL has no name for a file", hint: "name it with -o FILE")
      }
      return try placed(name, fetch)
    case nil:
      guard !fetch.resumes else { throw .usage("-C - needs a file", hint: "name it with -o FILE or -O") }
      return nil
    }
  }

  /// The path in `--output-dir`, whose folders `--create-dirs` makes.
  static func placed(_ path: String, _ fetch: FetchCommand) throws(Failure) -> String {
    let placed = fetch.outputFolder.map { "\($0)/\(path)" } ?? path
    guard fetch.createsFolders else { return placed }
    for end in placed.utf8.indices.dropFirst() where placed.utf8[end] == UInt8(ascii: "/") {
      let folder = String(placed[..<end])
      guard mkdir(OctetText.cString(folder), 0o777) == 0 || errno == EEXIST else {
        throw Failure(
          "\(DisplayText.escaped(folder)) cannot be made: \(Output.lastError)", exitCode: .outputFailed)
      }
    }
    return placed
  }

  /// A file whose contents must survive a fetch without a body, or not a regular file.
  private static func holdsSomething(_ path: String) -> Bool {
    var status = stat()
    guard stat(OctetText.cString(path), &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
  }

  private static func daemonTakes(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }
}

extension FetchCommand {
  /// Whether what becomes of the body is known with the head only.
  var decidesAfterHead: Bool { failsOnError || retry.count > 0 || timeCondition != nil }

  /// Whether the response says that there is nothing new: what a file has stays.
  func isUnchanged(_ response: HeadText) -> Bool {
    response.status == 304 || timeCondition?.isUnmet(by: response) == true && response.status < 300
  }

  /// Whether the server may name the file.
  var takesServersName: Bool {
    guard takesNameOfHeader, case .remoteName? = output else { return false }
    return true
  }

  /// Why --retry is for this response; nil when it is not.
  func reasonToRetry(_ response: HeadText) -> String? {
    retry.reason(response, failsOnError: failsOnError || failsWithBody)
  }

  /// Whether the body of this response is no result: what a server says instead of what was asked for.
  func withholdsBody(of response: HeadText) -> Bool {
    // A part of a good file is worth more than the text of an error, or a login page.
    if failsOnError || resumes { return response.status >= 400 || response.isRefusal }
    return response.isRefusal && !deliversRefusals
  }
}
