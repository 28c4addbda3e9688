@testable import WatchwordCore

/// A part of a page, as a parser gives it to a reader.
enum PageNode: Sendable {
  /// Its name with its attributes as `name=value`, and what is in it.
  case element(String, [PageNode])
  case text(String)

  func read(by reader: inout PageParser) {
    switch self {
    case .text(let text): if reader.wantsText { reader.text(text) }
    case .element(let tag, let children):
      let element = Self.start(tag)
      _ = reader.begin(element)
      for child in children { child.read(by: &reader) }
      reader.end(element.name)
    }
  }

  /// The element that begins so.
  static func start(_ tag: String) -> PageElement {
    let words = tag.split(separator: " ", omittingEmptySubsequences: true)
    let attributes = words.dropFirst().map { word in
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(pair[0]), value: pair.count > 1 ? String(pair[1]) : "")
    }
    return PageElement(name: String(words[0]), attributes: attributes)
  }
}
