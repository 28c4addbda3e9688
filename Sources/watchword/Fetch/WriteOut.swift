internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordPrimitives

/// curl's `--write-out`: `%{variable}`, `%%`, `\n`, `\r` and `\t`.
struct WriteOut {
  let request: FetchRequest
  /// Nil when the fetch has failed.
  let result: Sent.FetchResult?
  private(set) var unknown: [String] = []

  init(_ request: FetchRequest, _ result: Sent.FetchResult?) {
    self.request = request
    self.result = result
  }

  /// The format in the option's argument: the argument itself, or the contents of `@FILE` without the ends of its lines,
  /// as with curl.
  static func format(_ argument: String) throws(Failure) -> String {
    guard argument.hasPrefix("@") else { return argument }
    let contents = try InputFile.contents(of: String(argument.dropFirst()))
    return String(decoding: contents.filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }

  /// Whether the format has variables whose values are in the metrics.
  static func readsMetrics(_ format: String) -> Bool {
    ["%{time_", "%{http_version}", "%{json}"].contains { format.containsBytes(of: $0) }
  }

  /// The format with its variables replaced; adds undefined ones to `unknown`.
  mutating func text(_ format: String) -> String {
    var text = ""
    var rest = format[...]
    while let character = rest.popFirst() {
      if character == "%", rest.first == "%" {
        rest.removeFirst()
        text.append("%")
      } else if character == "%", rest.first == "{", let end = rest.firstIndex(of: "}") {
        text += variable(rest[rest.index(after: rest.startIndex)..<end])
        rest = rest[rest.index(after: end)...]
      } else if character == "\\", let escaped = rest.popFirst() {
        switch escaped {
        case "n": text.append("\n")
        case "r": text.append("\r")
        case "t": text.append("\t")
        default: text += "\\\(escaped)"
        }
      } else {
        text.append(character)
      }
    }
    return text
  }

  /// Empty for an undefined variable.
  private mutating func variable(_ name: Substring) -> String {
    func field(_ name: String) -> String { result.flatMap { ResponseHead($0).last(name) } ?? "" }
    func time(_ duration: KeyPath<Sent.Metrics, Double>) -> String {
      let microseconds = Int(((result?.metrics?[keyPath: duration] ?? 0) * 1e6).rounded())
      let fraction = String(microseconds % 1_000_000)
      return
        "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)"
    }
    switch name {
    case "json": return result.map { JSONText.of($0) } ?? "null"
    case "http_code", "response_code":
      let code = String(result?.status ?? 0)
      return String(repeating: "0", count: max(0, 3 - code.utf8.count)) + code
    case "url": return URLText.settingUser(nil, of: request.url)
    case "url_effective": return result?.url ?? URLText.settingUser(nil, of: request.url)
    case "method": return request.method
    case "content_type": return field("content-type")
    case "redirect_url":
      let location = field("location")
      return location.isEmpty ? "" : URLText.resolving(location, against: result?.url ?? request.url)
    case "num_redirects": return "\(result?.redirects.count ?? 0)"
    case "http_version": return result?.metrics?.protocol == "h2" ? "2" : "1.1"
    case "size_download": return "\(result?.body.size ?? 0)"
    case "time_namelookup": return time(\.nameLookupSeconds)
    case "time_connect": return time(\.connectSeconds)
    case "time_appconnect": return time(\.tlsSeconds)
    case "time_starttransfer": return time(\.firstByteSeconds)
    case "time_total": return time(\.totalSeconds)
    default:
      unknown.append(String(name))
      return ""
    }
  }
}
