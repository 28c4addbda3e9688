import Glibc
import Testing
import WatchwordCore
import WatchwordVault
import WatchwordVocabulary

@testable import WatchwordServer

/// The program that asks the Secret Service, in processes with an environment of their own.
struct DesktopSessionTests {
  private static func access(_ program: String?) -> String {
    switch DesktopSession.access(program) {
    case .none(let reason): reason
    case .later: "later"
    case .now: "now"
    }
  }

  @Test func onlyAProgramThatIsThereIsAsked() async {
    await #expect(processExitsWith: .success) {
      setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1)
      #expect(Self.access(nil) == "watchword-secret-service is not installed")
      #expect(Self.access("/nowhere/program") == "watchword-secret-service is not installed")
      #expect(Self.access("/bin/sh") == "now")
    }
  }

  @Test func aBusIsFoundAsByOthers() async {
    await #expect(processExitsWith: .success) {
      let none = "there is no session bus"
      setenv("DBUS_SESSION_BUS_ADDRESS", "autolaunch:", 1)
      #expect(Self.access("/bin/sh") == none)
      unsetenv("DBUS_SESSION_BUS_ADDRESS")
      unsetenv("XDG_RUNTIME_DIR")
      #expect(Self.access("/bin/sh") == none)
      let folder = try TemporaryFolder()
      setenv("XDG_RUNTIME_DIR", folder.path, 1)
      #expect(Self.access("/bin/sh") == none)
      try folder.write("", to: "bus")
      #expect(Self.access("/bin/sh") == none)
      unlink(folder.path(of: "bus"))
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.path(of: "bus").utf8) }
      let isBound = withUnsafeBytes(of: &address) { bytes in
        bytes.baseAddress.map {
          bind(socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
      }
      #expect(isBound == true && Self.access("/bin/sh") == "now")
      // A relative directory does not count, and a socket of another user does not.
      chdir(folder.path)
      setenv("XDG_RUNTIME_DIR", ".", 1)
      #expect(Self.access("/bin/sh") == none)
      setenv("XDG_RUNTIME_DIR", folder.path, 1)
      if geteuid() == 0 { chown(folder.path(of: "bus"), 1, 1) }
      #expect(Self.access("/bin/sh") == (geteuid() == 0 ? none : "now"))
      close(socket)
    }
  }

  /// The service over a program that says `$1`.
  private static func service(_ folder: TemporaryFolder, saying answer: String) throws -> any SecretService {
    setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", 1)
    let text = "#!/bin/sh\n(echo \"$@\"; cat) > \(folder.path(of: "asked"))\nprintf '\(answer)'\n"
    let program = try folder.write(text, to: "program", mode: 0o700)
    guard case .now(let service) = DesktopSession.access(program) else { throw SourceFault.notStarted }
    return service
  }

  /// What is read of an answer: the octets of the key, or the fault.
  private static func check(_ answer: String, is expected: String) throws {
    let found = try key(answer)
    #expect(found == expected)
  }

  private static func key(_ answer: String) throws -> String {
    let folder = try TemporaryFolder()
    let service = try service(folder, saying: answer)
    do throws(VaultFault) {
      let key = try service.key("id")
      #expect(folder.read("asked") == "lookup id\n")
      return key.map { $0.withBytes { $0.map { String($0, radix: 16) }.joined(separator: " ") } } ?? "none"
    } catch {
      guard case .keyring(let text, let isLocked) = error else { return "\(error)" }
      return (isLocked ? "locked: " : "") + text
    }
  }

  @Test func aKeyIsRead() async {
    await #expect(processExitsWith: .success) {
      let digits = String(repeating: "0aFf", count: 16)
      let octets = Array(repeating: "a ff", count: 16).joined(separator: " ")
      try Self.check("k" + digits, is: octets)
      let malformed = "the Secret Service gives what is no key"
      try Self.check("k" + digits.dropLast(), is: malformed)
      try Self.check("k" + digits + "0", is: malformed)
      try Self.check("k" + digits.dropLast() + "x", is: malformed)
      try Self.check("m", is: "none")
    }
  }

  @Test func whyThereIsNoKeyIsSaid() async {
    await #expect(processExitsWith: .success) {
      try Self.check(
        "l",
        is: "locked: the keyring of the desktop session is locked: unlock it, and the vault opens with the "
          + "next request")
      try Self.check("a", is: "no Secret Service answers on the session bus: is the desktop session open?")
      try Self.check("", is: "watchword-secret-service has ended: is libsecret installed?")
      try Self.check("?", is: "the Secret Service fails")
    }
  }

  @Test func aKeyIsKeptAndRemoved() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let service = try Self.service(folder, saying: "s")
      try service.keep(Secret([0x0A, 0xFF]), as: "id", for: "/vault")
      #expect(folder.read("asked") == "store id Watchword: /vault\n0aff")
      service.remove("id")
      #expect(folder.read("asked") == "remove id\n")
      let failing = try Self.service(folder, saying: "m")
      #expect(throws: VaultFault.self) { try failing.keep(Secret([1]), as: "id", for: "/vault") }
    }
  }
}
