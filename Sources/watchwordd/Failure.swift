internal import ArgumentParser
internal import CLinux
internal import Logging

/// What is told on standard error before the daemon ends with 1.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
