internal import CLinux
internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// `peer/*`: connections that give up rights.
@ReactorActor
enum PeerMethods {
  static func restrict(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try PeerRestrictParameters(object)
    let restriction = try begin(
      parameters.rules, of: parameters.session, seconds: parameters.expiresSeconds, daemon, call)
    daemon.subscriptions.remove(call.peer.identifier)
    restriction.restrict(call.peer)
    answer(call, restriction)
    daemon.noteChange()
  }

  static func listen(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try PeerListenParameters(object)
    let path = "params.descriptor"
    let socket = try call.takeDescriptor(parameters.descriptor, path: path)
    guard clinux_is_listening(socket) else {
      DescriptorCloser.close(socket, of: call.peer.process.uid)
      throw .descriptorUnusable("\(path): must be a Unix stream socket that listens", path: path)
    }
    let restriction: ActiveRestriction
    do throws(RPCError) {
      try daemon.checkListeners(of: call.peer)
      restriction = try begin(
        parameters.rules, of: parameters.session, seconds: parameters.expiresSeconds, daemon, call)
    } catch {
      DescriptorCloser.close(socket, of: call.peer.process.uid)
      throw error
    }
    daemon.listen(on: socket, for: restriction, of: call.peer)
    answer(call, restriction)
    daemon.noteChange()
  }

  private static func begin(
    _ rules: [RestrictionRuleMembers], of session: String?, seconds: Double?, _ daemon: Daemon, _ call: Call
  ) throws(RPCError) -> ActiveRestriction {
    let rules = try RestrictionRule.list(rules, path: "params.rules")
    let session = try daemon.registry.find(session, for: call.peer, environment: daemon)
    let restriction = try daemon.makeRestriction(rules, by: call.peer.identifier, in: session)
    restriction.begin(rules, seconds: seconds)
    return restriction
  }

  private static func answer(_ call: Call, _ restriction: ActiveRestriction) {
    call.succeed(
      Sent.AddedRestriction(
        session: restriction.session?.name ?? "", restriction: restriction.identifier.description))
  }
}

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

  /// The path must be as URLs have it when they are taken apart: a rule never means another path than it
  /// says.
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
