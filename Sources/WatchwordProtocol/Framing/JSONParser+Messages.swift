internal import WatchwordCore
package import WatchwordJSON
internal import WatchwordVocabulary

extension JSONParser {
  /// Parses messages of peers: members that hold secrets, and the values of sensitive header fields, become
  /// ``Secret``.
  package static let ofMessages = JSONParser(
    secretMembers: SecretMember.texts, secretObjects: SecretMember.objects,
    secretPairs: SecretPairs(member: "headers", names: SensitiveFields.names))
}
