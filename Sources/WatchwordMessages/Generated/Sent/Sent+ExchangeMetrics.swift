package import WatchwordJSON

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Sent {
  /// One HTTP request and its response.
  package struct ExchangeMetrics: SentObject {
    package let url: String
    /// 0: the server did not take the client certificate, and has done nothing of the request.
    package let status: Int
    /// What its Authorization field was, if any.
    package let authenticationMethod: String?
    /// What has authenticated the connection inside of negotiate.
    package let mechanism: String?
    package let `protocol`: String?
    /// On a connection that was open already.
    package let reused: Bool
    package let nameLookupSeconds: Double
    package let connectSeconds: Double
    package let tlsSeconds: Double
    package let firstByteSeconds: Double
    package let totalSeconds: Double
    package let bytesSent: Int
    package let bytesReceived: Int

    package init(
      url: String, status: Int, authenticationMethod: String?, mechanism: String?, `protocol`: String?,
      reused: Bool, nameLookupSeconds: Double, connectSeconds: Double, tlsSeconds: Double,
      firstByteSeconds: Double, totalSeconds: Double, bytesSent: Int, bytesReceived: Int
    ) {
      self.url = url
      self.status = status
      self.authenticationMethod = authenticationMethod
      self.mechanism = mechanism
      self.protocol = `protocol`
      self.reused = reused
      self.nameLookupSeconds = nameLookupSeconds
      self.connectSeconds = connectSeconds
      self.tlsSeconds = tlsSeconds
      self.firstByteSeconds = firstByteSeconds
      self.totalSeconds = totalSeconds
      self.bytesSent = bytesSent
      self.bytesReceived = bytesReceived
    }

    package func writeMembers(to writer: inout JSONWriter) {
      writer.member("url", url)
      writer.member("status", status)
      writer.member("authenticationMethod", authenticationMethod)
      if let mechanism { writer.member("mechanism", mechanism) }
      writer.member("protocol", `protocol`)
      writer.member("reused", reused)
      writer.seconds("nameLookupSeconds", nameLookupSeconds)
      writer.seconds("connectSeconds", connectSeconds)
      writer.seconds("tlsSeconds", tlsSeconds)
      writer.seconds("firstByteSeconds", firstByteSeconds)
      writer.seconds("totalSeconds", totalSeconds)
      writer.member("bytesSent", bytesSent)
      writer.member("bytesReceived", bytesReceived)
    }

    package init(_ object: ReadObject) throws(ReadFault) {
      url = try object.member("url")
      status = try object.member("status")
      authenticationMethod = try object.member("authenticationMethod")
      mechanism = try object.memberIfPresent("mechanism")
      `protocol` = try object.member("protocol")
      reused = try object.member("reused")
      nameLookupSeconds = try object.member("nameLookupSeconds")
      connectSeconds = try object.member("connectSeconds")
      tlsSeconds = try object.member("tlsSeconds")
      firstByteSeconds = try object.member("firstByteSeconds")
      totalSeconds = try object.member("totalSeconds")
      bytesSent = try object.member("bytesSent")
      bytesReceived = try object.member("bytesReceived")
    }
  }
}
