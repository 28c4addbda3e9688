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
    let place = ConfigurationPlace.given("/proc/self/fd/\(file)")
    let faults = ConfigurationFile.faults(of: place)
    do throws(ConfigurationFault) {
      let configuration = try ConfigurationFile(place)
      require(faults.isEmpty, "a fault of what is read")
      require(
        configuration.settings.pkcs11Modules.allSatisfy { $0.hasPrefix("/") }, "a module that is searched for"
      )
    } catch {
      require(!error.text.isEmpty, "a fault without a reason")
      require(faults.contains { $0.text == error.text }, "a check that does not find the fault")
    }
  }
}
