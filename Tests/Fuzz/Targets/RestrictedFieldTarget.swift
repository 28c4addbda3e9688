internal import WatchwordCore
internal import WatchwordVocabulary

/// Names of header fields, a line each: none that a restricted connection may set, or a rule may add, has the variable
/// of CGI that a field has which names the user, host, path or method of a request.
enum RestrictedFieldTarget {
  private static let dangerous: Set<String> = [
    "HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_HOST", "HTTP_FORWARDED", "HTTP_PROXY_AUTHORIZATION",
    "HTTP_X_HTTP_METHOD", "HTTP_X_HTTP_METHOD_OVERRIDE", "HTTP_X_METHOD_OVERRIDE", "HTTP_X_ORIGINAL_HOST",
    "HTTP_X_ORIGINAL_METHOD", "HTTP_X_ORIGINAL_URI", "HTTP_X_ORIGINAL_URL", "HTTP_X_REWRITE_URL",
  ]

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    // Others are refused before.
    for name in InputReader(input).lines where FieldSyntax.isToken(name) {
      let variable = "HTTP_" + name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
      guard dangerous.contains(variable) || variable.hasPrefix("HTTP_X_FORWARDED_") else { continue }
      require(!RestrictedFields.isOwn(name), "a field of another request may be set")
      require(!RestrictedFields.mayBeAdded(name), "a rule may add a field of another request")
    }
  }
}
