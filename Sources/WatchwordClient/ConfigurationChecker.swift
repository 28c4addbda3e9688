internal import CLinux
internal import Glibc
internal import WatchwordPrimitives

/// Has the daemon's program check a configuration file: what it says of one is what a start would say.
package enum ConfigurationChecker {
  /// What is wrong in the file, a line each, as the program prints it; nil when it cannot be run.
  ///
  /// - Parameter path: nil: the file of this account.
  package static func faults(in path: String?) -> [String]? {
    guard let program = DaemonLauncher.findProgram(), let pipe = Pipe() else { return nil }
    let arguments = ["--check-configuration"] + (path.map { ["--configuration", $0] } ?? [])
    guard let pid = ChildProcess.start(program, arguments, output: pipe.writing, isDetached: true) else {
      return nil
    }
    let reading = pipe.keepReading()
    let output = DaemonLauncher.collect(from: reading.number) { _ in false }
    // It has ended, or says nothing for too long.
    kill(pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
    let prefix = "watchwordd: "
    let faults = output.split(separator: "\n").filter { $0.hasPrefix(prefix) }
    return faults.map { String($0.dropFirst(prefix.count)) }
  }
}
