internal import WatchwordMessages
internal import WatchwordPrimitives

/// `GET,HEAD https://api.example/v1/*`: the methods, and the origin and path of a URL.
struct RunRule {
  /// Nil: every method.
  private let methods: [String]?
  private let origin: String
  private let path: String

  init(_ text: String) throws(Failure) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2 else {
      throw .usage(
        "--allow needs METHODS and a URL, not \(DisplayText.escaped(text))",
        hint: "as in --allow 'GET https://api.example/v1/*'")
    }
    methods = words[0] == "*" ? nil : words[0].split(separator: ",").map(String.init)
    // Methods are case-sensitive, and no standard one has a small letter (RFC 9110 §9.1).
    if let methods, let small = methods.first(where: { $0.utf8.contains { (0x61...0x7A).contains($0) } }) {
      throw .usage("--allow needs METHODS in capitals, not \(DisplayText.escaped(small))")
    }
    let url = words[1]
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")), url[colon...].utf8.starts(with: "://".utf8)
    else {
      throw .usage("--allow needs a URL with its scheme, not \(DisplayText.escaped(String(url)))")
    }
    let rest = url[colon...].dropFirst(3)
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
    origin = String(url[..<(slash ?? url.endIndex)])
    path = slash.map { String(url[$0...]) } ?? "/"
  }

  /// - Parameters: the fields and bounds of every rule.
  func rule(
    _ headers: [String], _ requestBytes: Int?, _ responseBytes: Int?, perMinute: Double?
  ) -> Request.RestrictionRule {
    Request.RestrictionRule(
      methods: methods, origin: origin, path: path, headers: headers.isEmpty ? nil : headers,
      requestBytes: requestBytes, responseBytes: responseBytes, perMinute: perMinute)
  }
}
