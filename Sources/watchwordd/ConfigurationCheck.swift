internal import Glibc
internal import WatchwordClient
internal import WatchwordServer

/// `watchwordd --check-configuration`: reads the file as a start would, and nothing else.
struct ConfigurationCheck {
  private let place: ConfigurationPlace?

  init(_ arguments: Arguments) {
    place = ConfigurationPlace.resolve(arguments.configuration, environment: SocketPath.environment)
  }

  /// Says every fault on standard error, a line each.
  func run() throws(Failure) {
    guard let place else { throw Failure("no --configuration, XDG_CONFIG_HOME or HOME") }
    let faults = ConfigurationFile.faults(of: place)
    if let last = faults.last {
      for fault in faults.dropLast() { Failure(fault.text).report() }
      throw Failure(last.text)
    }
    print(
      isThere(place.path)
        ? "\(place.path): ok" : "\(place.path): does not exist; every setting has its default")
  }

  private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
