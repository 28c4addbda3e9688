/// Limits on one text beyond its size, which framing has already limited.
package struct JSONLimits: Sendable {
  /// Our deepest message has seven levels; a limit keeps the recursion of the parser small. At most 64.
  package var nesting = 64
  /// A body sent inline is the longest string; framing limits it further.
  package var stringBytes = 16 * 1024 * 1024
  /// Members and elements in total; header fields are the longest list.
  package var elements = 100_000

  package init() {}
}
