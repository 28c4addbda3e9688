internal import CLinux
internal import Glibc
internal import WatchwordOptions
internal import WatchwordServer

@main
enum Main {
  static func main() {
    clinux_reserve_standard_descriptors()
    clinux_give_memory_back_early()
    do throws(Failure) {
      let arguments = try Arguments(words().dropFirst())
      if arguments.wantsHelp {
        print(Arguments.help, terminator: "")
      } else if arguments.wantsVersion {
        print(DaemonOptions.version)
      } else if arguments.checksConfiguration {
        try ConfigurationCheck(arguments).run()
      } else {
        try WatchwordDaemon(arguments).run()
      }
    } catch {
      error.exit()
    }
  }

  private static func words() throws(Failure) -> [String] {
    do throws(ProgramArguments.ArgumentsFault) {
      return try ProgramArguments.read()
    } catch {
      throw .usage(error.text)
    }
  }
}

/// `watchwordd --check-configuration`: reads the file as a start would, and nothing else.
struct ConfigurationCheck {
  private let place: ConfigurationPlace?

  init(_ arguments: Arguments) {
    place = ConfigurationPlace.resolve(arguments.configuration, environment: Environment.value(of:))
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
