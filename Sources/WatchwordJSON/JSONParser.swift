/// JSON text to ``JSONNode``, through Jansson.
///
/// Duplicate members, invalid UTF-8, lone surrogates and `\u0000` are refused. The memory of what was read is
/// wiped when it is freed.
package struct JSONParser: Sendable {
  private let limits: JSONLimits

  package init(limits: JSONLimits = JSONLimits()) { self.limits = limits }

  /// Parses one whole text; white space around it is allowed, anything else is not.
  package func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONNode {
    JSONNode(rootOf: try JSONTree(reading: bytes, within: limits))
  }
}
