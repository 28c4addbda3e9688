internal import WatchwordCore
internal import WatchwordReactor
internal import WatchwordVocabulary

/// How origins have answered protocol offers (ALPN, RFC 7301).
@ReactorActor
final class SpokenProtocols {
  private struct Answers {
    var speakHTTP2 = false
    /// The origin did not agree when it was offered only HTTP/1.1.
    var refuseHTTP1 = false
  }

  /// Origins that are remembered; an unknown one costs a request with a body one connection.
  private static let capacity = 1024

  private var answers: [Origin: Answers] = [:]

  func speaksHTTP2(_ origin: Origin) -> Bool { answers[origin]?.speakHTTP2 ?? false }
  func refusesHTTP1(_ origin: Origin) -> Bool { answers[origin]?.refuseHTTP1 ?? false }

  func noteHTTP2(_ origin: Origin) { change(origin) { $0.speakHTTP2 = true } }
  func noteRefusalOfHTTP1(_ origin: Origin) { change(origin) { $0.refuseHTTP1 = true } }

  private func change(_ origin: Origin, _ change: (inout Answers) -> Void) {
    if answers[origin] == nil, answers.count >= Self.capacity { answers.removeAll() }
    change(&answers[origin, default: Answers()])
  }
}
