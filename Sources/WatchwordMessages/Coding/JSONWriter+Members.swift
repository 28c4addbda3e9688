package import WatchwordJSON
package import WatchwordVocabulary

extension JSONWriter {
  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Int) {
    key(name)
    integer(value)
  }

  package mutating func member(_ name: StaticString, _ value: Int?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Int64?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  package mutating func member(_ name: StaticString, _ value: Double?) {
    key(name)
    if let value { real(value) } else { null() }
  }

  /// Seconds with a precision of a microsecond, which is all a clock is worth here; at least none, and at
  /// most what a million years have.
  package mutating func seconds(_ name: StaticString, _ value: Double) {
    key(name)
    millionths(Int64((max(0, min(value, 1e12)) * 1e6).rounded()))
  }

  package mutating func seconds(_ name: StaticString, _ value: Double?) {
    guard let value else {
      key(name)
      return null()
    }
    seconds(name, value)
  }

  package mutating func member(_ name: StaticString, _ values: [Double]) {
    key(name)
    beginArray()
    for value in values { real(value) }
    endArray()
  }

  package mutating func strings(_ values: some Sequence<String>) {
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  package mutating func integers(_ values: [(name: String, value: Int)]) {
    beginObject()
    for (name, value) in values {
      key(escaping: name)
      integer(value)
    }
    endObject()
  }

  /// Header fields as an array of `[name, value]`; a caller's value that is not UTF-8 is `{"base64"}`.
  package mutating func headers(_ fields: [HeaderField]) {
    beginArray()
    for field in fields {
      beginArray()
      string(field.name)
      value(of: field)
      endArray()
    }
    endArray()
  }

  private mutating func value(of field: HeaderField) {
    guard let octets = field.givenOctets else { return string(field.value) }
    beginObject()
    key("base64")
    octets.withUnsafeBytes { base64($0) }
    endObject()
  }

  package mutating func emptyObject() {
    beginObject()
    endObject()
  }
}
