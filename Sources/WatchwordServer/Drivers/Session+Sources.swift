internal import WatchwordCore
internal import WatchwordVocabulary

extension Session {
  /// Reads a source for the state.
  func read(_ request: SourceRequest) {
    guard let source = environment.sources[request.name], source.serves(request.space.origin) else {
      return take { $0.sourceRead(request, nil, at: $1) }
    }
    counters.sourcesRead += 1
    SourceReader.read(source, request) { [weak self] result in
      guard let self, !isOver else { return }
      var answer: SourceAnswer?
      switch result {
      case .success(let given): answer = given
      case .failure(let fault):
        counters.sourcesFailed += 1
        environment.warn(of: fault, ofSource: request.name, for: request.space.origin, in: self)
      }
      take { $0.sourceRead(request, answer, at: $1) }
    }
  }
}
