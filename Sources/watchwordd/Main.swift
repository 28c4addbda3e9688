internal import CLinux
internal import WatchwordServer

@main
enum Main {
  static func main() {
    clinux_reserve_standard_descriptors()
    do throws(Failure) {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.wantsHelp {
        print(Arguments.help, terminator: "")
      } else if arguments.wantsVersion {
        print(DaemonOptions.version)
      } else {
        try WatchwordDaemon(arguments).run()
      }
    } catch {
      error.exit()
    }
  }
}
