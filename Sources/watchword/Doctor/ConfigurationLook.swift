internal import Glibc
internal import WatchwordClient
internal import WatchwordDiagnosis
internal import WatchwordJSON
internal import WatchwordPrimitives

/// Looks at the daemon's configuration file for `watchword doctor`.
enum ConfigurationLook {
  /// A configuration file is not larger.
  private static let largestFile = 4 << 20
  /// What a kernel says about a process.
  private static let largestArguments = 64 << 10

  /// Of the file that the daemon was started with, else of this account's; nil where there is nothing to say.
  static func facts(ofProcess pid: Int?) -> HostFacts.Configuration? {
    let given = pid.flatMap(path(ofProcess:))
    // One that only the daemon may read is no mistake.
    if let given, access(given, R_OK) != 0 { return nil }
    if let fault = ConfigurationChecker.faults(in: given)?.first {
      // As the program says it: the file, and what is wrong in it.
      let mark = fault.indices.first { fault[$0...].hasPrefix(": ") } ?? fault.startIndex
      return HostFacts.Configuration(path: String(fault[..<mark]), fault: String(fault[mark...].dropFirst(2)))
    }
    guard let given, let text = try? InputFile.contents(of: given, largest: largestFile) else { return nil }
    let parsed: Result<JSONValue, JSONError> = text.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try JSONParser().parse(bytes) }
    }
    switch parsed {
    case .success(let value): return HostFacts.Configuration(path: given, rules: rules(of: value))
    case .failure(let error): return HostFacts.Configuration(path: given, fault: error.text)
    }
  }

  /// That which the process was started with; nil without one, or where the kernel does not say.
  private static func path(ofProcess pid: Int) -> String? {
    guard
      let octets = try? InputFile.contents(of: "/proc/\(pid)/cmdline", largest: largestArguments)
    else { return nil }
    let words = octets.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard words.first?.hasSuffix("watchwordd") == true else { return nil }
    let option = "--configuration"
    let given = words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    let next = words.firstIndex(of: option).map { words.index(after: $0) }
    return given ?? next.flatMap { words.indices.contains($0) ? words[$0] : nil }
  }

  /// What it turns off or demands, of what surprises people.
  private static func rules(of value: JSONValue) -> [String] {
    guard case .object(let file) = value else { return [] }
    var rules: [String] = []
    if case .object(let vault)? = file["vault"], vault["secretService"] == .bool(false) {
      rules.append("the keyring of the desktop does not open the vault")
    }
    if case .object(let agent)? = file["agent"], agent["idleLockSeconds"] != nil {
      rules.append("the agent locks when it is not used")
    }
    guard case .object(let security)? = file["transportSecurity"] else { return rules }
    if case .object(let defaults)? = security["defaults"] { rules += demands(defaults) }
    if case .array(let domains)? = security["domains"], !domains.isEmpty {
      rules.append("\(Quantity.count(domains.count, "host")) with rules of their own for TLS and cleartext")
    }
    return rules
  }

  private static func demands(_ rule: JSONObject) -> [String] {
    var rules: [String] = []
    if rule["allowsCleartext"] == .bool(false) { rules.append("http is refused, https is needed") }
    if rule["allowsLooseningTrust"] == .bool(false) { rules.append("-k and --cacert do not count") }
    if case .string(let version)? = rule["minimumTLSVersion"] {
      rules.append("TLS \(version) or newer is needed")
    }
    if rule["requiresForwardSecrecy"] == .bool(true) { rules.append("forward secrecy is needed") }
    if rule["requiresRevocationCheck"] == .bool(true) { rules.append("revocation must be checked") }
    if rule["pinnedPublicKeys"] != nil { rules.append("every server needs one of the pinned keys") }
    return rules
  }
}
