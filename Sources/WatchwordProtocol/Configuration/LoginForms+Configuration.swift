package import WatchwordCore
package import WatchwordJSON
internal import WatchwordSecret

extension ParameterReader {
  /// Rules of one session.
  private static let maximumForms = 64
  private static let fieldBytes = 256

  /// The rules for login pages (challenges.md 16).
  mutating func optionalForms(_ name: String) throws(RPCError) -> [SessionConfiguration.Form]? {
    try optionalArray(name, maximum: ParameterReader.maximumForms) { value, path throws(RPCError) in
      guard case .object(let object) = value else {
        throw .invalidParams(path, "must be an object, not \(value.typeName)")
      }
      return try ParameterReader.decode(object, path: path) { reader throws(RPCError) in
        let page = try reader.string("page", maximumBytes: Fetch.maximumURLBytes)
        let (user, password) = try reader.object("fields") { reader throws(RPCError) in
          let user = try reader.string("user", maximumBytes: ParameterReader.fieldBytes)
          // The parser takes what has this name for a password; here it is the name of a field.
          guard let password = try reader.optionalSecret("password", maximumBytes: ParameterReader.fieldBytes)
          else {
            throw reader.fault("password", "is missing")
          }
          return (user, password.withBytes { String(decoding: $0, as: UTF8.self) })
        }
        guard !user.isEmpty, !password.isEmpty else {
          throw reader.fault("fields", "names a field without name")
        }
        guard user != password else { throw reader.fault("fields", "names one field for both") }
        var form = SessionConfiguration.Form(page: page, userField: user, passwordField: password)
        form.when = try reader.condition("when")
        form.success = try reader.condition("success")
        return form
      }
    }
  }

  private mutating func condition(_ name: String) throws(RPCError) -> FormRule.Condition {
    if member(name) == .null { return FormRule.Condition() }
    let condition = try optionalObject(name) { reader throws(RPCError) -> FormRule.Condition in
      let status = try reader.optionalInteger("status", in: 200...599).map(Int.init)
      guard let text = try reader.optionalString("selector", maximumBytes: Selector.maximumBytes) else {
        return FormRule.Condition(status: status)
      }
      guard let selector = Selector(text) else {
        throw reader.fault("selector", "is not a CSS selector of types, ids, classes and attributes")
      }
      return FormRule.Condition(status: status, selector: selector)
    }
    return condition ?? FormRule.Condition()
  }
}

extension SessionConfiguration.Form {
  package var value: JSONValue {
    .object([
      "page": .string(page), "when": when.value,
      "fields": .object(["user": .string(userField), "password": .string(passwordField)]),
      "success": success.value,
    ])
  }
}

extension FormRule.Condition {
  fileprivate var value: JSONValue {
    var members = JSONObject()
    if let status { members.members.append(.init(name: "status", value: .integer(Int64(status)))) }
    if let selector { members.members.append(.init(name: "selector", value: .string(selector.text))) }
    return .object(members)
  }
}
