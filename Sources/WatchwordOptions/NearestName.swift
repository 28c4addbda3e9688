/// The name that a mistyped one was meant to be.
package enum NearestName {
  /// Longer ones are no typing errors of a name.
  private static let longest = 40

  /// The name that takes the fewest changes, and at most one for every three bytes; nil when there is none.
  package static func of(_ typed: String, among names: [String]) -> String? {
    let typed = Array(typed.utf8)
    guard !typed.isEmpty, typed.count <= longest else { return nil }
    let most = max(1, typed.count / 3)
    return
      names.map { (name: $0, changes: changes(from: typed, to: Array($0.utf8))) }
      .filter { $0.changes <= most }
      .min { $0.changes < $1.changes }?.name
  }

  /// Bytes to insert, remove, replace, or to swap with the next one (optimal string alignment).
  private static func changes(from a: [UInt8], to b: [UInt8]) -> Int {
    var previous: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var least = min(row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, previous[j - 1] + 1) }
        next.append(least)
      }
      (previous, row) = (row, next)
    }
    return row[b.count]
  }
}
