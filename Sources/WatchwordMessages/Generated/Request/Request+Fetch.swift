package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request {
  /// The parameters of `fetch`. Runs a task and replies when it has finished.
  package struct Fetch: MethodRequest {
    package typealias Result = Sent.FetchResult
    package static let method = "fetch"

    package let session: String?
    package let task: String?
    package let url: String
    package let method: String?
    package let headers: [HeaderField]?
    package let sensitiveHeaders: [String]?
    package let body: Request.RequestBody?
    package let timeouts: Request.Timeouts?
    package let priority: Double?
    package let detached: Bool?
    package let output: TextOr<Request.Output>?
    package let decodeContent: Bool?
    package let maximumBodyBytes: Int?
    package let proxies: TextOr<Request.Proxies>?
    /// False: the first redirect is the result, whatever the session's policy says.
    package let followRedirects: Bool?
    package let redirects: Request.TaskRedirects?
    package let tls: Request.TaskTLS?
    package let httpVersions: [String]?
    package let cookies: String?
    package let metrics: Bool?

    package init(
      session: String? = nil, task: String? = nil, url: String, method: String? = nil,
      headers: [HeaderField]? = nil, sensitiveHeaders: [String]? = nil, body: Request.RequestBody? = nil,
      timeouts: Request.Timeouts? = nil, priority: Double? = nil, detached: Bool? = nil,
      output: TextOr<Request.Output>? = nil, decodeContent: Bool? = nil, maximumBodyBytes: Int? = nil,
      proxies: TextOr<Request.Proxies>? = nil, followRedirects: Bool? = nil,
      redirects: Request.TaskRedirects? = nil, tls: Request.TaskTLS? = nil, httpVersions: [String]? = nil,
      cookies: String? = nil, metrics: Bool? = nil
    ) {
      self.session = session
      self.task = task
      self.url = url
      self.method = method
      self.headers = headers
      self.sensitiveHeaders = sensitiveHeaders
      self.body = body
      self.timeouts = timeouts
      self.priority = priority
      self.detached = detached
      self.output = output
      self.decodeContent = decodeContent
      self.maximumBodyBytes = maximumBodyBytes
      self.proxies = proxies
      self.followRedirects = followRedirects
      self.redirects = redirects
      self.tls = tls
      self.httpVersions = httpVersions
      self.cookies = cookies
      self.metrics = metrics
    }

    package func writeMembers(to writer: inout JSONWriter) {
      if let session { writer.member("session", session) }
      if let task { writer.member("task", task) }
      writer.member("url", url)
      if let method { writer.member("method", method) }
      if let headers { writer.member("headers", headers) }
      if let sensitiveHeaders { writer.member("sensitiveHeaders", sensitiveHeaders) }
      if let body { writer.member("body", body) }
      if let timeouts { writer.member("timeouts", timeouts) }
      if let priority { writer.member("priority", priority) }
      if let detached { writer.member("detached", detached) }
      if let output { writer.member("output", output) }
      if let decodeContent { writer.member("decodeContent", decodeContent) }
      if let maximumBodyBytes { writer.member("maximumBodyBytes", maximumBodyBytes) }
      if let proxies { writer.member("proxies", proxies) }
      if let followRedirects { writer.member("followRedirects", followRedirects) }
      if let redirects { writer.member("redirects", redirects) }
      if let tls { writer.member("tls", tls) }
      if let httpVersions { writer.member("httpVersions", httpVersions) }
      if let cookies { writer.member("cookies", cookies) }
      if let metrics { writer.member("metrics", metrics) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      session = try object.memberIfPresent("session")
      task = try object.memberIfPresent("task")
      url = try object.member("url")
      method = try object.memberIfPresent("method")
      headers = try object.memberIfPresent("headers")
      sensitiveHeaders = try object.memberIfPresent("sensitiveHeaders")
      body = try object.memberIfPresent("body")
      timeouts = try object.memberIfPresent("timeouts")
      priority = try object.memberIfPresent("priority")
      detached = try object.memberIfPresent("detached")
      output = try object.memberIfPresent("output")
      decodeContent = try object.memberIfPresent("decodeContent")
      maximumBodyBytes = try object.memberIfPresent("maximumBodyBytes")
      proxies = try object.memberIfPresent("proxies")
      followRedirects = try object.memberIfPresent("followRedirects")
      redirects = try object.memberIfPresent("redirects")
      tls = try object.memberIfPresent("tls")
      httpVersions = try object.memberIfPresent("httpVersions")
      cookies = try object.memberIfPresent("cookies")
      metrics = try object.memberIfPresent("metrics")
    }
  }
}
