internal import CTransport

/// What the evaluation of a chain for `localhost` finds.
enum ChainFaults {
  static func of(_ context: OpaquePointer) -> [transport_trust_fault] {
    var faults = [transport_trust_fault](
      repeating: transport_trust_fault(), count: Int(TRANSPORT_MAXIMUM_FAULTS))
    let count = "localhost".withCString { host in
      var rules = transport_evaluation()
      rules.host = host
      return transport_evaluate(context, &rules, &faults)
    }
    require(count >= 0 && count <= TRANSPORT_MAXIMUM_FAULTS, "more faults than there is room for")
    return Array(faults.prefix(Int(count)))
  }
}
