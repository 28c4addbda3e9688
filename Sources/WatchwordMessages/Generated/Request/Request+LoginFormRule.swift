package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// A page that is a login form, and how it is filled in.
  package struct LoginFormRule: SentObject {
    /// The page's URL, whose path may end in *; without a query it is for every query.
    package let page: String
    /// What else the response must be like.
    package let when: Request.PageCondition?
    /// The names of the input elements.
    package let fields: Request.LoginFormRuleFields
    /// What the answer to the form must be like; without members: no error, and not the form again.
    package let success: Request.PageCondition?

    package init(
      page: String, when: Request.PageCondition? = nil, fields: Request.LoginFormRuleFields,
      success: Request.PageCondition? = nil
    ) {
      self.page = page
      self.when = when
      self.fields = fields
      self.success = success
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("page", page)
      if let when { writer.member("when", when) }
      writer.member("fields", fields)
      if let success { writer.member("success", success) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      page = try object.member("page")
      when = try object.memberIfPresent("when")
      fields = try object.member("fields")
      success = try object.memberIfPresent("success")
    }
  }
}
