/// The body is not the one that was expected.
package struct IntegrityFault: Error, Sendable, Equatable {
  package enum Source: String, Sendable, CaseIterable {
    /// The digest that the caller gave.
    case caller
    /// `Repr-Digest` or `Content-Digest` of the response.
    case origin
  }

  package let expectedBy: Source
  package let algorithm: IntegrityAlgorithm

  package init(expectedBy: Source, algorithm: IntegrityAlgorithm) {
    self.expectedBy = expectedBy
    self.algorithm = algorithm
  }
}
