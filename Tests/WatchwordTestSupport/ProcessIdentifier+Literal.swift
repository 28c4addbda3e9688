package import WatchwordVocabulary

/// The process of this pid that started with the system.
extension ProcessIdentifier: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int32) { self.init(pid: value, startTime: 0) }
}
