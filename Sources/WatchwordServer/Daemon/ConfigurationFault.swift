internal import Logging

/// What is wrong with the configuration file, for a person.
package struct ConfigurationFault: Error, Sendable {
  /// The file's name, what is wrong, and at which byte or member of the file; nothing that the file holds.
  package let text: String
  /// The member that is wrong, as `transportSecurity.domains[0].domain`; nil when the file is no JSON object.
  package let member: String?

  init(_ text: String, member: String? = nil) {
    self.text = text
    self.member = member
  }
}
