/// Where a netrc file is malformed, and how. Holds nothing of the file, which is secret.
package struct NetrcFault: Error, Sendable, Equatable {
  package enum Kind: String, Sendable {
    case valueMissing = "a value is missing"
    case outsideMachine = "no machine before it"
    case openQuote = "a quote is not closed"
    case notText = "not UTF-8, or a control character"
  }

  package let kind: Kind
  /// From 1.
  package let line: Int
}
