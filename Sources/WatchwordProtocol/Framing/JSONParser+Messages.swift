package import WatchwordJSON

extension JSONParser {
  /// Parses messages of peers.
  package static let ofMessages = JSONParser()
}
