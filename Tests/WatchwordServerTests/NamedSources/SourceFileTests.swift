import Glibc
import Testing
import WatchwordCore
import WatchwordVocabulary

@testable import WatchwordServer

/// A file with a secret is the administrator's, and private (administrator.md 15.3).
struct SourceFileTests {
  private static func outcome(_ read: () throws(SourceFault) -> Secret) -> String {
    do throws(SourceFault) {
      return try read().withBytes { "\($0.count) " + String(decoding: $0.prefix(20), as: UTF8.self) }
    } catch {
      return "\(error)"
    }
  }

  private static func contents(_ path: String, isPrivate: Bool = true) -> String {
    outcome { () throws(SourceFault) in try SourceFile.contents(path, isPrivate: isPrivate) }
  }

  @Test func aSecretIsReadFromAPrivateFile() throws {
    let folder = try TemporaryFolder()
    #expect(Self.contents(folder.path(of: "none")) == "unreadable")
    #expect(Self.contents(folder.path) == "unreadable")
    mkfifo(folder.path(of: "fifo"), 0o600)
    #expect(Self.contents(folder.path(of: "fifo")) == "unreadable")
    let path = try folder.write("secret\n", to: "f")
    #expect(Self.contents(path) == "7 secret\n")
    for mode: mode_t in [0o640, 0o604, 0o610, 0o601] {
      chmod(path, mode)
      #expect(Self.contents(path) == "looseMode")
      #expect(Self.contents(path, isPrivate: false) == "7 secret\n")
    }
  }

  @Test func aFileHasSoManyBytes() throws {
    let folder = try TemporaryFolder()
    let most = SourceText.maximumBytes
    for (count, expected) in [(most - 1, "\(most - 1) x"), (most, "\(most) x"), (most + 1, "tooLarge")] {
      let path = try folder.write([UInt8](repeating: UInt8(ascii: "x"), count: count), to: "f")
      #expect(Self.contents(path).hasPrefix(expected))
    }
    #expect(Self.contents(try folder.write("", to: "f")) == "0 ")
  }

  @Test func oneLineIsReplacedByAnother() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("old\n", to: "f", mode: 0o600)
    try folder.write("left", to: "f.new")
    try SourceFile.replace(path, with: Secret("new".utf8))
    #expect(folder.read("f") == "new\n" && folder.names == ["f"] && folder.mode(of: "f") == 0o600)
    #expect(Self.outcome { () throws(SourceFault) in try SourceFile.line(path) } == "3 new")
    try folder.write("one\ntwo\n", to: "g")
    #expect(
      Self.outcome { () throws(SourceFault) in try SourceFile.line(folder.path(of: "g")) } == "malformed")
  }

  @Test func whatCannotBeReplacedStays() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path(of: "f"), 0o700)
    #expect(throws: SourceFault.unwritable) {
      try SourceFile.replace(folder.path(of: "f"), with: Secret("x".utf8))
    }
    #expect(folder.names == ["f"])
    #expect(throws: SourceFault.unwritable) {
      try SourceFile.replace(folder.path(of: "none/f"), with: Secret("x".utf8))
    }
  }

  /// A disk without room, or with room for a part of it.
  @Test func whatIsWrittenInPartReplacesNothing() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let path = try folder.write("old", to: "f", mode: 0o600)
      var limit = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      getrlimit(kind, &limit)
      for size: rlim_t in [0, 2] {
        limit.rlim_cur = size
        setrlimit(kind, &limit)
        #expect(throws: SourceFault.unwritable) { try SourceFile.replace(path, with: Secret("new".utf8)) }
        #expect(folder.read("f") == "old" && folder.names == ["f"])
      }
    }
  }

  @Test func aTextIsUTF8() throws {
    let folder = try TemporaryFolder()
    #expect(try SourceFile.text(try folder.write("é", to: "f", mode: 0o644)) == "é")
    let path = try folder.write([0xFF], to: "f")
    #expect(throws: SourceFault.malformed) { try SourceFile.text(path) }
  }
}
