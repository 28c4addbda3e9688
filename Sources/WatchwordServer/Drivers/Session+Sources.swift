internal import WatchwordCore
internal import WatchwordVocabulary

extension Session {
  /// Reads a source for the state.
  func read(_ request: SourceRequest) {
    var isRead = false
    let ticket = environment.sources.read(request) { [weak self] code in
      guard let self, !isOver else { return }
      take { $0.sourcePrompts(request, code, at: $1) }
    } then: { [weak self] result in
      isRead = true
      guard let self, !isOver else { return }
      if case .challenge(let identifier) = request.purpose { readings[identifier] = nil }
      if case .failure(let fault) = result, fault != .promptNeeded || request.purpose != .renewal {
        environment.warn(of: fault, ofSource: request.name, for: request.space.origin, in: self)
      }
      take { $0.sourceRead(request, result, at: $1) }
    }
    if case .challenge(let identifier) = request.purpose, let ticket, !isRead {
      readings[identifier] = ticket
    }
  }

  func tell(_ report: SourceReport) {
    environment.sources.tell(report) { [weak self] fault in
      guard let self else { return }
      environment.warn(of: fault, ofSource: report.source, for: report.origin, in: self)
    }
  }
}
