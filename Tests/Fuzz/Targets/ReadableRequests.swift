package import WatchwordJSON
package import WatchwordMessages
package import WatchwordVocabulary

// What only requests have: no client reads them.

extension Secret: Readable {
  package convenience init(reading value: JSONValue) throws(ReadFault) {
    self.init(try String(reading: value).utf8)
  }
}

/// A word of an enumeration.
extension Readable where Self: RawRepresentable<String> {
  package init(reading value: JSONValue) throws(ReadFault) {
    let word = try String(reading: value)
    guard let known = Self(rawValue: word) else { throw ReadFault("is none of its words") }
    self = known
  }
}

extension Disposition: Readable {}
extension Persistence: Readable {}
extension TrustScope: Readable {}
extension UnansweredMeaning: Readable {}

extension TextOr: Readable where Other: Readable {
  package init(reading value: JSONValue) throws(ReadFault) {
    if case .string(let text) = value { self = .text(text) } else { self = .other(try Other(reading: value)) }
  }
}
