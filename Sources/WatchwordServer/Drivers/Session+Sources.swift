internal import WatchwordCore
internal import WatchwordVocabulary

extension Session {
  /// Reads a source for the state.
  func read(_ request: SourceRequest) {
    environment.sources.read(request) { [weak self] result in
      guard let self, !isOver else { return }
      if case .failure(let fault) = result {
        environment.warn(of: fault, ofSource: request.name, for: request.space.origin, in: self)
      }
      take { $0.sourceRead(request, result, at: $1) }
    }
  }
}
