internal import Glibc
internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVocabulary

/// Reads sources outside of the loop: files may lie on a slow file system, and programs ask others.
enum SourceReader {
  /// A helper that hangs must not delay the files of requests.
  private static let pool = BlockingPool(threads: 4)

  static func read(
    _ source: NamedSource, _ request: SourceRequest,
    then: @escaping @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void
  ) {
    pool.submit(
      {
        Result { () throws(SourceFault) in
          let method = request.space.authenticationMethod
          switch source.kind {
          case .file(let path, let user):
            let contents = try file(path, isPrivate: true)
            return try contents.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(inFile: bytes, user: user, for: method)
            }
          case .systemd(let name, let user):
            let contents = try SystemdCredential.contents(of: name)
            return try contents.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(inFile: bytes, user: user, for: method)
            }
          case .gitHelper(let command):
            let said = try HelperProcess.run(command + ["get"], SourceText.question(request))
            return try said.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(ofHelper: bytes, for: method)
            }
          }
        }
      }, then: then)
  }

  static func file(_ path: String, isPrivate: Bool) throws(SourceFault) -> Secret {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .unreadable }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
      information.st_uid == geteuid() || information.st_uid == 0
    else { throw .unreadable }
    guard !isPrivate || information.st_mode & 0o077 == 0 else { throw .looseMode }
    return try SourceBytes.all { buffer in Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }
}
