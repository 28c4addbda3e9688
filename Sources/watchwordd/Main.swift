internal import CLinux
internal import WatchwordClient
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
    do throws(ProgramArguments.Fault) {
      return try ProgramArguments.read()
    } catch {
      throw .usage(error.text)
    }
  }
}
