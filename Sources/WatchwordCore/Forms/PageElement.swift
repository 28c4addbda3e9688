internal import WatchwordPrimitives

/// The start of an element of an HTML page. Names are in lower case.
package struct PageElement: Sendable, Equatable {
  package let name: String
  package let attributes: [(name: String, value: String)]

  package init(name: String, attributes: [(name: String, value: String)]) {
    self.name = name
    self.attributes = attributes
  }

  /// The value of an attribute, which may be empty; nil when it is absent.
  func value(of attribute: String) -> String? {
    attributes.first { $0.name.hasBytes(of: attribute) }?.value
  }

  package static func == (left: PageElement, right: PageElement) -> Bool {
    left.name == right.name && left.attributes.elementsEqual(right.attributes, by: ==)
  }
}
