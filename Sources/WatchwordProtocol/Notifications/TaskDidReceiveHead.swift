package import WatchwordCore
package import WatchwordMessages
internal import WatchwordPrimitives
package import WatchwordVocabulary

/// `task/didReceiveHead`: a response came that is not the result, a refusal that was answered or a proxy's reply to
/// CONNECT.
package struct TaskDidReceiveHead: OutgoingNotification, Describing {
  package let task: String
  package let session: String
  package let hop: Hop
  /// Without userinfo.
  package let url: String
  package let head: ResponseHead

  package init(task: String, session: String, hop: Hop, url: String, head: ResponseHead) {
    self.task = task
    self.session = session
    self.hop = hop
    self.url = url
    self.head = head
  }

  package var name: StaticString { "task/didReceiveHead" }

  /// The proxy's state of a login is not the caller's, as in errors.
  package var sent: Sent.TaskDidReceiveHead {
    let fields = head.headers.filter {
      hop == .origin || !ChallengeDescription.hiddenFields.contains($0.name.asciiLowercased)
    }
    return Sent.TaskDidReceiveHead(
      task: task, session: session, hop: hop.rawValue, url: url, status: head.status,
      protocol: head.networkProtocol, headers: fields)
  }
}
