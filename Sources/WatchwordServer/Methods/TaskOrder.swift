internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordTransport
internal import WatchwordVocabulary

/// From the parameters of `fetch` and `task/start` to what a task needs: URL parsed, descriptors checked.
@ReactorActor
enum TaskOrder {
  /// Of one request; `Range` and `If-Range` are the daemon's own.
  private static let maximumHeaders = RequestFault.maximumFields - 2

  static func make(
    _ parameters: FetchParameters, call: Call, session: SessionDriver, daemon: Daemon
  ) throws(RPCError) -> (TaskRequest, TaskDriver.Order) {
    let url = try URLParameter.parse(parameters.url, &session.authorities)
    if let restriction = call.peer.restriction {
      let member = url.userinfo == nil ? parameters.memberBeyond(restriction.rules) : "params.url"
      if let member {
        throw restriction.refuse(RestrictionFault(.member, to: url.origin), to: call.peer, path: member)
      }
    }
    guard session.state.allows(url.origin) else {
      throw .addressRefused("the session does not allow \(url.origin)")
    }
    let headers = try parameters.allHeaders()
    // Every fetch comes by here, and the whole configuration is a large copy.
    guard session.state.configuration.headers.count + headers.count <= maximumHeaders else {
      throw .invalidParams("params.headers", "with the session's, more than \(maximumHeaders) fields")
    }
    // The whole configuration is a large copy.
    let versions = parameters.excludesVersions ? try parameters.versions(of: session.configuration) : nil
    let isChosen = session.name != SessionRegistry.defaultName && !session.isNamedAfterSettings
    let hasOwnCookies = try parameters.hasOwnCookies(
      hasForms: !session.state.configuration.forms.isEmpty, isChosen: isChosen)
    let name = try self.name(parameters.task, session.uid, daemon)
    let charge = MemoryCharge(daemon.budget, uid: session.uid)
    let held = HeldBytes.task + parameters.heldBytes + (call.identifier?.byteCount ?? 0)
    guard charge.grow(by: held) else { throw .overBudget }
    let body = try self.body(parameters.body, call)
    let delivery = parameters.output ?? Fetch.Delivery()
    let (output, partial) = try self.output(
      delivery.output, isChecked: !delivery.digests.isEmpty, name: name, call: call, session: session,
      charge: charge)
    var request = TaskRequest(
      identifier: daemon.nextTask(),
      firstStep: RequestStep(
        url: url, method: parameters.method, headers: headers + (partial?.fields ?? []),
        sensitiveNames: Set((parameters.sensitiveHeaders ?? []).map { $0.asciiLowercased }),
        body: body.content))
    request.peer = call.peer.identifier
    request.process = call.peer.caller
    request.isDetached = parameters.detached
    request.followsRedirects = parameters.followRedirects
    request.redirectLimit = parameters.redirects?.limit
    request.versions = versions
    request.proxies = try TaskRequest.Proxies(parameters.proxies)
    request.traceContext = parameters.traceContext
    request.bodyBytes = body.size
    request.bodyDigest = { body.digestBody($0) }
    request.maximumBodyBytes = parameters.maximumBodyBytes.map { Int64($0) }
    let timeouts = session.state.configuration.timeouts
    request.exchanges = ExchangeSettings(
      timeouts: ExchangeTimeouts(
        connectSeconds: parameters.timeouts?.connectSeconds ?? timeouts.connectSeconds,
        requestSeconds: parameters.timeouts?.requestSeconds ?? timeouts.requestSeconds),
      decodesContent: parameters.decodeContent && partial == nil)
    request.exchanges.priority = parameters.priority
    request.exchanges.maximumBytesPerSecond = parameters.maximumBytesPerSecond.map { Int64($0) }
    // What the session adds to a request is not for a restricted caller.
    if parameters.exchangeDetails && call.peer.restriction == nil {
      request.exchanges.detailsHiding = request.firstStep.sensitiveNames
    }
    let order = TaskDriver.Order(
      name: name, body: body,
      resourceSeconds: parameters.timeouts?.resourceSeconds ?? timeouts.resourceSeconds,
      hasOwnCookies: hasOwnCookies, reportsMetrics: parameters.metrics, output: output,
      digests: delivery.digests, charge: charge)
    return (request, order)
  }

  private static func name(
    _ chosen: String?, _ uid: UInt32, _ daemon: Daemon
  ) throws(RPCError) -> String {
    guard let chosen else { return daemon.freeTaskName(uid) }
    guard daemon.tasks[TaskName(uid: uid, text: chosen)] == nil else {
      throw .taskIdentifierInUse("params.task: \(chosen) is in use", path: "params.task")
    }
    return chosen
  }

  private static func body(
    _ body: Fetch.Body?, _ call: Call
  ) throws(RPCError) -> RequestBody {
    switch body {
    case nil: return RequestBody(.none)
    case .bytes(let bytes): return RequestBody(.bytes(bytes))
    case .descriptor(let index):
      let descriptor = try CallerDescriptor.claim(
        index, of: call, path: "params.body.descriptor", for: .reading)
      guard descriptor.isRegular else { return RequestBody(.stream(descriptor)) }
      guard let (size, offset) = descriptor.sizeAndOffset else {
        throw RPCError(descriptor: "params.body.descriptor", "cannot be read")
      }
      return RequestBody(.file(descriptor, offset: offset, length: max(0, size - offset)))
    }
  }

  private static func output(
    _ output: Fetch.Output, isChecked: Bool, name: String, call: Call, session: SessionDriver,
    charge: MemoryCharge
  ) throws(RPCError) -> (any TaskOutput, PartialDownload?) {
    let limits = session.state.configuration.limits
    switch output {
    case .inline:
      return (
        CollectingOutput(inlineLimit: limits.inlineBodyBytes, memoryFileLimit: nil, charge: charge), nil
      )
    case .auto:
      let takesFiles = call.peer.takesDescriptors && !call.isBatched
      return (
        CollectingOutput(
          inlineLimit: limits.inlineBodyBytes, memoryFileLimit: takesFiles ? limits.memoryBodyBytes : nil,
          charge: charge),
        nil
      )
    case .discard: return (DiscardingOutput(), nil)
    case .stream: return (StreamOutput(to: call.peer, task: name, session: session.name), nil)
    case .descriptor(let index, let validator):
      let descriptor = try CallerDescriptor.claim(
        index, of: call, path: "params.output.descriptor", for: .writing)
      guard let validator else { return (DescriptorOutput(descriptor, charge: charge.another()), nil) }
      guard let (_, offset) = descriptor.sizeAndOffset else {
        throw RPCError(
          descriptor: "params.output.resumeIfRange", "only a regular file can be resumed")
      }
      guard !isChecked || offset == 0 || descriptor.isReadable else {
        throw RPCError(
          descriptor: "params.output.descriptor",
          "to check the digest of a resumed file, it must be open for reading, too")
      }
      let partial = PartialDownload(size: offset, validator: validator)
      return (ContinuingOutput(descriptor, partial, charge: charge.another()), partial)
    }
  }
}

extension FetchParameters {
  /// What is kept of the request until the task ends.
  fileprivate var heldBytes: Int {
    var count = HeldBytes.text(url) + (headers?.heldBytes ?? 0)
    for name in sensitiveHeaders ?? [] { count += HeldBytes.text(name) }
    if case .bytes(let bytes) = body { count += bytes.count }
    count += proxies?.heldBytes ?? 0
    return count
  }
}
