internal import ArgumentParser
internal import CLinux
internal import Logging

extension ExitCode {
  /// The command line is wrong; the argument parser's default would be 64.
  static let usage = ExitCode(2)
}
