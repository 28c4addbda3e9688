internal import WatchwordMessages

/// What `status --watch` shows in a window, and what its keys change.
struct WatchScreen {
  enum Key: Equatable {
    case up
    case down
    case pageUp
    case pageDown
    case first
    case last
    case sort
    case answer
    case redraw
    case stop
    case quit
  }

  /// What the program has to do for a key.
  enum Action {
    case draw
    case answer
    case stop
    case quit
  }

  /// A window with fewer rows has no empty lines.
  private static let fewRows = 16
  /// So many sessions are shown before a rate is.
  private static let leastSessions = 3

  /// Whether the terminal shows more than ASCII.
  let hasBlocks: Bool
  private var parts: StatusParts
  private var receivedAt: Double
  /// In their order: sorted once for a snapshot or a key, and not for every drawing.
  private var sessions: [Sent.SessionStatus] = []
  private var order = StatusParts.Order.busiest
  /// Of the sessions, the first one that is shown.
  private var first = 0
  /// How many were shown when it was drawn last.
  private var room = 1

  init(hasBlocks: Bool, _ snapshot: Sent.StatusSnapshot, at now: Double) {
    self.hasBlocks = hasBlocks
    parts = StatusParts(snapshot)
    receivedAt = now
    receive(snapshot, at: now)
  }

  // MARK: Events

  mutating func receive(_ snapshot: Sent.StatusSnapshot, at now: Double) {
    parts = StatusParts(snapshot)
    receivedAt = now
    sessions = parts.sessions(by: order)
  }

  mutating func press(_ key: Key) -> Action {
    switch key {
    case .up: first -= 1
    case .down: first += 1
    case .pageUp: first -= room
    case .pageDown: first += room
    case .first: first = 0
    case .last: first = sessions.count
    case .sort:
      let orders = StatusParts.Order.allCases
      order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
      sessions = parts.sessions(by: order)
      first = 0
    case .answer: return .answer
    case .redraw: break
    case .stop: return .stop
    case .quit: return .quit
    }
    // Several keys may come before it is drawn.
    first = max(0, min(first, sessions.count - room))
    return .draw
  }

  // MARK: Drawing

  /// As many lines as the window has rows. Its last column stays empty: to clear the rest of a row that is
  /// full would clear its last letter.
  mutating func lines(in size: ScreenTerminal.Size, _ history: StatusHistory, at now: Double) -> [String] {
    let columns = max(0, size.columns - 1)
    let isTight = size.rows < Self.fewRows
    let top = parts.heading(after: now - receivedAt) + challenges(size.rows, at: now)
    let head = isTight ? top.filter { !$0.isEmpty } : top
    let bottom = [parts.totals.last ?? "no sessions", keys]
    let free = max(0, size.rows - head.count - bottom.count)
    // Beside sessions, their titles, and how much is above and below.
    let least = sessions.isEmpty ? 0 : min(sessions.count, Self.leastSessions) + 2
    let gap = isTight ? [] : [""]
    let rates = RateLines(history: history, sparkline: Sparkline(hasBlocks: hasBlocks), columns: columns)
      .lines(atMost: free - least - gap.count)
    let above = head + (rates.isEmpty ? [] : rates + gap)
    let body = above + table(size.rows - above.count - bottom.count)
    let shown = body.prefix(max(0, size.rows - bottom.count))
    let rest = [String](repeating: "", count: max(0, size.rows - shown.count - bottom.count))
    return (shown + rest + bottom).suffix(size.rows).map { fitted($0, columns) }
  }

  private func challenges(_ rows: Int, at now: Double) -> [String] {
    parts.challenges(reply: "a answers one", atMost: max(1, (rows - 9) / 3), after: now - receivedAt)
  }

  /// - Parameter rows: for all of it.
  private mutating func table(_ rows: Int) -> [String] {
    guard !sessions.isEmpty else { return [] }
    // The titles, and the range unless that takes the only row.
    room = max(1, rows - (rows > 2 ? 2 : 1))
    first = max(0, min(first, sessions.count - room))
    let shown = sessions.dropFirst(first).prefix(room)
    let range = "\(first + 1) to \(first + shown.count) of \(sessions.count), by \(order.rawValue)"
    return parts.table(Array(shown)) + [sessions.count > shown.count || order != .busiest ? range : ""]
  }

  private func fitted(_ line: String, _ columns: Int) -> String {
    let line =
      hasBlocks ? line : String(decoding: line.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    let fitted = ScreenWidth.fitted(line, columns)
    return hasBlocks || fitted == line ? fitted : fitted.dropLast() + ">"
  }

  private var keys: String {
    "q quit   a answer   s sort   \(hasBlocks ? "↑ ↓" : "j k") PgUp PgDn Home End scroll"
  }
}

/// Rates and latencies, a line each: `fetches     12.4/s  ▁▂▃`, with a column for each of the last seconds.
struct RateLines {
  private static let nameColumns = 11
  private static let valueColumns = 11

  let history: StatusHistory
  let sparkline: Sparkline
  let columns: Int

  /// - Parameter count: where there is room for fewer, those that say most.
  func lines(atMost count: Int) -> [String] {
    // Each with its rank.
    let all = [
      (0, rate("fetches", \.fetches, Self.tenths)),
      (2, rate("bytes", \.bytes) { Quantity.bytes(Int(min($0, 1e15))) }),
      (3, rate("failures", \.failures, Self.tenths)),
      (6, rate("challenges", \.challenges, Self.tenths)),
      (4, latency("latency p50", 0.5)),
      (1, latency("latency p90", 0.9)),
      (5, latency("latency p99", 0.99)),
    ]
    return all.filter { $0.0 < count }.map(\.1)
  }

  private func rate(
    _ name: String, _ member: KeyPath<StatusHistory.Second, Double>, _ text: (Double) -> String
  ) -> String {
    line(name, text(history.rate(member)) + "/s", history.counts(member))
  }

  private func latency(_ name: String, _ part: Double) -> String {
    line(
      name, history.latency(ofPart: part).map(Self.duration) ?? "-", history.latencyPlaces(ofPart: part),
      largest: 1)
  }

  private func line(_ name: String, _ value: String, _ values: [Double], largest: Double? = nil) -> String {
    let gap = max(1, Self.nameColumns + Self.valueColumns - name.count - value.count)
    let start = name + String(repeating: " ", count: gap) + value + "  "
    return start + sparkline.text(of: values, columns: columns - start.count, largest: largest)
  }

  /// Of a fetch: most take milliseconds.
  private static func duration(_ seconds: Double) -> String {
    if seconds < 0.01 { return tenths(seconds * 1000) + " ms" }
    return seconds >= 1 && seconds < 10 ? tenths(seconds) + " s" : Quantity.seconds(seconds)
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((min(value, 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
