/// An object of the configuration file.
package struct ConfigurationObject: Sendable {
  /// Whether each member is right or wrong whatever the others are.
  package let isOfIndependentMembers: Bool
  /// None for an object whose members' names are chosen.
  package let names: [String]
}
