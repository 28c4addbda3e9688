internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordSecret
internal import WatchwordVocabulary

/// Reads sources outside of the loop: files may lie on a slow file system, and programs ask others.
enum SourceReader {
  /// Readings of one source that run at the same time: a helper may ask a server.
  private static let parallelReadings = 4

  /// The lane of a source that is a file or a program.
  @ReactorActor
  static func makeLane() -> SourceLane { SourceLane(width: parallelReadings) }

  @ReactorActor
  static func read(
    _ source: NamedSource, _ request: SourceRequest, in lane: SourceLane,
    then: @escaping @ReactorActor (Result<SourceAnswer, SourceFault>) -> Void
  ) {
    lane.submit(
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
              try SourceText.credential(ofHelper: bytes, for: method, now: Clock.wallSeconds())
            }
          case .oauth: throw .unfit
          }
        }
      }, then: then)
  }
}
