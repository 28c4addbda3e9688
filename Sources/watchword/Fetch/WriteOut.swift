internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordVocabulary

/// curl's `--write-out`: `%{variable}`, `%header{NAME}`, `%output{FILE}`, `%%`, `\n`, `\r` and `\t`.
struct WriteOut {
  let request: FetchRequest
  /// Nil when the fetch has failed.
  let result: Sent.FetchResult?
  /// Why the fetch ends with another exit code than 0.
  let failure: Failure?
  /// Of the URL on the command line, from 0.
  let urlNumber: Int
  /// The file of the body.
  let path: String?
  private(set) var unknown: [String] = []

  /// Where a part of the text goes.
  enum Place: Equatable {
    case output
    case errors
    /// A new file, or with `>>` the end of one; the name is ``OctetText``.
    case file(String, appends: Bool)
  }

  private var texts: [(place: Place, octets: [UInt8])] = []

  init(
    _ request: FetchRequest, _ result: Sent.FetchResult?, failure: Failure? = nil, urlNumber: Int = 0,
    path: String? = nil
  ) {
    self.request = request
    self.result = result
    self.failure = failure
    self.urlNumber = urlNumber
    self.path = path
  }

  /// The format in the option's argument: the argument itself, or the contents of `@FILE` without the ends of
  /// its lines, as with curl. Its octets are printed as they are.
  static func format(_ argument: String) throws(Failure) -> [UInt8] {
    guard argument.utf8.first == UInt8(ascii: "@") else { return OctetText.octets(of: argument) }
    let contents = try InputFile.contents(of: String(Substring(argument.utf8.dropFirst())))
    return contents.filter { $0 != 0x0A && $0 != 0x0D }
  }

  /// Whether the format has variables whose values are in the metrics.
  static func readsMetrics(_ format: [UInt8]) -> Bool {
    let text = String(decoding: format, as: UTF8.self)
    return ["%{time_", "%{speed_", "%{remote_", "%{http_version}", "%{num_connects}", "%{json}"].contains {
      text.containsBytes(of: $0)
    }
  }

  /// Whether the format has variables whose values are in the details of an exchange.
  static func readsDetails(_ format: [UInt8]) -> Bool {
    String(decoding: format, as: UTF8.self).containsBytes(of: "%{remote_")
  }

  /// What the format prints, in order; adds undefined variables to `unknown`.
  mutating func texts(_ format: [UInt8]) -> [(place: Place, octets: [UInt8])] {
    texts = [(.output, [])]
    var rest = format[...]
    while let octet = rest.popFirst() {
      switch (octet, rest.first) {
      case (UInt8(ascii: "%"), .some(UInt8(ascii: "%"))):
        rest.removeFirst()
        write([octet])
      case (UInt8(ascii: "%"), .some):
        guard let (variable, end) = Self.variable(rest) else {
          write([octet])
          continue
        }
        rest = rest[end...]
        if variable == .named("onerror") {
          guard failure != nil else { return texts }
        } else {
          write(value(of: variable))
        }
      case (UInt8(ascii: "\\"), .some(let escaped)):
        rest.removeFirst()
        write(Self.unescaped(escaped) ?? [octet, escaped])
      default: write([octet])
      }
    }
    return texts
  }

  private mutating func write(_ octets: some Sequence<UInt8>) {
    texts[texts.count - 1].octets += octets
  }

  private mutating func go(to place: Place) { texts.append((place, [])) }

  private static func unescaped(_ letter: UInt8) -> [UInt8]? {
    switch letter {
    case UInt8(ascii: "n"): [0x0A]
    case UInt8(ascii: "r"): [0x0D]
    case UInt8(ascii: "t"): [0x09]
    default: nil
    }
  }

  private enum Variable: Equatable {
    case named(String)
    case header(String)
    case output(String)
  }

  /// The variable that follows a percent sign, and where the text goes on; nil when there is none.
  private static func variable(_ rest: ArraySlice<UInt8>) -> (Variable, end: Int)? {
    guard let kind = ["{", "header{", "output{"].first(where: { rest.starts(with: $0.utf8) }) else {
      return nil
    }
    let inside = rest.dropFirst(kind.utf8.count)
    guard let end = inside.firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let octets = Array(inside[..<end])
    switch kind {
    case "output{": return (.output(OctetText.text(of: octets)), end + 1)
    case "header{": return (.header(String(decoding: octets, as: UTF8.self)), end + 1)
    default: return (.named(String(decoding: octets, as: UTF8.self)), end + 1)
    }
  }

  /// Empty for an undefined variable.
  private mutating func value(of variable: Variable) -> String.UTF8View {
    switch variable {
    case .header(let name): return header(name.asciiLowercased).utf8
    case .output(let name):
      let appends = name.utf8.starts(with: ">>".utf8)
      go(to: .file(appends ? String(name.dropFirst(2)) : name, appends: appends))
    case .named("stderr"): go(to: .errors)
    case .named("stdout"): go(to: .output)
    case .named(let name):
      if let value = ofRequest(name) ?? ofResponse(name) ?? ofMetrics(name) { return value.utf8 }
      unknown.append(name)
    }
    return "".utf8
  }

