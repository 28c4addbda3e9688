internal import CJansson

/// Bounds on one text beyond its size, which framing has bounded already.
package struct JSONLimits: Sendable {
  /// Our deepest message has seven levels; a bound keeps the recursion below small.
  package var nesting = 64
  /// A body sent inline is the longest string there is; framing bounds it further.
  package var stringBytes = 16 * 1024 * 1024
  /// Members and elements in all; header fields are the longest list.
  package var elements = 100_000

  package init() {}
}
