package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// How many times took how long, since the daemon started.
  package struct Histogram: SentObject {
    /// In seconds, ascending.
    package let bounds: [Double]
    /// How many took at most so long, and longer than the bound before; one more than `bounds`: those that
    /// took longer than all.
    package let counts: [Int]
    /// Of all, in seconds.
    package let sum: Double

    package init(bounds: [Double], counts: [Int], sum: Double) {
      self.bounds = bounds
      self.counts = counts
      self.sum = sum
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("bounds", bounds)
      writer.member("counts", counts)
      writer.seconds("sum", sum)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      bounds = try object.member("bounds")
      counts = try object.member("counts")
      sum = try object.member("sum")
    }
  }
}
