package import WatchwordMessages

// Made from `protocol/openrpc.json` by `protocol/generate`.

extension Request.AgentForget: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.AgentLock: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      passphrase: try object.member("passphrase"))
  }
}

extension Request.AgentUnlock: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      passphrase: try object.member("passphrase"))
  }
}

extension Request.ChallengeDescribe: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      challenge: try object.member("challenge"))
  }
}

extension Request.ChallengeList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.ChallengeReply: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      challenge: try object.member("challenge"),
      disposition: try object.member("disposition"),
      credential: try object.memberIfPresent("credential"),
      because: try object.memberIfPresent("because"))
  }
}

extension Request.CookieList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      url: try object.memberIfPresent("url"))
  }
}

extension Request.CookieRemove: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      domain: try object.memberIfPresent("domain"),
      name: try object.memberIfPresent("name"))
  }
}

extension Request.CookieSet: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      cookie: try object.member("cookie"))
  }
}

extension Request.CookieToSet: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      name: try object.member("name"),
      value: try object.member("value"),
      domain: try object.member("domain"),
      path: try object.memberIfPresent("path"),
      expires: try object.memberIfPresent("expires"),
      secure: try object.memberIfPresent("secure"),
      httpOnly: try object.memberIfPresent("httpOnly"))
  }
}

extension Request.Credential: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      user: try object.memberIfPresent("user"),
      password: try object.memberIfPresent("password"),
      passwordBytes: try object.memberIfPresent("passwordBytes"),
      domain: try object.memberIfPresent("domain"),
      persistence: try object.memberIfPresent("persistence"),
      preemptive: try object.memberIfPresent("preemptive"),
      limits: try object.memberIfPresent("limits"),
      token: try object.memberIfPresent("token"),
      prefix: try object.memberIfPresent("prefix"),
      kerberos: try object.memberIfPresent("kerberos"),
      source: try object.memberIfPresent("source"),
      trust: try object.memberIfPresent("trust"),
      identity: try object.memberIfPresent("identity"),
      passphrase: try object.memberIfPresent("passphrase"))
  }
}

extension Request.CredentialHistory: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      limit: try object.memberIfPresent("limit"),
      user: try object.memberIfPresent("user"),
      origin: try object.memberIfPresent("origin"))
  }
}

extension Request.CredentialKerberos: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      cache: try object.memberIfPresent("cache"),
      keytab: try object.memberIfPresent("keytab"),
      principal: try object.memberIfPresent("principal"))
  }
}

extension Request.CredentialLimits: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      idleSeconds: try object.memberIfPresent("idleSeconds"),
      lifetimeSeconds: try object.memberIfPresent("lifetimeSeconds"),
      notAfter: try object.memberIfPresent("notAfter"),
      pathPrefixes: try object.memberIfPresent("pathPrefixes"),
      methods: try object.memberIfPresent("methods"),
      maximumUses: try object.memberIfPresent("maximumUses"),
      confirm: try object.memberIfPresent("confirm"))
  }
}

extension Request.CredentialList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.CredentialRead: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      protectionSpace: try object.member("protectionSpace"),
      user: try object.memberIfPresent("user"),
      path: try object.memberIfPresent("path"),
      descriptor: try object.member("descriptor"))
  }
}

extension Request.CredentialRemove: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      protectionSpace: try object.member("protectionSpace"),
      user: try object.memberIfPresent("user"),
      path: try object.memberIfPresent("path"))
  }
}

extension Request.CredentialRetry: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      url: try object.member("url"),
      proxies: try object.memberIfPresent("proxies"))
  }
}

extension Request.CredentialSet: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      protectionSpace: try object.member("protectionSpace"),
      credential: try object.member("credential"),
      default: try object.memberIfPresent("default"),
      readable: try object.memberIfPresent("readable"))
  }
}

extension Request.CredentialSetDefault: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      protectionSpace: try object.member("protectionSpace"),
      user: try object.member("user"))
  }
}

extension Request.Delegate: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      tasks: try object.memberIfPresent("tasks"),
      session: try object.memberIfPresent("session"),
      trustVerdicts: try object.memberIfPresent("trustVerdicts"))
  }
}

extension Request.Explain: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      url: try object.member("url"),
      method: try object.memberIfPresent("method"),
      headers: try object.memberIfPresent("headers"),
      proxies: try object.memberIfPresent("proxies"))
  }
}

