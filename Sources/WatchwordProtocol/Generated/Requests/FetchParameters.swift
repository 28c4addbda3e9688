package import WatchwordCore
package import WatchwordVocabulary

/// The parameters of `fetch`, `task/start`. Made from `protocol/openrpc.json` by `protocol/generate`.
package struct FetchParameters: MethodParameters {
  package enum Cookies: String, CaseIterable, Sendable {
    case session
    case task
  }

  /// Left out: default.
  package let session: String?
  /// The caller's own name for the task, spelled like a session's; left out, the daemon chooses.
  /// taskIdentifierInUse when a running task of the uid has it.
  package let task: String?
  /// Absolute, http or https. Userinfo serves this task only: it is cut off and tried as the first
  /// credential (storage.md 9.2.2).
  package let url: String
  package let method: String
  /// Order and duplicates are kept.
  package let headers: [HeaderField]?
  /// Names of further fields that carry a secret: they are dropped when a redirect changes the origin,
  /// like Authorization and Cookie (messages.md, section 9).
  package let sensitiveHeaders: [String]?
  package let body: Fetch.Body?
  /// Members left out are the session's.
  package let timeouts: TimeoutsMembers?
  /// Of the tasks that wait for a connection to one origin, the highest goes first.
  package let priority: Double
  /// Go on when the connection is gone; the result is kept for task/describe for ten minutes.
  package let detached: Bool
  /// Where the body goes: into the result, a memory file, notifications, a descriptor of the caller, or
  /// nowhere (messages.md 5.5.1).
  package let output: Fetch.Delivery?
  /// Decode content codings (messages.md 5.1.7).
  package let decodeContent: Bool
  /// A larger body of the result, after decoding, is bodyTooLarge (messages.md 5.5.2).
  package let maximumBodyBytes: Int?
  /// Instead of the session's, for this task (messages.md 14.8).
  package let proxies: SessionConfiguration.Proxies?
  /// False: the first redirect is the result, whatever the session's policy says.
  package let followRedirects: Bool
  /// Instead of the session's, for this task (messages.md 5.1.8).
  package let redirects: TaskRedirectsMembers?
  /// Versions of TLS that the task excludes, of those of the session (messages.md 5.1.9).
  package let tls: TaskTLSMembers?
  /// Without 2, the task excludes it (messages.md 5.1.9).
  package let httpVersions: [SessionConfiguration.HTTPVersion]?
  /// Whose cookies count. Left out: task in default and in sessions that are named after their settings
  /// (messages.md 10.5).
  package let cookies: Cookies?
  /// Put the metrics into the result (messages.md 5.2.3).
  package let metrics: Bool

  package init(_ reader: inout ParameterReader) throws(RPCError) {
    session = try reader["session"]?.name(maximumBytes: 128)
    task = try reader["task"]?.name(maximumBytes: 128)
    url = try reader.required("url").string(maximumBytes: 16_384, minimumBytes: 1)
    method = try reader["method"]?.method(maximumBytes: 32) ?? "GET"
    headers = try reader["headers"]?.headers(maximum: 256)
    sensitiveHeaders = try reader["sensitiveHeaders"]?.array(maximum: 64) { element throws(RPCError) in
      try element.fieldName()
    }
    body = try reader["body"]?.unlessNull?.requestBody()
    timeouts = try reader["timeouts"]?.object(TimeoutsMembers.init)
    priority = try reader["priority"]?.number(in: 0...1) ?? 0.5
    detached = try reader["detached"]?.bool() ?? false
    output = try reader["output"]?.output()
    decodeContent = try reader["decodeContent"]?.bool() ?? true
    maximumBodyBytes = try reader["maximumBodyBytes"]?.integer(in: 0...Int.max)
    proxies = try reader["proxies"]?.proxies()
    followRedirects = try reader["followRedirects"]?.bool() ?? true
    redirects = try reader["redirects"]?.object(TaskRedirectsMembers.init)
    tls = try reader["tls"]?.object(TaskTLSMembers.init)
    httpVersions = try reader["httpVersions"]?.httpVersions(maximum: 2, minimum: 1)
    cookies = try reader["cookies"]?.enumeration(Cookies.self)
    metrics = try reader["metrics"]?.bool() ?? false
    try checkHead()
  }
}
