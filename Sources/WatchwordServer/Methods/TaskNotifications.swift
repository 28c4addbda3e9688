internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor

/// What the connection of a task is told while it runs.
@ReactorActor
enum TaskNotifications {
  static func response(
    _ head: ResponseHead, _ url: RequestURL, of task: FetchTask, in session: Session, to peer: Peer
  ) {
    send("task/didReceiveResponse", task.order.name, session, peer) { writer in
      writer.member("url", url.text)
      writer.member("status", head.status)
      writer.key("headers")
      writer.headers(head.headers)
    }
  }

  static func redirect(
    _ record: TaskStateMachine.RedirectRecord, of task: String, in session: Session, to peer: Peer
  ) {
    send("task/didRedirect", task, session, peer) { writer in
      writer.member("status", record.status)
      writer.member("from", record.from.text)
      writer.member("to", record.to.text)
    }
  }

  static func sentBody(_ sent: Int64, _ total: Int64?, of task: String, in session: Session, to peer: Peer) {
    guard !peer.isCongested else { return }
    send("task/didSendBodyData", task, session, peer) { writer in
      writer.member("bytesSent", sent)
      writer.member("totalBytes", total)
    }
  }

  static func willRedirect(
    _ request: RedirectedRequest, _ response: ResponseHead, of task: String, in session: Session,
    to peer: Peer
  ) {
    send("task/willRedirect", task, session, peer) { writer in
      writer.key("response")
      writer.beginObject()
      writer.member("status", response.status)
      writer.key("headers")
      writer.headers(response.headers)
      writer.endObject()
      writer.key("request")
      writer.beginObject()
      writer.member("url", request.url.text)
      writer.member("method", request.method)
      writer.key("headers")
      writer.headers(
        request.headers.map { SensitiveFields.contains($0.name) ? HeaderField($0.name, "<secret>") : $0 })
      writer.endObject()
    }
  }

  /// The last word of a task: what `fetch` would have answered, or the error.
  static func finish(_ outcome: TaskOutcome, of task: FetchTask, in session: Session, to peer: Peer) {
    switch outcome {
    case .success(let result):
      let (reply, descriptors) = TaskMethods.describe(result, of: task, in: session)
      peer.send(descriptors: descriptors) { writer in
        Envelope.notification(to: &writer, "task/didFinish", descriptors: descriptors.count, reply.write)
      }
    case .failure(let failure):
      let error = RPCError(failure, at: task.url)
      send("task/didFinish", task.order.name, session, peer) { writer in
        writer.key("error")
        error.write(to: &writer)
      }
    }
  }

  private static func send(
    _ name: StaticString, _ task: String, _ session: Session, _ peer: Peer,
    _ members: (inout JSONWriter) -> Void
  ) {
    peer.send { writer in
      Envelope.notification(to: &writer, name) { writer in
        writer.beginObject()
        writer.member("task", task)
        writer.member("session", session.name)
        members(&writer)
        writer.endObject()
      }
    }
  }
}