extension Request.Fetch: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      task: try object.memberIfPresent("task"),
      url: try object.member("url"),
      method: try object.memberIfPresent("method"),
      headers: try object.memberIfPresent("headers"),
      sensitiveHeaders: try object.memberIfPresent("sensitiveHeaders"),
      body: try object.memberIfPresent("body"),
      timeouts: try object.memberIfPresent("timeouts"),
      priority: try object.memberIfPresent("priority"),
      detached: try object.memberIfPresent("detached"),
      output: try object.memberIfPresent("output"),
      decodeContent: try object.memberIfPresent("decodeContent"),
      maximumBodyBytes: try object.memberIfPresent("maximumBodyBytes"),
      proxies: try object.memberIfPresent("proxies"),
      followRedirects: try object.memberIfPresent("followRedirects"),
      redirects: try object.memberIfPresent("redirects"),
      tls: try object.memberIfPresent("tls"),
      httpVersions: try object.memberIfPresent("httpVersions"),
      ipVersion: try object.memberIfPresent("ipVersion"),
      maximumBytesPerSecond: try object.memberIfPresent("maximumBytesPerSecond"),
      traceparent: try object.memberIfPresent("traceparent"),
      cookies: try object.memberIfPresent("cookies"),
      metrics: try object.memberIfPresent("metrics"),
      exchangeDetails: try object.memberIfPresent("exchangeDetails"))
  }
}

extension Request.FileContents: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      base64: try object.memberIfPresent("base64"),
      descriptor: try object.memberIfPresent("descriptor"))
  }
}

extension Request.IdentityAdd: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      identity: try object.member("identity"),
      persistence: try object.memberIfPresent("persistence"),
      limits: try object.memberIfPresent("limits"))
  }
}

extension Request.IdentityLimits: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      idleSeconds: try object.memberIfPresent("idleSeconds"),
      lifetimeSeconds: try object.memberIfPresent("lifetimeSeconds"),
      notAfter: try object.memberIfPresent("notAfter"),
      maximumUses: try object.memberIfPresent("maximumUses"))
  }
}

extension Request.IdentityList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.IdentityMaterial: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      certificates: try object.memberIfPresent("certificates"),
      privateKey: try object.memberIfPresent("privateKey"),
      passphrase: try object.memberIfPresent("passphrase"),
      pkcs12: try object.memberIfPresent("pkcs12"),
      pkcs11: try object.memberIfPresent("pkcs11"))
  }
}

extension Request.IdentityRemove: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      identity: try object.memberIfPresent("identity"))
  }
}

extension Request.IdentityTokens: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.Initialize: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      name: try object.memberIfPresent("name"),
      version: try object.memberIfPresent("version"),
      protocolVersion: try object.memberIfPresent("protocolVersion"),
      capabilities: try object.memberIfPresent("capabilities"))
  }
}

extension Request.InitializeCapabilities: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      descriptors: try object.memberIfPresent("descriptors"))
  }
}

extension Request.LoginFormRule: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      page: try object.member("page"),
      when: try object.memberIfPresent("when"),
      fields: try object.member("fields"),
      success: try object.memberIfPresent("success"))
  }
}

extension Request.LoginFormRuleFields: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      user: try object.member("user"),
      password: try object.member("password"))
  }
}

extension Request.Output: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      descriptor: try object.memberIfPresent("descriptor"),
      resumeIfRange: try object.memberIfPresent("resumeIfRange"),
      digest: try object.memberIfPresent("digest"),
      mode: try object.memberIfPresent("mode"))
  }
}

extension Request.PageCondition: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      status: try object.memberIfPresent("status"),
      selector: try object.memberIfPresent("selector"))
  }
}

extension Request.PeerListen: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      descriptor: try object.member("descriptor"),
      session: try object.memberIfPresent("session"),
      rules: try object.member("rules"),
      expiresSeconds: try object.memberIfPresent("expiresSeconds"))
  }
}

extension Request.PeerRestrict: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      rules: try object.member("rules"),
      expiresSeconds: try object.memberIfPresent("expiresSeconds"))
  }
}

extension Request.Ping: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.ProtectionSpaceKey: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      protocol: try object.member("protocol"),
      host: try object.member("host"),
      port: try object.memberIfPresent("port"),
      realm: try object.memberIfPresent("realm"),
      realmBytes: try object.memberIfPresent("realmBytes"),
      authenticationMethod: try object.member("authenticationMethod"),
      field: try object.memberIfPresent("field"),
      isProxy: try object.memberIfPresent("isProxy"),
      proxyType: try object.memberIfPresent("proxyType"))
  }
}

extension Request.Proxies: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      http: try object.memberIfPresent("http"),
      https: try object.memberIfPresent("https"),
      all: try object.memberIfPresent("all"),
      except: try object.memberIfPresent("except"))
  }
}

extension Request.RedirectReply: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      task: try object.member("task"),
      request: try object.member("request"))
  }
}

