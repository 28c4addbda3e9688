internal import WatchwordCore
internal import WatchwordMessages

extension Histogram {
  var sent: Sent.Histogram { Sent.Histogram(bounds: bounds, counts: counts, sum: sum) }
}
