internal import Glibc
internal import WatchwordServer

/// The administrator's configuration file.
enum ConfigurationTarget {
  /// Its name is gone.
  private static let file: Int32 = {
    var name = Array("/tmp/watchword-fuzz-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    unlink(name)
    return descriptor
  }()

  @Sendable static func run(_ input: UnsafeRawBufferPointer) {
    require(file >= 0 && ftruncate(file, 0) == 0, "no file")
    require(pwrite(file, input.baseAddress, input.count, 0) == input.count, "the file is not written")
    do throws(ConfigurationFault) {
      let configuration = try ConfigurationFile(path: "/proc/self/fd/\(file)")
      require(configuration.tokenModules.allSatisfy { $0.hasPrefix("/") }, "a module that is searched for")
    } catch {
      require(!error.text.isEmpty, "a fault without a reason")
    }
  }
}
