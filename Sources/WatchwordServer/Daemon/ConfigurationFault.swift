internal import Logging

/// A fault of the configuration file, for a person.
package struct ConfigurationFault: Error, Sendable {
  /// The file's name, the fault, and its line or member in the file; never the contents of the file.
  package let text: String
  /// The invalid member, as `transportSecurity.domains[0].domain`; nil when the file is no JSON object.
  package let member: String?

  /// Where in the file it is; 0 when it concerns the whole file.
  let offset: Int

  init(_ text: String, member: String? = nil, offset: Int = 0) {
    self.text = text
    self.member = member
    self.offset = offset
  }
}
