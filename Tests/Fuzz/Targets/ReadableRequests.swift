package import WatchwordJSON
package import WatchwordMessages
package import WatchwordVocabulary

// What only requests have: no client reads them.

extension Secret: Readable {
  package convenience init(reading node: JSONNode) throws(ReadFault) {
    self.init(try String(reading: node).utf8)
  }
}

/// A word of an enumeration.
extension Readable where Self: RawRepresentable<String> {
  package init(reading node: JSONNode) throws(ReadFault) {
    let word = try String(reading: node)
    guard let known = Self(rawValue: word) else { throw ReadFault("is none of its words") }
    self = known
  }
}

extension Disposition: Readable {}
extension Persistence: Readable {}
extension TrustScope: Readable {}
extension UnansweredMeaning: Readable {}

extension TextOr: Readable where Other: Readable {
  package init(reading node: JSONNode) throws(ReadFault) {
    if let text = node.text { self = .text(text) } else { self = .other(try Other(reading: node)) }
  }
}
