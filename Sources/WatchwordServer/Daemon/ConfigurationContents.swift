internal import Glibc
internal import Logging
internal import WatchwordJSON
internal import WatchwordOptions
internal import WatchwordProtocol

/// The contents of a configuration file, and where in them a member is.
struct ConfigurationContents {
  let path: String
  private(set) var bytes: [UInt8]

  private static let maximumBytes = 1024 * 1024

  /// Reads the file; the calls block. Nil when the account has none of its own.
  init?(_ place: ConfigurationPlace) throws(ConfigurationFault) {
    path = place.path
    // Opening a FIFO would wait for its writer, and a device may have no end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if place.isOwn, errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigurationFault("\(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationFault("\(path): is not a regular file")
    }
    // Who writes it chooses the programs that the daemon runs, and where it sends what they say.
    guard information.st_uid == geteuid() || information.st_uid == 0 else {
      throw ConfigurationFault("\(path): belongs to another user")
    }
    guard information.st_mode & 0o022 == 0 else {
      throw ConfigurationFault("\(path): others may write to it; chmod go-w makes it yours alone")
    }
    bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
    guard let count = bytes.withUnsafeMutableBytes({ SystemCall.read(descriptor, into: $0) }) else {
      throw ConfigurationFault("\(path): \(String(cString: strerror(errno)))")
    }
    guard count < bytes.count else { throw ConfigurationFault("\(path): larger than \(bytes.count) bytes") }
    bytes.removeSubrange(count...)
  }

  /// The JSON object that it is. Its strings have no null character: the parser refuses it.
  func object() throws(ConfigurationFault) -> JSONNode {
    let parsed: Result<JSONNode, ConfigurationFault> = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try JSONParser().parse(buffer) }
        .mapError { ConfigurationFault("\(path): \($0.text(inFile: buffer))") }
    }
    let object = try parsed.get()
    guard object.kind == .object else { throw ConfigurationFault("\(path): not a JSON object") }
    return object
  }

  /// An error in it, with line, column and the name that an unknown one was meant to be.
  func fault(_ error: RPCError) -> ConfigurationFault {
    guard let target = error.place else { return ConfigurationFault("\(path): \(error.message)") }
    let place = JSONPlace(of: target, in: bytes)
    let start = place.steps.last?.start ?? 0
    let (line, column) = bytes.withUnsafeBytes { JSONError.lineAndColumn(of: start + 1, in: $0) }
    return ConfigurationFault(
      "\(path): \(error.message), at line \(line), column \(column)\(hint(at: place, for: target))",
      member: target, offset: start)
  }

  /// For an unknown member the nearest known one, for one that is missing the nearest unknown one.
  private func hint(at place: JSONPlace, for target: String) -> String {
    if let step = place.steps.last, step.path == target {
      let known = ConfigurationMembers.objects[step.object]?.names ?? []
      guard !known.contains(step.name), let near = NearestName.of(step.name, among: known) else { return "" }
      return "; did you mean \(near)?"
    }
    let missing = target.split(separator: ".").last.map(String.init) ?? target
    let known = Set(ConfigurationMembers.objects.values.flatMap(\.names))
    let unknown = (place.names ?? []).filter { !known.contains($0) }
    return NearestName.of(missing, among: unknown).map {
      "; did you mean it by \(ParameterReader.shortened($0))?"
    } ?? ""
  }

  /// Overwrites with spaces what an error concerns, so that the next one can be found: the unknown member, or
  /// the innermost one on which nothing else depends. False when there is none.
  mutating func remove(concernedBy error: RPCError) -> Bool {
    let steps = error.place.map { JSONPlace(of: $0, in: bytes).steps } ?? []
    let isUnknown = { (step: JSONPlace.Step) in
      guard step.path == error.place, let object = ConfigurationMembers.objects[step.object] else {
        return false
      }
      return !object.names.isEmpty && !object.names.contains(step.name)
    }
    let concerned = steps.last { step in
      isUnknown(step) || ConfigurationMembers.objects[step.object]?.isOfIndependentMembers ?? false
    }
    guard let concerned else { return false }
    blank(concerned)
    return true
  }

  /// Overwrites a member and one of the commas around it; what follows stays where it is.
  private mutating func blank(_ member: JSONPlace.Step) {
    let isSpace = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let comma = UInt8(ascii: ",")
    var (start, end) = (member.start, member.end)
    if let next = bytes[end...].firstIndex(where: { !isSpace($0) }), bytes[next] == comma {
      end = next + 1
    } else if let last = bytes[..<start].lastIndex(where: { !isSpace($0) }), bytes[last] == comma {
      start = last
    }
    for index in start..<end where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
  }
}

/// A fault of the configuration file, for a person.
package struct ConfigurationFault: Error, Sendable {
  /// The file's name, the fault, and its line or member in the file; never the contents of the file.
  package let text: String
  /// The invalid member, as `transportSecurity.domains[0].domain`; nil when the file is no JSON object.
  package let member: String?

  /// Where in the file it is; 0 when it concerns the whole file.
  let offset: Int

  init(_ text: String, member: String? = nil, offset: Int = 0) {
    self.text = text
    self.member = member
    self.offset = offset
  }
}