extension Request.RedirectReplyRequest: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      url: try object.memberIfPresent("url"),
      method: try object.memberIfPresent("method"),
      headers: try object.memberIfPresent("headers"))
  }
}

extension Request.RequestBody: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      text: try object.memberIfPresent("text"),
      base64: try object.memberIfPresent("base64"),
      descriptor: try object.memberIfPresent("descriptor"))
  }
}

extension Request.RestrictionRule: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      methods: try object.memberIfPresent("methods"),
      origin: try object.member("origin"),
      path: try object.memberIfPresent("path"),
      headers: try object.memberIfPresent("headers"),
      requestBytes: try object.memberIfPresent("requestBytes"),
      responseBytes: try object.memberIfPresent("responseBytes"),
      perMinute: try object.memberIfPresent("perMinute"))
  }
}

extension Request.RpcDiscover: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.ServerConfiguration: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.ServerReload: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.ServerRestart: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.ServerShutdown: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      graceful: try object.memberIfPresent("graceful"))
  }
}

extension Request.SessionClose: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.SessionConfiguration: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      credentialStorage: try object.memberIfPresent("credentialStorage"),
      methods: try object.memberIfPresent("methods"),
      challenges: try object.memberIfPresent("challenges"),
      tls: try object.memberIfPresent("tls"),
      proxies: try object.memberIfPresent("proxies"),
      redirects: try object.memberIfPresent("redirects"),
      timeouts: try object.memberIfPresent("timeouts"),
      headers: try object.memberIfPresent("headers"),
      cookies: try object.memberIfPresent("cookies"),
      cache: try object.memberIfPresent("cache"),
      idleSeconds: try object.memberIfPresent("idleSeconds"),
      connectionsPerHost: try object.memberIfPresent("connectionsPerHost"),
      httpVersions: try object.memberIfPresent("httpVersions"),
      limits: try object.memberIfPresent("limits"),
      addresses: try object.memberIfPresent("addresses"),
      netrc: try object.memberIfPresent("netrc"),
      forms: try object.memberIfPresent("forms"))
  }
}

extension Request.SessionConfigurationAddresses: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      resolve: try object.pairsIfPresent("resolve"),
      allowOrigins: try object.memberIfPresent("allowOrigins"),
      refusePrivate: try object.memberIfPresent("refusePrivate"))
  }
}

extension Request.SessionConfigurationChallenges: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      deadlineSeconds: try object.memberIfPresent("deadlineSeconds"),
      unanswered: try object.memberIfPresent("unanswered"),
      refusalBudget: try object.memberIfPresent("refusalBudget"))
  }
}

extension Request.SessionConfigurationLimits: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      inlineBodyBytes: try object.memberIfPresent("inlineBodyBytes"),
      memoryBodyBytes: try object.memberIfPresent("memoryBodyBytes"),
      decodedBodyBytes: try object.memberIfPresent("decodedBodyBytes"))
  }
}

extension Request.SessionConfigurationMethods: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      order: try object.memberIfPresent("order"),
      disabled: try object.memberIfPresent("disabled"),
      basicOverCleartext: try object.memberIfPresent("basicOverCleartext"),
      strongestOnly: try object.memberIfPresent("strongestOnly"),
      digest: try object.memberIfPresent("digest"),
      negotiate: try object.memberIfPresent("negotiate"))
  }
}

extension Request.SessionConfigurationMethodsDigest: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      preemptive: try object.memberIfPresent("preemptive"))
  }
}

extension Request.SessionConfigurationMethodsNegotiate: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      ambientOrigins: try object.memberIfPresent("ambientOrigins"),
      delegate: try object.memberIfPresent("delegate"),
      allowNTLM: try object.memberIfPresent("allowNTLM"))
  }
}

extension Request.SessionConfigurationNetrc: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      text: try object.memberIfPresent("text"),
      base64: try object.memberIfPresent("base64"))
  }
}

extension Request.SessionConfigurationRedirects: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      policy: try object.memberIfPresent("policy"),
      limit: try object.memberIfPresent("limit"),
      allowDowngrade: try object.memberIfPresent("allowDowngrade"))
  }
}

extension Request.SessionConfigurationTls: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      roots: try object.memberIfPresent("roots"),
      minimumVersion: try object.memberIfPresent("minimumVersion"),
      maximumVersion: try object.memberIfPresent("maximumVersion"),
      pins: try object.memberIfPresent("pins"),
      revocation: try object.memberIfPresent("revocation"),
      revocationLists: try object.memberIfPresent("revocationLists"))
  }
}

