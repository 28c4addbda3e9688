internal import WatchwordClient
internal import WatchwordJSON
internal import WatchwordPrimitives

/// curl's `--write-out`: `%{variable}`, `%%`, `\n`, `\r` and `\t`.
struct WriteOut {
  let request: FetchRequest
  /// Null when the fetch has failed.
  let result: JSONValue
  private(set) var unknown: [String] = []

  init(_ request: FetchRequest, _ result: JSONValue) {
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
    let metrics = result["metrics"] ?? .null
    let headers = result["headers"]?.fields ?? []
    func field(_ name: String) -> String { headers.last { $0.name.asciiLowercased == name }?.value ?? "" }
    func time(_ name: String) -> String {
      let microseconds = Int(((metrics[name]?.number ?? 0) * 1e6).rounded())
      let fraction = String(microseconds % 1_000_000)
      return
        "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.utf8.count))\(fraction)"
    }
    switch name {
    case "json": return JSONText.of(result)
    case "http_code", "response_code":
      let code = String(result["status"]?.integer ?? 0)
      return String(repeating: "0", count: max(0, 3 - code.utf8.count)) + code
    case "url": return URLText.settingUser(nil, of: request.url)
    case "url_effective": return result["url"]?.text ?? URLText.settingUser(nil, of: request.url)
    case "method": return request.method
    case "content_type": return field("content-type")
    case "redirect_url":
      let location = field("location")
      return location.isEmpty ? "" : URLText.resolving(location, against: result["url"]?.text ?? request.url)
    case "num_redirects": return "\(result["redirects"]?.elements.count ?? 0)"
    case "http_version": return metrics["protocol"]?.text == "h2" ? "2" : "1.1"
    case "size_download": return "\(result["body"]?["size"]?.integer ?? 0)"
    case "time_namelookup": return time("nameLookupSeconds")
    case "time_connect": return time("connectSeconds")
    case "time_appconnect": return time("tlsSeconds")
    case "time_starttransfer": return time("firstByteSeconds")
    case "time_total": return time("totalSeconds")
    default:
      unknown.append(String(name))
      return ""
    }
  }
}
