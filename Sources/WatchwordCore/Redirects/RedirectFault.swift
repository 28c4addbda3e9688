/// Why a redirect is not followed, and the task fails.
package enum RedirectFault: String, Error, Sendable, CaseIterable {
  case tooManyRedirects
  /// From https to http.
  case downgrade
  case unsupportedScheme
  case malformedTarget
}
