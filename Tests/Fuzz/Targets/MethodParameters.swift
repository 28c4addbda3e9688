internal import WatchwordJSON
internal import WatchwordProtocol

/// What every method's parameters have in common: they are read from an object that a peer wrote.
protocol MethodParameters: SendableMetatype {
  init(_ object: JSONObject?) throws(RPCError)
}

/// Each of them is tried on each object, whatever method was named: none may trap on any value.
enum MethodParametersTypes {
  static let all: [any MethodParameters.Type] = [
    Initialize.Parameters.self, SessionOpen.Parameters.self, SessionParameters.self, Fetch.Parameters.self,
    TaskParameters.self, RedirectReply.Parameters.self, ChallengeReply.Parameters.self,
    ChallengeParameters.self, CredentialSet.Parameters.self, CredentialRemove.Parameters.self,
    CredentialSetDefault.Parameters.self, CookieList.Parameters.self, CookieSet.Parameters.self,
    CookieRemove.Parameters.self, Explain.Parameters.self, StatusSubscribeParameters.self,
    ShutdownParameters.self, NoParameters.self,
  ]
}

extension Initialize.Parameters: MethodParameters {}
extension SessionOpen.Parameters: MethodParameters {}
extension SessionParameters: MethodParameters {}
extension Fetch.Parameters: MethodParameters {}
extension TaskParameters: MethodParameters {}
extension RedirectReply.Parameters: MethodParameters {}
extension ChallengeReply.Parameters: MethodParameters {}
extension ChallengeParameters: MethodParameters {}
extension CredentialSet.Parameters: MethodParameters {}
extension CredentialRemove.Parameters: MethodParameters {}
extension CredentialSetDefault.Parameters: MethodParameters {}
extension CookieList.Parameters: MethodParameters {}
extension CookieSet.Parameters: MethodParameters {}
extension CookieRemove.Parameters: MethodParameters {}
extension Explain.Parameters: MethodParameters {}
extension StatusSubscribeParameters: MethodParameters {}
extension ShutdownParameters: MethodParameters {}
extension NoParameters: MethodParameters {}
