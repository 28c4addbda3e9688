internal import WatchwordCore
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

extension RestrictionRule {
  /// The rules of a list, with their URLs taken apart.
  ///
  /// - Parameter path: of the list.
  static func list(_ rules: [RestrictionRuleMembers], path: String) throws(RPCError) -> [RestrictionRule] {
    var list: [RestrictionRule] = []
    for (index, rule) in rules.enumerated() {
      list.append(try RestrictionRule(rule, path: "\(path)[\(index)]"))
    }
    return list
  }

  private init(_ rule: RestrictionRuleMembers, path: String) throws(RPCError) {
    let origin = try URLParameter.origin(rule.origin, path: "\(path).origin")
    self.init(
      methods: rule.methods, origin: origin,
      path: try RestrictionRule.pattern(rule.path, on: origin, path: "\(path).path"),
      addedFields: rule.headers ?? [], requestBytes: rule.requestBytes.map { Int64($0) },
      responseBytes: rule.responseBytes.map { Int64($0) }, perMinute: rule.perMinute)
  }

  /// The path must be as URLs have it when they are taken apart: a rule never means another path than it says.
  private static func pattern(
    _ text: String, on origin: Origin, path: String
  ) throws(RPCError) -> PathPattern {
    let isPrefix = text.utf8.last == UInt8(ascii: "*")
    let plain = isPrefix ? String(text.dropLast()) : text
    guard !plain.utf8.contains(UInt8(ascii: "*")) else {
      throw .invalidParams(path, "may have a * at its end only")
    }
    let url = try URLParameter.parse("\(origin)\(plain)", path: path)
    guard url.path == plain, url.query == nil, let pattern = PathPattern(url, isPrefix: isPrefix) else {
      throw .invalidParams(
        path, "must be a path as it goes to the server, without dot segments, query and fragment")
    }
    return pattern
  }
}
