package import WatchwordVocabulary

/// The configuration of a session, with what its texts name.
package struct SessionSettings: Sendable {
  package let configuration: SessionConfiguration
  /// The only origins that are fetched; nil for any.
  package let allowedOrigins: Set<Origin>?
  /// Where the tickets of the daemon's account may be used without a reply.
  package var ambientOrigins: Set<Origin>
  /// Those of the configuration; nil when it does not list any.
  package let proxies: ProxyRules?
  /// Which pages are login forms.
  package let forms: [FormRule]

  package init(
    _ configuration: SessionConfiguration, allowedOrigins: Set<Origin>? = nil,
    ambientOrigins: Set<Origin> = [], proxies: ProxyRules? = nil, forms: [FormRule] = []
  ) {
    self.configuration = configuration
    self.allowedOrigins = allowedOrigins
    self.ambientOrigins = ambientOrigins
    self.proxies = proxies
    self.forms = forms
  }
}
