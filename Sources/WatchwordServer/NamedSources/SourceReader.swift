internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// Reads sources outside of the loop: files may lie on a slow file system, and programs ask others.
enum SourceReader {
  /// Readings of one source that run at the same time: a helper may ask a server.
  private static let parallelReadings = 4

  /// The lane of a source that is a file or a program. A helper that is told something does one thing after
  /// the other.
  @ReactorActor
  static func makeLane(for source: NamedSource) -> SourceLane {
    guard case .gitHelper(let helper) = source.kind, helper.isTold else {
      return SourceLane(width: parallelReadings)
    }
    return SourceLane(width: 1)
  }

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
          case .gitHelper(let helper): return try ask(helper, request)
          case .oauth: throw .unfit
          }
        }
      }, then: then)
  }

  private static func ask(
    _ helper: NamedSource.GitHelper, _ request: SourceRequest
  ) throws(SourceFault) -> SourceAnswer {
    let question = Secret(SourceText.question(request))
    let said = try HelperProcess.run(helper.command + ["get"], question)
    return try said.withBytes { bytes throws(SourceFault) in
      var answer = try SourceText.credential(
        ofHelper: bytes, for: request.space.authenticationMethod, now: Clock.wallSeconds())
      if helper.isTold { answer.receipt = SourceText.receipt(ofHelper: bytes, for: request.space.origin) }
      return answer
    }
  }

  /// As for git, what it answers and how it ends say nothing.
  @ReactorActor
  static func tell(
    _ helper: NamedSource.GitHelper, _ report: SourceReport, in lane: SourceLane,
    then: @escaping @ReactorActor (Result<Void, SourceFault>) -> Void
  ) {
    lane.submit(
      {
        Result { () throws(SourceFault) in
          _ = try HelperProcess.run(helper.command + [report.operation.rawValue], report.receipt)
        }
      }, then: then)
  }
}

/// A reading of a source that is not finished yet.
struct SourceTicket {
  /// Nothing is said about the reading any more; a person who was asked for it is asked no longer. False when
  /// it had ended before.
  let abandon: @ReactorActor () -> Bool
}
