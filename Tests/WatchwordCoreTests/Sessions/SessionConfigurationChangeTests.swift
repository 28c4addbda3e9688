import Testing
import WatchwordCore
import WatchwordVocabulary

@Suite struct SessionConfigurationChangeTests {
  private func change(_ body: (inout SessionConfiguration) -> Void) -> SessionConfigurationChange {
    var new = SessionConfiguration()
    body(&new)
    return SessionConfigurationChange(from: SessionConfiguration(), to: new)
  }

  @Test func passwordsOfSettingsAreDroppedWhereTheyAreNotGivenAgain() throws {
    var list = SessionConfiguration.ProxyList()
    list.http = Secret(Array("http://reader:open@proxy.example:3128".utf8))
    list.all = Secret(Array("socks5h://proxy.example".utf8))
    list.except = ["a.example"]
    var full = SessionConfiguration()
    full.proxies = .listed(list)
    full.netrc = try Netrc(text: Secret(Array("machine a.example login r password p".utf8)))
    list.http = Secret(Array("http://proxy.example:3128".utf8))
    for (netrc, proxies) in [(true, false), (false, true), (true, true), (false, false)] {
      var changed = full
      changed.dropPasswords(netrc: netrc, proxies: proxies)
      #expect(changed.netrc == (netrc ? nil : full.netrc))
      #expect(changed.proxies == (proxies ? .listed(list) : full.proxies))
    }
  }

  @Test func everyMemberLeadsElsewhereOrNot() {
    let elsewhere: [(inout SessionConfiguration) -> Void] = [
      { $0.tls.roots = "PEM" }, { $0.tls.rootsAreExclusive = true }, { $0.tls.revocation = .required },
      { $0.tls.revocationLists = "PEM" }, { $0.proxies = .none }, { $0.addresses.refusePrivate = true },
      { $0.addresses.allowOrigins = [] },
      { $0.addresses.resolve = [SessionConfiguration.Resolution(hostAndPort: "a:80", address: "::1")] },
      { $0.headers = [HeaderField("HOST", "b.test")] }, { $0.methods.basicOverCleartext = true },
    ]
    for body in elsewhere {
      let change = change(body)
      #expect(change.leadsElsewhere && change.concernsConnections)
    }
    let connections: [(inout SessionConfiguration) -> Void] = [
      { $0.tls.minimumVersion = .tls13 }, { $0.tls.maximumVersion = .tls12 }, { $0.connectionsPerHost = 1 },
      { $0.httpVersions = [.http11] }, { $0.cookies = .never }, { $0.limits.decodedBodyBytes = 1 },
    ]
    for body in connections {
      let change = change(body)
      #expect(!change.leadsElsewhere && change.concernsConnections)
    }
    let tasks: [(inout SessionConfiguration) -> Void] = [
      { _ in }, { $0.redirects.limit = 1 }, { $0.timeouts.connectSeconds = 1 }, { $0.idleSeconds = 1 },
      { $0.headers = [HeaderField("A", "b")] }, { $0.methods.strongestOnly = true },
      { $0.challenges.refusalBudget = 1 }, { $0.limits.inlineBodyBytes = 1 },
      { $0.limits.memoryBodyBytes = 1 },
    ]
    for body in tasks {
      let change = change(body)
      #expect(!change.leadsElsewhere && !change.concernsConnections)
    }
  }
}
