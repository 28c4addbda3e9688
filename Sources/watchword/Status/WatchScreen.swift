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

  /// Whether the terminal shows more than ASCII.
  let hasBlocks: Bool
  private var order = StatusParts.Order.busiest
  /// Of the sessions, the first one that is shown.
  private var first = 0
  /// How many were there and were shown when it was drawn last.
  private var count = 0
  private var room = 1
  /// When a challenge was seen first.
  private var since: [String: Double] = [:]

  init(hasBlocks: Bool) { self.hasBlocks = hasBlocks }

  // MARK: Keys

  mutating func press(_ key: Key) -> Action {
    switch key {
    case .up: first -= 1
    case .down: first += 1
    case .pageUp: first -= room
    case .pageDown: first += room
    case .first: first = 0
    case .last: first = count
    case .sort:
      let orders = StatusParts.Order.allCases
      order = orders[((orders.firstIndex(of: order) ?? 0) + 1) % orders.count]
      first = 0
    case .answer: return .answer
    case .redraw: break
    case .stop: return .stop
    case .quit: return .quit
    }
    return .draw
  }

  // MARK: Drawing

  /// As many lines as the window has rows, none wider than it.
  mutating func lines(
    of snapshot: Sent.StatusSnapshot, _ history: StatusHistory, in size: ScreenTerminal.Size, at now: Double
  ) -> [String] {
    let parts = StatusParts(snapshot)
    noteChallenges(snapshot, at: now)
    let challenges = parts.challenges(reply: "a answers one") { [since] challenge in
      since[challenge.challenge].map { now - $0 }
    }
    let top = parts.heading + challenges + rates(history, size.columns) + [""]
    let bottom = [parts.totals.last ?? "no sessions", keys]
    // The titles, and how much is above and below.
    room = max(1, size.rows - top.count - bottom.count - 2)
    count = parts.sessions.count
    first = max(0, min(first, count - room))
    let table = count == 0 ? [] : sessions(parts)
    let body = (top + table).prefix(max(0, size.rows - bottom.count))
    let gap = [String](repeating: "", count: max(0, size.rows - body.count - bottom.count))
    return (body + gap + bottom).suffix(size.rows).map { fitted($0, size.columns) }
  }

  private func fitted(_ line: String, _ columns: Int) -> String {
    let line =
      hasBlocks ? line : String(decoding: line.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    let fitted = ScreenWidth.fitted(line, columns)
    return hasBlocks || fitted == line ? fitted : fitted.dropLast() + ">"
  }

  private func sessions(_ parts: StatusParts) -> [String] {
    let shown = parts.sessions(by: order).dropFirst(first).prefix(room)
    let range = "\(first + 1) to \(first + shown.count) of \(count), by \(order.rawValue)"
    return parts.table(Array(shown)) + [count > shown.count || order != .busiest ? range : ""]
  }

  /// The daemon tells how long the oldest one has waited; the others have come since this program looks.
  private mutating func noteChallenges(_ snapshot: Sent.StatusSnapshot, at now: Double) {
    let pending = snapshot.challenges.compactMap(\.value?.challenge)
    let known = since.filter { pending.contains($0.key) }
    since = known
    let oldest = known.isEmpty ? now - (snapshot.oldestChallengeSeconds ?? 0) : now
    for challenge in pending where since[challenge] == nil {
      since[challenge] = pending.count == 1 ? oldest : now
    }
  }

  /// `fetches  12.4/s  ▁▂▃`: of the last seconds, one column each.
  private func rates(_ history: StatusHistory, _ columns: Int) -> [String] {
    let sparkline = Sparkline(hasBlocks: hasBlocks)
    func line(_ name: String, _ value: String, _ values: [Double], largest: Double? = nil) -> String {
      let start = Self.padded(name, 12) + Self.padded(value, 12)
      return start + sparkline.text(of: values, columns: columns - start.count, largest: largest)
    }
    func rate(_ name: String, _ member: KeyPath<StatusHistory.Second, Int>) -> String {
      line(name, Self.tenths(history.rate(member)) + "/s", history.counts(member))
    }
    func duration(_ name: String, _ part: Double) -> String {
      line(
        name, history.duration(ofPart: part).map { Quantity.seconds($0) } ?? "-",
        history.durationPlaces(ofPart: part), largest: 1)
    }
    return [
      rate("fetches", \.fetches), rate("failures", \.failures), rate("challenges", \.challenges),
      duration("half within", 0.5), duration("90 % within", 0.9), duration("99 % within", 0.99),
    ]
  }

  private var keys: String {
    hasBlocks
      ? "q quit   a answer   s sort   ↑ ↓ PgUp PgDn Home End scroll"
      : "q quit   a answer   s sort   j k PgUp PgDn Home End scroll"
  }

  private static func padded(_ text: String, _ columns: Int) -> String {
    text + String(repeating: " ", count: max(1, columns - text.count))
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((min(value, 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// Keys in the bytes of a terminal, whose sequences may come in pieces.
struct KeyReader {
  private static let sequences: [String: WatchScreen.Key] = [
    "[A": .up, "[B": .down, "OA": .up, "OB": .down, "[5~": .pageUp, "[6~": .pageDown, "[H": .first,
    "[F": .last,
    "OH": .first, "OF": .last, "[1~": .first, "[4~": .last, "[7~": .first, "[8~": .last,
  ]
  /// What no terminal sends is longer.
  private static let longest = 16

  /// Behind an escape byte; nil: none has come.
  private var pending: [UInt8]?

  /// Bytes that are no key are passed over.
  mutating func keys(in bytes: some Sequence<UInt8>) -> [WatchScreen.Key] {
    bytes.compactMap { key(of: $0) }
  }

  /// Nothing has come for a while: an escape byte was a key of its own, which means nothing.
  mutating func pause() { pending = nil }

  private mutating func key(of byte: UInt8) -> WatchScreen.Key? {
    guard byte != 0x1B else {
      pending = []
      return nil
    }
    guard var sequence = pending else { return Self.key(ofLetter: byte) }
    sequence.append(byte)
    // A letter or ~ ends it; [ and O begin it.
    let isEnd = sequence.count > 1 && (0x40...0x7E).contains(byte) || sequence.count >= Self.longest
    let isOther = sequence.count == 1 && byte != UInt8(ascii: "[") && byte != UInt8(ascii: "O")
    pending = isEnd || isOther ? nil : sequence
    return isEnd ? Self.sequences[String(decoding: sequence, as: UTF8.self)] : nil
  }

  private static func key(ofLetter byte: UInt8) -> WatchScreen.Key? {
    switch byte {
    case UInt8(ascii: "k"): .up
    case UInt8(ascii: "j"): .down
    case UInt8(ascii: "b"): .pageUp
    case UInt8(ascii: " "): .pageDown
    case UInt8(ascii: "g"): .first
    case UInt8(ascii: "G"): .last
    case UInt8(ascii: "s"): .sort
    case UInt8(ascii: "a"): .answer
    case 0x0C: .redraw
    case 0x1A: .stop
    case UInt8(ascii: "q"), 0x03, 0x04: .quit
    default: nil
    }
  }
}
