/// The members of `LoginFormRule`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct LoginFormRuleMembers: Sendable {
  /// The names of the input elements.
  package struct Fields: Sendable {
    package let user: String
    package let password: String

    package init(_ reader: inout ParameterReader) throws(RPCError) {
      user = try reader.required("user").string(maximumBytes: 256, minimumBytes: 1)
      password = try reader.required("password").string(maximumBytes: 256, minimumBytes: 1)
    }
  }

  /// The page's URL, whose path may end in *; without a query it is for every query.
  package let page: String
  /// What else the response must be like.
  package let when: PageConditionMembers?
  /// The names of the input elements.
  package let fields: Fields
  /// What the answer to the form must be like; without members: no error, and not the form again.
  package let success: PageConditionMembers?

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    page = try reader.required("page").string(maximumBytes: 16_384)
    when = try reader["when"]?.unlessNull?.object(PageConditionMembers.init)
    fields = try reader.required("fields").object(Fields.init)
    success = try reader["success"]?.unlessNull?.object(PageConditionMembers.init)
  }
}
