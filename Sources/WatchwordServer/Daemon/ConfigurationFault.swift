internal import Logging

/// A fault of the configuration file, for a person.
package struct ConfigurationFault: Error, Sendable {
  /// The file's name, the fault, and its byte or member in the file; never the contents of the file.
  package let text: String
  /// The invalid member, as `transportSecurity.domains[0].domain`; nil when the file is no JSON object.
  package let member: String?

  init(_ text: String, member: String? = nil) {
    self.text = text
    self.member = member
  }
}
