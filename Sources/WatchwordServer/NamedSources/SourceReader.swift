internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVocabulary

/// Reads sources outside of the loop: files may lie on a slow file system, and programs ask others.
enum SourceReader {
  /// A helper that hangs must not delay the files of requests.
  private static let pool = BlockingPool(threads: 4)
  /// The files of OAuth sources: no helper delays them, and a refresh token is written after the one before.
  static let tokenFiles = BlockingPool(threads: 1)

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
            let contents = try SourceFile.contents(path)
            return try contents.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(inFile: bytes, user: user, for: method)
            }
          case .systemd(let name, let user):
            let contents = try SystemdCredential.contents(of: name)
            return try contents.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(inFile: bytes, user: user, for: method)
            }
          case .gitHelper(let command):
            let said = try HelperProcess.run(command + ["get"], Secret(SourceText.question(request)))
            return try said.withBytes { bytes throws(SourceFault) in
              try SourceText.credential(ofHelper: bytes, for: method)
            }
          case .oauth: throw .unfit
          }
        }
      }, then: then)
  }
}
