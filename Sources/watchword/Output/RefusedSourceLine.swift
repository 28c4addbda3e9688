internal import WatchwordMessages
internal import WatchwordPrimitives

/// A source whose credential the server has refused, on one line.
enum RefusedSourceLine {
  /// `pages for https://a.test basic "staff": refused by the server, read again after 2026-11-22T12:00:00Z`.
  static func text(of refused: Sent.RefusedSource) -> String {
    let time = refused.readAfter.map { "after \(DisplayText.escaped($0))" } ?? "when it is needed"
    let space = SpaceText.text(of: refused.protectionSpace)
    return "\(DisplayText.escaped(refused.source)) for \(space): refused by the server, read again \(time)"
  }
}
