internal import WatchwordCore
internal import WatchwordTransport
internal import WatchwordVocabulary

extension RedirectTarget {
  /// A `Location` against the URL that sent it, through the transport's parser.
  init(_ location: String, _ base: RequestURL) {
    do throws(URLFault) {
      self = .resolved(try URLParser.resolve(location: location, against: base))
    } catch {
      self = error == .unsupportedScheme ? .unsupportedScheme : .malformed
    }
  }
}
