package import WatchwordJSON
package import WatchwordVocabulary

/// Members of the types that are made from the contract.
extension JSONWriter {
  package mutating func member(_ name: StaticString, _ value: (some EncodedObject)?) {
    key(name)
    if let value { value.write(to: &self) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ values: [some EncodedObject]) {
    key(name)
    beginArray()
    for value in values { value.write(to: &self) }
    endArray()
  }

  package mutating func member<Value>(_ name: StaticString, _ values: [Encoded<Value>]) {
    key(name)
    beginArray()
    for value in values { value.write(to: &self) }
    endArray()
  }

  package mutating func member(_ name: StaticString, _ values: [String]?) {
    key(name)
    if let values { strings(values) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ values: [Int]) {
    key(name)
    beginArray()
    for value in values { integer(value) }
    endArray()
  }

  package mutating func member(_ name: StaticString, _ fields: [HeaderField]) {
    key(name)
    headers(fields)
  }

  package mutating func member(_ name: StaticString, _ values: [(name: String, value: Int)]) {
    key(name)
    integers(values)
  }

  package mutating func member(_ name: StaticString, _ values: [(name: String, value: String)]) {
    key(name)
    beginObject()
    for (name, value) in values {
      key(escaping: name)
      string(value)
    }
    endObject()
  }

  package mutating func member(_ name: StaticString, _ value: OpenValue) {
    key(name)
    value.write(to: &self)
  }

  package mutating func member(_ name: StaticString, _ value: some RawRepresentable<String>) {
    member(name, value.rawValue)
  }

  package mutating func member(_ name: StaticString, _ secret: Secret) {
    key(name)
    secret.withBytes { stringBytes($0) }
  }

  package mutating func member(_ name: StaticString, _ value: TextOr<some EncodedObject>) {
    switch value {
    case .text(let text): member(name, text)
    case .other(let other): member(name, other)
    }
  }

  package mutating func member(_ name: StaticString, _ value: TextOr<[String]>) {
    switch value {
    case .text(let text): member(name, text)
    case .other(let texts): member(name, texts)
    }
  }
}