  private func ofRequest(_ name: String) -> String? {
    switch name {
    case "url": URLText.settingUser(nil, of: request.url)
    case "url_effective": result?.url ?? URLText.settingUser(nil, of: request.url)
    case "urlnum": "\(urlNumber)"
    // As curl 7.88.
    case "scheme":
      (result?.url ?? request.url).asciiLowercased.utf8.starts(with: "https:".utf8) ? "HTTPS" : "HTTP"
    case "method": request.method
    case "referer": request.headers.fields.last { $0.name.asciiLowercased == "referer" }?.value ?? ""
    case "size_upload": "\(result == nil ? 0 : request.bodySize ?? 0)"
    case "filename_effective": path ?? ""
    case "exitcode": "\((failure?.exitCode ?? .success).rawValue)"
    case "errormsg": failure?.message ?? ""
    case "ssl_verify_result": failure?.exitCode == .trustRefused ? "1" : "0"
    default: nil
    }
  }

  private func ofResponse(_ name: String) -> String? {
    switch name {
    case "json": return result.map { JSONText.of($0) } ?? "null"
    case "header_json": return headersAsJSON
    case "http_code", "response_code":
      let code = String(result?.status ?? 0)
      return String(repeating: "0", count: max(0, 3 - code.utf8.count)) + code
    case "content_type": return header("content-type")
    case "redirect_url":
      let location = header("location")
      return location.isEmpty ? "" : URLText.resolving(location, against: result?.url ?? request.url)
    case "num_redirects": return "\(result?.redirects.count ?? 0)"
    case "num_headers": return "\(result?.headers.count ?? 0)"
    case "size_download": return "\(size)"
    default: return nil
    }
  }

  private func ofMetrics(_ name: String) -> String? {
    let metrics = result?.metrics
    switch name {
    case "http_version":
      return metrics?.protocol == "h2" ? "2" : metrics?.protocol == "http/1.0" ? "1" : "1.1"
    case "remote_ip": return remoteAddress?.host ?? ""
    case "remote_port": return remoteAddress?.port ?? "0"
    case "num_connects": return "\(metrics?.exchanges.count { !$0.reused } ?? 0)"
    case "speed_download": return speed(size)
    case "speed_upload": return speed(result == nil ? 0 : request.bodySize ?? 0)
    case "time_namelookup": return time(metrics?.nameLookupSeconds)
    case "time_connect": return time(metrics?.connectSeconds)
    case "time_appconnect": return time(metrics?.tlsSeconds)
    case "time_pretransfer": return time(metrics.map { max($0.connectSeconds, $0.tlsSeconds) })
    case "time_redirect":
      guard let metrics, let last = metrics.exchanges.last, result?.redirects.isEmpty == false else {
        return time(0)
      }
      return time(max(0, metrics.totalSeconds - last.totalSeconds))
    case "time_starttransfer": return time(metrics?.firstByteSeconds)
    case "time_total": return time(metrics?.totalSeconds)
    default: return nil
    }
  }

  /// Of `192.0.2.1:443` and `[::1]:443`, the last exchange's; nil where nothing was connected to, or it is
  /// not told.
  private var remoteAddress: (host: String, port: String)? {
    guard let address = result?.metrics?.exchanges.last?.details?.remoteAddress,
      let colon = address.utf8.lastIndex(of: UInt8(ascii: ":"))
    else { return nil }
    let host = address[..<colon].utf8.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    return (String(decoding: host, as: UTF8.self), String(address[address.utf8.index(after: colon)...]))
  }

  private var size: Int { result?.body.size ?? 0 }

  /// The last field of the result called `name`, given in lower case.
  private func header(_ name: String) -> String { result.flatMap { HeadText($0).last(name) } ?? "" }

  /// As curl: an object with an array for each name, in lower case.
  private var headersAsJSON: String {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for field in result?.headers ?? [] {
      let name = field.name.asciiLowercased
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(JSONText.of(.string(field.value)))
    }
    let members = names.map { name in
      "\(JSONText.of(.string(name))):[\((values[name] ?? []).joined(separator: ","))]"
    }
    return "{\(members.joined(separator: ",\n"))\n}"
  }

  /// Bytes a second, over the whole fetch.
  private func speed(_ bytes: Int) -> String {
    let seconds = result?.metrics?.totalSeconds ?? 0
    guard seconds > 0 else { return "0" }
    return "\(Int(min(Double(bytes) / seconds, 1e15)))"
  }

  private func time(_ seconds: Double?) -> String {
    let microseconds = Int(min(max(seconds ?? 0, 0), 1e12) * 1e6 + 0.5)
    let fraction = String(microseconds % 1_000_000)
    return
      "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)"
  }
}
