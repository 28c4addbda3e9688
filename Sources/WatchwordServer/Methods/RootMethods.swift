internal import WatchwordCore
internal import WatchwordJSON
internal import WatchwordMessages
internal import WatchwordProtocol
internal import WatchwordReactor
internal import WatchwordVocabulary

/// `trust/addRoots`, `trust/listRoots`, `trust/removeRoots`: the certificate authorities of a user.
@ReactorActor
enum RootMethods {
  static func add(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try TrustAddRootsParameters(object)
    if let rule = daemon.policy.ruleAgainstLoosening {
      throw .policyRefused("the administrator's policy forbids roots of a user: \(rule)", rule: rule)
    }
    daemon.roots.apply(.add(parameters.certificates), of: call.peer.process.uid) { result in
      switch result {
      case .success(let changed):
        call.succeed(Sent.RootAddition(added: changed.count, roots: changed.named.map(\.sentAsRoot)))
      case .failure(let fault): call.fail(RPCError(fault))
      }
    }
  }

  static func list(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    _ = try NoParameters(object)
    daemon.roots.read(of: call.peer.process.uid) { result in
      switch result {
      case .success(let roots): call.succeed(Sent.RootList(roots: roots.all.map(\.sentAsRoot)))
      case .failure(let fault): call.fail(RPCError(fault))
      }
    }
  }

  static func remove(_ daemon: Daemon, _ call: Call, _ object: JSONNode?) throws(RPCError) {
    let parameters = try TrustRemoveRootsParameters(object)
    daemon.roots.apply(.remove(parameters.root), of: call.peer.process.uid) { result in
      switch result {
      case .success(let changed): call.succeed(Sent.Removal(removed: changed.count))
      case .failure(let fault): call.fail(RPCError(fault))
      }
    }
  }
}

extension RPCError {
  fileprivate init(_ fault: UserRootsFile.Fault) {
    switch fault {
    case .storage(let text): self = .storageUnavailable("the certificate authorities: \(text)")
    case .certificates(.tooMany):
      self = .limitExceeded(UserRoots.Fault.tooMany.text, limit: "rootsPerUid")
    case .certificates(.tooLarge):
      self = .limitExceeded(UserRoots.Fault.tooLarge.text, limit: "rootsPerUid")
    case .certificates(let fault): self = .invalidParams("params.certificates", fault.text)
    }
  }
}