extension Request.SessionConfigurationTlsPin: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      host: try object.member("host"),
      publicKeys: try object.member("publicKeys"),
      reportOnly: try object.memberIfPresent("reportOnly"),
      excusable: try object.memberIfPresent("excusable"))
  }
}

extension Request.SessionConfigurationTlsRoots: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      certificates: try object.member("certificates"),
      exclusive: try object.memberIfPresent("exclusive"))
  }
}

extension Request.SessionConfigure: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      configuration: try object.memberIfPresent("configuration"))
  }
}

extension Request.SessionDescribe: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.SessionFinish: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.SessionInvalidate: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.SessionList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.SessionOpen: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      name: try object.memberIfPresent("name"),
      configuration: try object.memberIfPresent("configuration"),
      bySettings: try object.memberIfPresent("bySettings"),
      variant: try object.memberIfPresent("variant"),
      delegate: try object.memberIfPresent("delegate"))
  }
}

extension Request.SessionPrune: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      olderThanSeconds: try object.memberIfPresent("olderThanSeconds"))
  }
}

extension Request.SessionReset: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.Status: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.StatusSubscribe: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      intervalSeconds: try object.memberIfPresent("intervalSeconds"))
  }
}

extension Request.StatusUnsubscribe: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.TaskCancel: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      task: try object.member("task"))
  }
}

extension Request.TaskDescribe: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      task: try object.member("task"))
  }
}

extension Request.TaskList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.TaskRedirects: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      limit: try object.memberIfPresent("limit"))
  }
}

extension Request.TaskResume: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      task: try object.member("task"))
  }
}

extension Request.TaskStart: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      task: try object.memberIfPresent("task"),
      url: try object.member("url"),
      method: try object.memberIfPresent("method"),
      headers: try object.memberIfPresent("headers"),
      sensitiveHeaders: try object.memberIfPresent("sensitiveHeaders"),
      body: try object.memberIfPresent("body"),
      timeouts: try object.memberIfPresent("timeouts"),
      priority: try object.memberIfPresent("priority"),
      detached: try object.memberIfPresent("detached"),
      output: try object.memberIfPresent("output"),
      decodeContent: try object.memberIfPresent("decodeContent"),
      maximumBodyBytes: try object.memberIfPresent("maximumBodyBytes"),
      proxies: try object.memberIfPresent("proxies"),
      followRedirects: try object.memberIfPresent("followRedirects"),
      redirects: try object.memberIfPresent("redirects"),
      tls: try object.memberIfPresent("tls"),
      httpVersions: try object.memberIfPresent("httpVersions"),
      ipVersion: try object.memberIfPresent("ipVersion"),
      maximumBytesPerSecond: try object.memberIfPresent("maximumBytesPerSecond"),
      traceparent: try object.memberIfPresent("traceparent"),
      cookies: try object.memberIfPresent("cookies"),
      metrics: try object.memberIfPresent("metrics"),
      exchangeDetails: try object.memberIfPresent("exchangeDetails"))
  }
}

extension Request.TaskSuspend: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      task: try object.member("task"))
  }
}

extension Request.TaskTLS: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      minimumVersion: try object.memberIfPresent("minimumVersion"),
      maximumVersion: try object.memberIfPresent("maximumVersion"))
  }
}

extension Request.Timeouts: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      connectSeconds: try object.memberIfPresent("connectSeconds"),
      requestSeconds: try object.memberIfPresent("requestSeconds"),
      resourceSeconds: try object.memberIfPresent("resourceSeconds"))
  }
}

extension Request.TrustAddRoots: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      certificates: try object.member("certificates"))
  }
}

extension Request.TrustList: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"))
  }
}

extension Request.TrustListRoots: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.TrustRemove: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      session: try object.memberIfPresent("session"),
      trust: try object.memberIfPresent("trust"),
      origin: try object.memberIfPresent("origin"))
  }
}

extension Request.TrustRemoveRoots: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      root: try object.memberIfPresent("root"))
  }
}

extension Request.VaultCheck: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init()
  }
}

extension Request.VaultExport: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      descriptor: try object.member("descriptor"),
      passphrase: try object.member("passphrase"))
  }
}

extension Request.VaultImport: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      descriptor: try object.member("descriptor"),
      passphrase: try object.member("passphrase"))
  }
}

extension Request.VaultInit: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      passphrase: try object.memberIfPresent("passphrase"))
  }
}

extension Request.VaultPassphrase: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      passphrase: try object.member("passphrase"),
      keepOthers: try object.memberIfPresent("keepOthers"))
  }
}

extension Request.VaultRekey: SentObject {
  package init(_ object: ReadObject) throws(ReadFault) {
    self.init(
      opener: try object.memberIfPresent("opener"))
  }
}
