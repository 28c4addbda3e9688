package import WatchwordVocabulary

/// The target of a `Location`, resolved against the hop's URL by the transport's parser.
package enum RedirectTarget: Sendable, Equatable {
  case absent
  case resolved(RequestURL)
  /// A URL with a scheme other than `http` and `https`.
  case unsupportedScheme
  /// Not a URL, or several `Location` fields that differ.
  case malformed
}
