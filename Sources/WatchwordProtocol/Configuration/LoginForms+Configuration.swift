package import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

extension Parameter {
  /// A rule for login pages (methods.md 16).
  func loginForm() throws(RPCError) -> SessionConfiguration.Form {
    let given = try object(LoginFormRuleMembers.init)
    let (user, password) = (given.fields.user, given.fields.password)
    guard !user.isEmpty, !password.isEmpty else {
      throw .invalidParams("\(path).fields", "names a field without name")
    }
    guard user != password else { throw .invalidParams("\(path).fields", "names one field for both") }
    var form = SessionConfiguration.Form(page: given.page, userField: user, passwordField: password)
    form.when = FormRule.Condition(given.when)
    form.success = FormRule.Condition(given.success)
    return form
  }

  func selector(maximumBytes: Int) throws(RPCError) -> Selector {
    guard let selector = Selector(try string(maximumBytes: maximumBytes)) else {
      throw fault("is not a CSS selector of types, ids, classes and attributes")
    }
    return selector
  }
}

extension FormRule.Condition {
  fileprivate init(_ given: PageConditionMembers?) {
    self.init(status: given?.status, selector: given?.selector)
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
