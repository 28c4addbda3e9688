internal import ArgumentParser
internal import CLinux
internal import Logging

/// The message on standard error before the daemon exits with status 1.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
