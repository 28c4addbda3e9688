internal import WatchwordMessages

extension Sent.Challenge {
  /// What a person is asked about a server that has not asked.
  init(before origin: SpaceOptions.Origin, method: String, realm: String?) {
    let space = Sent.ProtectionSpace(
      protocol: origin.scheme, host: origin.host, port: origin.port, realm: realm, realmBytes: nil,
      authenticationMethod: method, isProxy: origin.isProxy, proxyType: nil,
      receivesCredentialSecurely: origin.scheme == "https",
      parameters: [], distinguishedNames: nil, keyTypes: nil, serverTrust: nil)
    self.init(
      challenge: "", session: "", task: "", url: "", origin: origin.text, protectionSpace: space, proxy: nil,
      hostField: origin.hostField, callersWays: origin.callersWays, source: nil,
      offers: [], offerCount: nil, unusableOffers: [], unusableOfferCount: nil, proposedCredential: nil,
      identities: nil, previousFailureCount: 0, failureResponse: nil, error: nil, waiters: [], waiterCount: 0,
      deadline: "")
  }
}
