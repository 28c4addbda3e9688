package import WatchwordJSON
package import WatchwordVocabulary

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// What a task brought.
  package struct FetchResult: SentObject {
    package let task: String
    package let session: String
    /// The final URL, without userinfo.
    package let url: String
    package let status: Int
    package let headers: [HeaderField]
    package let body: Sent.ResponseBody
    /// Those that were followed, in order.
    package let redirects: [Sent.Redirect]
    /// Whether the response is a login page by the session's `forms`, or the refusal of a login, and not what
    /// was asked for (methods.md 16.10).
    package let loginPage: Bool?
    /// Of a 401, a 407 or a login page: its challenges that cannot be answered, the first 16 of them
    /// (challenges.md 6.3).
    package let unusableOffers: [Sent.UnusableOffer]
    /// How many there are, when the list does not have them all.
    package let unusableOfferCount: Int?
    /// Only with metrics in the request.
    package let metrics: Sent.Metrics?

    package init(
      task: String, session: String, url: String, status: Int, headers: [HeaderField],
      body: Sent.ResponseBody, redirects: [Sent.Redirect], loginPage: Bool?,
      unusableOffers: [Sent.UnusableOffer], unusableOfferCount: Int?, metrics: Sent.Metrics?
    ) {
      self.task = task
      self.session = session
      self.url = url
      self.status = status
      self.headers = headers
      self.body = body
      self.redirects = redirects
      self.loginPage = loginPage
      self.unusableOffers = unusableOffers
      self.unusableOfferCount = unusableOfferCount
      self.metrics = metrics
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("task", task)
      writer.member("session", session)
      writer.member("url", url)
      writer.member("status", status)
      writer.member("headers", headers)
      writer.member("body", body)
      if !redirects.isEmpty { writer.member("redirects", redirects) }
      if let loginPage { writer.member("loginPage", loginPage) }
      if !unusableOffers.isEmpty { writer.member("unusableOffers", unusableOffers) }
      if let unusableOfferCount { writer.member("unusableOfferCount", unusableOfferCount) }
      if let metrics { writer.member("metrics", metrics) }
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      task = try object.member("task")
      session = try object.member("session")
      url = try object.member("url")
      status = try object.member("status")
      headers = try object.member("headers")
      body = try object.member("body")
      redirects = try object.member("redirects")
      loginPage = try object.memberIfPresent("loginPage")
      unusableOffers = try object.member("unusableOffers")
      unusableOfferCount = try object.memberIfPresent("unusableOfferCount")
      metrics = try object.memberIfPresent("metrics")
    }
  }
}
