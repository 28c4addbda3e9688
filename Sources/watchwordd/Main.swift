internal import ArgumentParser
internal import CLinux
internal import Logging

extension ExitCode {
  /// The command line is wrong; 64 where nobody says otherwise.
  static let usage = ExitCode(2)
}
