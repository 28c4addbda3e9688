internal import WatchwordMessages

/// What the daemon has done in each of the last seconds: what rates and durations are made of.
///
/// The daemon counts from its start on, and tells of a change only. A second without news is one in which nothing happened.
struct StatusHistory {
  /// The widest line of them.
  static let longest = 240
  /// Rates and durations are of so many seconds.
  static let recent = 10

  /// What was counted in one second.
  struct Second {
    var fetches = 0
    var failures = 0
    var challenges = 0
    /// By the bounds of the histogram; empty: none.
    var durations: [Int] = []
  }

  /// The last one last.
  private(set) var seconds: [Second] = []
  private var bounds: [Double] = []
  private var before: Totals?
  private var now: Totals?

  private struct Totals {
    let fetches: Int
    let failures: Int
    let challenges: Int
    let durations: [Int]

    init(_ snapshot: Sent.StatusSnapshot) {
      func counter(_ name: String) -> Int { snapshot.counters.first { $0.name == name }?.value ?? 0 }
      fetches = counter("fetches.succeeded") + counter("fetches.failed")
      failures = counter("fetches.failed") + counter("fetches.responses.5xx")
      challenges = counter("challenges.raised")
      durations = snapshot.taskSeconds.counts
    }
  }

  /// A snapshot has come.
  mutating func note(_ snapshot: Sent.StatusSnapshot) {
    now = Totals(snapshot)
    bounds = snapshot.taskSeconds.bounds
    if before == nil { before = now }
  }

  /// A second is over.
  mutating func tick() {
    guard let before, let now else { return }
    self.before = now
    var second = Second(
      fetches: max(0, now.fetches - before.fetches), failures: max(0, now.failures - before.failures),
      challenges: max(0, now.challenges - before.challenges))
    if before.durations.count == now.durations.count {
      second.durations = zip(now.durations, before.durations).map { max(0, $0 - $1) }
    }
    seconds.append(second)
    if seconds.count > Self.longest { seconds.removeFirst(seconds.count - Self.longest) }
  }

  // MARK: Reading

  /// Of each of the last seconds.
  func counts(_ member: KeyPath<Second, Int>) -> [Double] { seconds.map { Double($0[keyPath: member]) } }

  /// A second, of late.
  func rate(_ member: KeyPath<Second, Int>) -> Double {
    let recent = seconds.suffix(Self.recent)
    guard !recent.isEmpty else { return 0 }
    return Double(recent.reduce(0) { $0 + $1[keyPath: member] }) / Double(recent.count)
  }

  /// How long this part of the tasks took at most, of late; nil without a task.
  func duration(ofPart part: Double) -> Double? {
    duration(ofPart: part, among: seconds.suffix(Self.recent))
  }

  /// The same of each of the last seconds, from 0 to 1: the place of its bound among all, which grow by powers.
  func durationPlaces(ofPart part: Double) -> [Double] {
    seconds.map { second in
      duration(ofPart: part, among: [second][...]).map { found in
        Double((bounds.firstIndex { $0 >= found } ?? bounds.count) + 1) / Double(bounds.count + 1)
      } ?? 0
    }
  }

  /// Between the bounds a straight line is as good as another.
  private func duration(ofPart part: Double, among seconds: ArraySlice<Second>) -> Double? {
    var counts = [Int](repeating: 0, count: bounds.count + 1)
    for second in seconds where second.durations.count == counts.count {
      for (place, count) in second.durations.enumerated() { counts[place] += count }
    }
    let wanted = Double(counts.reduce(0, +)) * part
    guard wanted > 0 else { return nil }
    var passed = 0.0
    for (place, count) in counts.enumerated() where count > 0 {
      let low = place == 0 ? 0 : bounds[place - 1]
      let high = place < bounds.count ? bounds[place] : low * 2
      if passed + Double(count) >= wanted { return low + (high - low) * (wanted - passed) / Double(count) }
      passed += Double(count)
    }
    return bounds.last
  }
}

/// Values as a line of small bars.
struct Sparkline {
  private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let letters: [Character] = [" ", ".", ":", "-", "=", "+", "*", "#", "@"]

  /// Whether the terminal shows more than ASCII.
  let hasBlocks: Bool

  /// The last values, the last one on the right; one above 0 is seen.
  ///
  /// - Parameter largest: a whole bar; nil: the largest value that is shown.
  func text(of values: [Double], columns: Int, largest: Double? = nil) -> String {
    let shown = values.suffix(max(0, columns))
    let largest = largest ?? shown.max() ?? 0
    let bars = hasBlocks ? Self.blocks : Self.letters
    let line = shown.map { value in
      guard largest > 0, value > 0 else { return bars[0] }
      return bars[min(bars.count - 1, max(1, Int((value / largest * Double(bars.count - 1)).rounded())))]
    }
    return String(repeating: " ", count: max(0, columns - shown.count)) + String(line)
  }
}
