internal import WatchwordMessages

/// What the daemon has done in each of the last seconds: what rates and latencies are made of.
///
/// The daemon counts from its start on, and tells of a change only. A second without news is one in which
/// nothing happened.
struct StatusHistory {
  /// The widest line of them.
  static let longest = 240
  /// Rates and latencies are of so many seconds.
  static let recent = 10

  /// What was counted in one second. A second is a part of a longer time at times, and a count is as large as
  /// the daemon says: numbers with a point can be parted and added.
  struct Second {
    var fetches = 0.0
    var bytes = 0.0
    var failures = 0.0
    var challenges = 0.0
    /// By the bounds of the histogram; empty: none.
    var latencies: [Double] = []
  }

  /// The last one last.
  private(set) var seconds: [Second] = []
  private var bounds: [Double] = []
  private var before: Second?
  private var now: Second?

  /// A snapshot has come.
  mutating func note(_ snapshot: Sent.StatusSnapshot) {
    now = Second(totalsOf: snapshot)
    bounds = snapshot.taskSeconds.bounds
    if before == nil { before = now }
  }

  /// So many seconds are over. What was counted in several, as while another program had the terminal, is
  /// spread over them.
  mutating func tick(_ count: Int = 1) {
    guard let before, let now, count > 0 else { return }
    self.before = now
    let count = min(count, Self.longest)
    seconds += [Second](repeating: now.part(count, since: before), count: count)
    if seconds.count > Self.longest { seconds.removeFirst(seconds.count - Self.longest) }
  }

  // MARK: Reading

  /// Of each of the last seconds.
  func counts(_ member: KeyPath<Second, Double>) -> [Double] { seconds.map { $0[keyPath: member] } }

  /// A second, of late.
  func rate(_ member: KeyPath<Second, Double>) -> Double {
    let recent = seconds.suffix(Self.recent)
    guard !recent.isEmpty else { return 0 }
    return recent.reduce(0) { $0 + $1[keyPath: member] } / Double(recent.count)
  }

  /// How long this part of the tasks took at most, of late; nil without a task.
  func latency(ofPart part: Double) -> Double? { latency(ofPart: part, among: seconds.suffix(Self.recent)) }

  /// The same of each of the last seconds, from 0 to 1: the place of its bound among all, which grow by
  /// powers.
  func latencyPlaces(ofPart part: Double) -> [Double] {
    seconds.map { second in
      latency(ofPart: part, among: [second][...]).map { found in
        Double((bounds.firstIndex { $0 >= found } ?? bounds.count) + 1) / Double(bounds.count + 1)
      } ?? 0
    }
  }

  /// Between the bounds a straight line is as good as another.
  private func latency(ofPart part: Double, among seconds: ArraySlice<Second>) -> Double? {
    var counts = [Double](repeating: 0, count: bounds.count + 1)
    for second in seconds where second.latencies.count == counts.count {
      for (place, count) in second.latencies.enumerated() { counts[place] += count }
    }
    let wanted = counts.reduce(0, +) * part
    guard wanted > 0 else { return nil }
    var passed = 0.0
    for (place, count) in counts.enumerated() where count > 0 {
      let low = place == 0 ? 0 : bounds[place - 1]
      // What took longer than all bounds took as long as the last one, at least.
      let high = place < bounds.count ? bounds[place] : low
      if passed + count >= wanted { return low + (high - low) * (wanted - passed) / count }
      passed += count
    }
    return bounds.last
  }
}

extension StatusHistory.Second {
  /// Since the daemon's start.
  fileprivate init(totalsOf snapshot: Sent.StatusSnapshot) {
    func counter(_ name: String) -> Double {
      Double(snapshot.counters.first { $0.name == name }?.value ?? 0)
    }
    fetches = counter("fetches.succeeded") + counter("fetches.failed")
    bytes = counter("bytes.received") + counter("bytes.sent")
    failures = counter("fetches.failed") + counter("fetches.responses.5xx")
    challenges = counter("challenges.raised")
    latencies = snapshot.taskSeconds.counts.map { Double($0) }
  }

  /// One of `count` equal parts of what was counted since other totals.
  fileprivate func part(_ count: Int, since other: Self) -> Self {
    func part(_ total: Double, _ before: Double) -> Double { max(0, total - before) / Double(count) }
    var second = Self()
    second.fetches = part(fetches, other.fetches)
    second.bytes = part(bytes, other.bytes)
    second.failures = part(failures, other.failures)
    second.challenges = part(challenges, other.challenges)
    if latencies.count == other.latencies.count {
      second.latencies = zip(latencies, other.latencies).map(part)
    }
    return second
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
