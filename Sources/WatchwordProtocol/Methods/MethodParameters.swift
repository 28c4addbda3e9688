package import WatchwordJSON

/// The parameters of a method: read from a peer's object, or from none.
package protocol MethodParameters: SendableMetatype {
  init(_ object: JSONObject?) throws(RPCError)
}

extension Initialize.Parameters: MethodParameters {}
extension CancelRequest.Parameters: MethodParameters {}
extension StatusSubscribeParameters: MethodParameters {}
extension ShutdownParameters: MethodParameters {}
extension NoParameters: MethodParameters {}
extension SessionOpen.Parameters: MethodParameters {}
extension SessionParameters: MethodParameters {}
extension Fetch.Parameters: MethodParameters {}
extension TaskParameters: MethodParameters {}
extension RedirectReply.Parameters: MethodParameters {}
extension ChallengeReply.Parameters: MethodParameters {}
extension ChallengeParameters: MethodParameters {}
extension CredentialSet.Parameters: MethodParameters {}
extension CredentialRead.Parameters: MethodParameters {}
extension CredentialRemove.Parameters: MethodParameters {}
extension CredentialSetDefault.Parameters: MethodParameters {}
extension CredentialHistoryList.Parameters: MethodParameters {}
extension TrustRemove.Parameters: MethodParameters {}
extension CookieList.Parameters: MethodParameters {}
extension CookieSet.Parameters: MethodParameters {}
extension CookieRemove.Parameters: MethodParameters {}
extension IdentityAdd.Parameters: MethodParameters {}
extension IdentityRemove.Parameters: MethodParameters {}
extension Explain.Parameters: MethodParameters {}
extension PeerRestrict.Parameters: MethodParameters {}
extension PeerListen.Parameters: MethodParameters {}
extension VaultInit.Parameters: MethodParameters {}
extension VaultTransfer.Parameters: MethodParameters {}
extension VaultPassphrase.Parameters: MethodParameters {}
extension VaultRekey.Parameters: MethodParameters {}
extension PassphraseParameters: MethodParameters {}
