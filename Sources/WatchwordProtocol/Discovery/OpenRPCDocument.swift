/// The OpenRPC document as `rpc.discover` answers it.
///
/// Written by `protocol/embed.py` from `protocol/openrpc.json`: change that and run it.
package enum OpenRPCDocument {
  package static let text: StaticString = #"""
    {"openrpc":"1.2.6",\#
    "info":{"title":"Watchword",\#
    "version":"1.0.0",\#
    "description":"JSON-RPC 2.0 over a Unix stream socket: HTTP fetches with URLSession's challenge mode\#
    l. protocol/README.md is the specification for people. Requests take parameters by name; x-additiona\#
    lParams false means that a parameter not listed is refused with invalidParams. Results and notificat\#
    ions may carry further members.",\#
    "license":{"name":"Apache-2.0",\#
    "url":"https://www.apache.org/licenses/LICENSE-2.0"}},\#
    "servers":[{"name":"per user",\#
    "url":"unix://${runtimeDirectory}/watchword/watchword.sock",\#
    "variables":{"runtimeDirectory":{"default":"/run/user/1000","description":"XDG_RUNTIME_DIR"}}}],\#
    "methods":[{"name":"initialize",\#
    "summary":"Says hello; optional.",\#
    "tags":[{"name":"server"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"name","required":false,"schema":{"type":"string","maxLength":256,"description":"W\#
    hat the caller calls itself; shown to people."}},{"name":"version","required":false,"schema":{"type"\#
    :"string","maxLength":256}},{"name":"protocolVersion","required":false,"schema":{"type":"string","en\#
    um":["1"]}},{"name":"capabilities","required":false,"schema":{"type":"object","properties":{"descrip\#
    tors":{"type":"boolean","default":false,"description":"This connection can receive descriptors."}},"\#
    additionalProperties":false}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"name":{"const":"watchwordd"},"ver\#
    sion":{"type":"string"},"protocolVersion":{"const":"1"},"capabilities":{"type":"object","properties"\#
    :{"descriptors":{"type":"boolean"},"framings":{"type":"array","items":{"type":"string","enum":["line\#
    ","contentLength"]}}},"required":["descriptors","framings"]},"pid":{"type":"integer"},"uid":{"type":\#
    "integer"},"limits":{"$ref":"#/components/schemas/Limits"}},"required":["name","version","protocolVe\#
    rsion","capabilities","pid","uid","limits"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"ping",\#
    "summary":"Answers at once.",\#
    "tags":[{"name":"server"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{}}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"rpc.discover",\#
    "summary":"Returns this document.",\#
    "tags":[{"name":"server"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"openrpc":{"type":"string"},"info"\#
    :{"type":"object"},"methods":{"type":"array"}},"required":["openrpc","info","methods"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"session/open",\#
    "summary":"Opens or joins a session.",\#
    "description":"A second session/open of a session that this connection holds replaces its delegate l\#
    ists.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"name","description":"Left out: a new session, private to this connection.","requi\#
    red":false,"schema":{"$ref":"#/components/schemas/SessionName"}},{"name":"configuration","descriptio\#
    n":"Counts when the session is made. For an existing session it must be left out or equal.","require\#
    d":false,"schema":{"$ref":"#/components/schemas/SessionConfiguration"}},{"name":"delegate","required\#
    ":false,"schema":{"$ref":"#/components/schemas/Delegate"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/sc\#
    hemas/SessionIdentifier"},"created":{"type":"boolean","description":"False when the session existed.\#
    "}},"required":["session","created"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":\#
    "#/components/errors/sessionConfigurationDiffers"},{"$ref":"#/components/errors/shuttingDown"}]},\#
    {"name":"session/close",\#
    "summary":"Leaves the session; a private one ends.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/sc\#
    hemas/SessionIdentifier"}},"required":["session"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"session/finish",\#
    "summary":"Takes no new tasks, lets the running ones end, then invalidates.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/sc\#
    hemas/SessionIdentifier"}},"required":["session"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"session/invalidate",\#
    "summary":"Cancels the tasks, which fail with taskCancelled, and ends the session.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/sc\#
    hemas/SessionIdentifier"}},"required":["session"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"session/reset",\#
    "summary":"Forgets cookies, credentials and authentication state, and closes idle connections.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/sc\#
    hemas/SessionIdentifier"}},"required":["session"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"session/list",\#
    "summary":"Lists the sessions of this uid that this connection may see.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"sessions":{"type":"array","items"\#
    :{"$ref":"#/components/schemas/SessionSummary"}}},"required":["sessions"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"session/describe",\#
    "summary":"Describes one session with holders and configuration.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"$ref":"#/components/schemas/SessionDescription"}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"fetch",\#
    "summary":"Runs a task and replies when it has finished.",\#
    "description":"A 401 that stays a 401 is a result, not an error.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"task","description":"Chosen by the caller; left out, the daemon chooses.","required":f\#
    alse,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"url","description":"Userinf\#
    o serves this task only: it is cut off and tried as the first credential.","required":true,"schema":\#
    {"$ref":"#/components/schemas/HttpUrl"}},{"name":"method","required":false,"schema":{"allOf":[{"$ref\#
    ":"#/components/schemas/HttpMethod"}],"default":"GET"}},{"name":"headers","required":false,"schema":\#
    {"$ref":"#/components/schemas/Headers"}},{"name":"sensitiveHeaders","required":false,"schema":{"type\#
    ":"array","items":{"$ref":"#/components/schemas/FieldName"},"maxItems":64,"description":"Names of fu\#
    rther fields that are dropped when a redirect changes the origin, like Authorization and Cookie."}},\#
    {"name":"body","required":false,"schema":{"anyOf":[{"$ref":"#/components/schemas/RequestBody"},{"typ\#
    e":"null"}]}},{"name":"timeouts","description":"Members left out are the session's.","required":fals\#
    e,"schema":{"$ref":"#/components/schemas/Timeouts"}},{"name":"priority","required":false,"schema":{"\#
    type":"number","minimum":0,"maximum":1,"default":0.5}},{"name":"detached","required":false,"schema":\#
    {"type":"boolean","default":false,"description":"Go on when the connection is gone; the result is ke\#
    pt for task/describe for ten minutes."}},{"name":"output","required":false,"schema":{"$ref":"#/compo\#
    nents/schemas/Output"}},{"name":"decodeContent","required":false,"schema":{"type":"boolean","default\#
    ":true,"description":"Decode content codings."}},{"name":"followRedirects","required":false,"schema"\#
    :{"type":"boolean","default":true,"description":"False: the first redirect is the result, whatever t\#
    he session's policy says."}}],\#
    "result":{"name":"result","schema":{"$ref":"#/components/schemas/FetchResult"}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":\#
    "#/components/errors/sessionInvalidated"},{"$ref":"#/components/errors/shuttingDown"},{"$ref":"#/com\#
    ponents/errors/descriptorUnusable"},{"$ref":"#/components/errors/taskCancelled"},{"$ref":"#/componen\#
    ts/errors/requestCancelled"},{"$ref":"#/components/errors/taskIdentifierInUse"},{"$ref":"#/component\#
    s/errors/bodyNotReplayable"},{"$ref":"#/components/errors/tooManyRedirects"},{"$ref":"#/components/e\#
    rrors/redirectRefused"},{"$ref":"#/components/errors/outputFailed"},{"$ref":"#/components/errors/bod\#
    yTooLarge"},{"$ref":"#/components/errors/userCancelledAuthentication"},{"$ref":"#/components/errors/\#
    serverTrustRejected"},{"$ref":"#/components/errors/serverNotAuthenticated"},{"$ref":"#/components/er\#
    rors/transportFailed"},{"$ref":"#/components/errors/nameNotResolved"},{"$ref":"#/components/errors/c\#
    onnectionFailed"},{"$ref":"#/components/errors/connectionLost"},{"$ref":"#/components/errors/timedOu\#
    t"},{"$ref":"#/components/errors/malformedResponse"},{"$ref":"#/components/errors/tlsFailed"},{"$ref\#
    ":"#/components/errors/addressRefused"},{"$ref":"#/components/errors/headersTooLarge"},{"$ref":"#/co\#
    mponents/errors/contentDecodingFailed"},{"$ref":"#/components/errors/policyRefused"}]},\#
    {"name":"task/start",\#
    "summary":"Starts a task and replies at once; the rest arrives as notifications.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"task","description":"Chosen by the caller; left out, the daemon chooses.","required":f\#
    alse,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"url","description":"Userinf\#
    o serves this task only: it is cut off and tried as the first credential.","required":true,"schema":\#
    {"$ref":"#/components/schemas/HttpUrl"}},{"name":"method","required":false,"schema":{"allOf":[{"$ref\#
    ":"#/components/schemas/HttpMethod"}],"default":"GET"}},{"name":"headers","required":false,"schema":\#
    {"$ref":"#/components/schemas/Headers"}},{"name":"sensitiveHeaders","required":false,"schema":{"type\#
    ":"array","items":{"$ref":"#/components/schemas/FieldName"},"maxItems":64,"description":"Names of fu\#
    rther fields that are dropped when a redirect changes the origin, like Authorization and Cookie."}},\#
    {"name":"body","required":false,"schema":{"anyOf":[{"$ref":"#/components/schemas/RequestBody"},{"typ\#
    e":"null"}]}},{"name":"timeouts","description":"Members left out are the session's.","required":fals\#
    e,"schema":{"$ref":"#/components/schemas/Timeouts"}},{"name":"priority","required":false,"schema":{"\#
    type":"number","minimum":0,"maximum":1,"default":0.5}},{"name":"detached","required":false,"schema":\#
    {"type":"boolean","default":false,"description":"Go on when the connection is gone; the result is ke\#
    pt for task/describe for ten minutes."}},{"name":"output","required":false,"schema":{"$ref":"#/compo\#
    nents/schemas/Output"}},{"name":"decodeContent","required":false,"schema":{"type":"boolean","default\#
    ":true,"description":"Decode content codings."}},{"name":"followRedirects","required":false,"schema"\#
    :{"type":"boolean","default":true,"description":"False: the first redirect is the result, whatever t\#
    he session's policy says."}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":\#
    "#/components/errors/sessionInvalidated"},{"$ref":"#/components/errors/shuttingDown"},{"$ref":"#/com\#
    ponents/errors/descriptorUnusable"},{"$ref":"#/components/errors/taskIdentifierInUse"}]},\#
    {"name":"task/cancel",\#
    "summary":"Cancels a task: it fails with taskCancelled.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/taskNotFound"}]},\#
    {"name":"task/suspend",\#
    "summary":"Pauses a task's transfer.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/taskNotFound"}]},\#
    {"name":"task/resume",\#
    "summary":"Goes on with a suspended task.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/taskNotFound"}]},\#
    {"name":"task/list",\#
    "summary":"Lists tasks.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"tasks":{"type":"array","items":{"\#
    $ref":"#/components/schemas/TaskSummary"}}},"required":["tasks"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"task/describe",\#
    "summary":"Describes one task; for a finished detached one with its result or error.",\#
    "tags":[{"name":"task"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],\#
    "result":{"name":"result","schema":{"$ref":"#/components/schemas/TaskDescription"}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/taskNotFound"}]},\#
    {"name":"challenge/reply",\#
    "summary":"Answers a challenge. Exactly one reply counts.",\#
    "description":"After an error the challenge is as pending as it was. With the persistence permanent\#
    , accepted comes when the decision is on the disk.",\#
    "tags":[{"name":"challenge"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"challenge","required":true,"schema":{"$ref":"#/components/schemas/ChallengeIdenti\#
    fier"}},{"name":"disposition","required":true,"schema":{"$ref":"#/components/schemas/Disposition"}},\#
    {"name":"credential","description":"With useCredential: what to send; null or left out: go on withou\#
    t: the 401 is delivered, and a server that asks for a certificate gets none (serverTrust needs one)\#
    . Ignored beside the other dispositions.","required":false,"schema":{"anyOf":[{"$ref":"#/components/\#
    schemas/Credential"},{"type":"null"}]}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"accepted":{"const":true}},"requir\#
    ed":["accepted"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/challengeNotPending"},{"$ref":"#/components/errors/dispositionNotAllowe\#
    d"},{"$ref":"#/components/errors/credentialUnusable"},{"$ref":"#/components/errors/storageUnavailabl\#
    e"}]},\#
    {"name":"challenge/list",\#
    "summary":"Lists the pending challenges that this connection is entitled to.",\#
    "tags":[{"name":"challenge"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"challenges":{"type":"array","item\#
    s":{"$ref":"#/components/schemas/Challenge"}}},"required":["challenges"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"challenge/describe",\#
    "summary":"Describes one pending challenge.",\#
    "tags":[{"name":"challenge"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"challenge","required":true,"schema":{"$ref":"#/components/schemas/ChallengeIdenti\#
    fier"}}],\#
    "result":{"name":"result","schema":{"$ref":"#/components/schemas/Challenge"}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/challengeNotPending"}]},\#
    {"name":"redirect/reply",\#
    "summary":"Answers task/willRedirect.",\#
    "tags":[{"name":"redirect"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"request","description":"The request to make, members left out as proposed; null: stop and del\#
    iver the 3xx.","required":true,"schema":{"anyOf":[{"type":"object","properties":{"url":{"$ref":"#/co\#
    mponents/schemas/HttpUrl"},"method":{"$ref":"#/components/schemas/HttpMethod"},"headers":{"$ref":"#/\#
    components/schemas/Headers"}},"additionalProperties":false},{"type":"null"}]}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/taskNotFound"},{"$ref":"#/components/errors/tooManyRedirects"},{"$ref":\#
    "#/components/errors/redirectRefused"},{"$ref":"#/components/errors/redirectNotPending"},{"$ref":"#/\#
    components/errors/bodyNotReplayable"}]},\#
    {"name":"credential/set",\#
    "summary":"Stores a credential for a protection space.",\#
    "tags":[{"name":"credential"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"protectionSpace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpac\#
    eKey"}},{"name":"credential","required":true,"schema":{"$ref":"#/components/schemas/Credential"}},{"\#
    name":"default","required":false,"schema":{"type":"boolean","default":true,"description":"Make it th\#
    e space's default user."}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{}}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":\#
    "#/components/errors/credentialUnusable"},{"$ref":"#/components/errors/storageUnavailable"}]},\#
    {"name":"credential/list",\#
    "summary":"Lists stored credentials, never their secrets. Without session: those of session default.\#
    ",\#
    "tags":[{"name":"credential"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"credentials":{"type":"array","ite\#
    ms":{"$ref":"#/components/schemas/StoredCredential"}}},"required":["credentials"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"credential/remove",\#
    "summary":"Removes a space's credentials, or one user's.",\#
    "tags":[{"name":"credential"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"protectionSpace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpac\#
    eKey"}},{"name":"user","required":false,"schema":{"type":"string","maxLength":4096}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"removed":{"type":"integer","minim\#
    um":0}},"required":["removed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"credential/setDefault",\#
    "summary":"Makes a stored user the default of its space.",\#
    "tags":[{"name":"credential"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"protectionSpace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpac\#
    eKey"}},{"name":"user","required":true,"schema":{"type":"string","maxLength":4096}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{}}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":\#
    "#/components/errors/credentialNotFound"}]},\#
    {"name":"trust/list",\#
    "summary":"Lists the decisions about servers' certificates that the session goes by: its own, then t\#
    he permanent ones.",\#
    "tags":[{"name":"trust"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"trust":{"type":"array","items":{"\#
    $ref":"#/components/schemas/TrustDecision"}}},"required":["trust"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"trust/remove",\#
    "summary":"Removes decisions about servers' certificates, by id, by origin, or all of them.",\#
    "description":"Permanent ones are taken back for every session; after storageUnavailable nothing wa\#
    s removed. The connections that rest on them are used by no later exchange.",\#
    "tags":[{"name":"trust"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"trust","required":false,"schema":{"type":"string","maxLength":64}},{"name":"origin","d\#
    escription":"A URL of the origin.","required":false,"schema":{"$ref":"#/components/schemas/HttpUrl"}\#
    }],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"removed":{"type":"integer","minim\#
    um":0}},"required":["removed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/storageUnavailable"},{"$\#
    ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"identity/add",\#
    "summary":"Gives the session a client certificate with its key.",\#
    "description":"It is for every server that asks for certificates of its issuer. The same certificat\#
    e again takes the place of the one that is there. A key that is encrypted and comes without a passph\#
    rase is credentialUnusable with the reason passphraseNeeded: ask for it and call again. No file is o\#
    pened: the caller sends what is in it. A key in a token stays there; its PIN is the passphrase.",\#
    "tags":[{"name":"identity"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"identity","required":true,"schema":{"$ref":"#/components/schemas/IdentityMaterial"}},{\#
    "name":"persistence","required":false,"schema":{"allOf":[{"$ref":"#/components/schemas/Persistence"}\#
    ],"default":"forSession"}},{"name":"limits","required":false,"schema":{"$ref":"#/components/schemas/\#
    IdentityLimits"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"identity":{"$ref":"#/components/s\#
    chemas/IdentityIdentifier"}},"required":["identity"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/sessionInvalidated"},{"$\#
    ref":"#/components/errors/credentialUnusable"},{"$ref":"#/components/errors/storageUnavailable"},{"$\#
    ref":"#/components/errors/requestCancelled"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"identity/list",\#
    "summary":"Lists the session's client certificates, the one that was added last first; never a key."\#
    ,\#
    "tags":[{"name":"identity"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"identities":{"type":"array","item\#
    s":{"$ref":"#/components/schemas/Identity"}}},"required":["identities"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"identity/tokens",\#
    "summary":"Lists the certificates of the tokens that the daemon's PKCS#11 modules have, each with th\#
    e URI that names its key.",\#
    "description":"No token is logged in to: certificates that a token hides until then are not here. Em\#
    pty when the administrator has configured no modules.",\#
    "tags":[{"name":"identity"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"identities":{"type":"array","item\#
    s":{"$ref":"#/components/schemas/TokenCertificate"}}},"required":["identities"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/credentialUnusable"},{"$ref":"#/components/errors/requestCancelled"},{"\#
    $ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"identity/remove",\#
    "summary":"Forgets a client certificate and its key, or all of the session.",\#
    "description":"What was decided about presenting it is forgotten too, and the connections that res\#
    t on it are used by no later exchange.",\#
    "tags":[{"name":"identity"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"identity","required":false,"schema":{"$ref":"#/components/schemas/IdentityIdentifier"}\#
    }],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"removed":{"type":"integer","minim\#
    um":0}},"required":["removed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"cookie/list",\#
    "summary":"Lists the session's cookies; with url, those that would be sent there.",\#
    "tags":[{"name":"cookie"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"url","required":false,"schema":{"$ref":"#/components/schemas/HttpUrl"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"cookies":{"type":"array","items":\#
    {"$ref":"#/components/schemas/Cookie"}}},"required":["cookies"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"cookie/set",\#
    "summary":"Stores a cookie.",\#
    "tags":[{"name":"cookie"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"cookie","required":true,"schema":{"$ref":"#/components/schemas/CookieToSet"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{}}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"cookie/remove",\#
    "summary":"Removes cookies by domain, by name, by both, or all.",\#
    "tags":[{"name":"cookie"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"domain","required":false,"schema":{"type":"string","minLength":1,"maxLength":255}},{"n\#
    ame":"name","required":false,"schema":{"type":"string","minLength":1,"maxLength":4096}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"removed":{"type":"integer","minim\#
    um":0}},"required":["removed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"explain",\#
    "summary":"Says what would happen for a URL; nothing is sent.",\#
    "tags":[{"name":"session"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifie\#
    r"}},{"name":"url","required":true,"schema":{"$ref":"#/components/schemas/HttpUrl"}},{"name":"method\#
    ","required":false,"schema":{"allOf":[{"$ref":"#/components/schemas/HttpMethod"}],"default":"GET"}}]\#
    ,\#
    "result":{"name":"result","schema":{"type":"object","properties":{"url":{"type":"string"},"origin":{\#
    "$ref":"#/components/schemas/Origin"},"credential":{"anyOf":[{"type":"object","properties":{"user":{\#
    "anyOf":[{"type":"string"},{"type":"null"}]},"authenticationMethod":{"type":"string"},"realm":{"desc\#
    ription":"Left out: any realm.","anyOf":[{"type":"string"},{"type":"null"}]},"realmBytes":{"$ref":"#\#
    /components/schemas/RealmBytes"},"source":{"type":"string"}},"required":["user","authenticationMetho\#
    d","source"]},{"type":"null"}]},"preemptive":{"type":"boolean","description":"Whether it would be se\#
    nt unasked."},"methods":{"type":"array","items":{"type":"string"},"description":"The order in force.\#
    "},"authorizationHeader":{"type":"string","enum":["session","none"],"description":"Who would set Aut\#
    horization, unless the caller does."},"trust":{"type":"object","properties":{"evaluation":{"type":"s\#
    tring","enum":["default"]},"decisions":{"type":"array","items":{"$ref":"#/components/schemas/TrustDe\#
    cision"},"description":"Those about this origin."},"pins":{"type":"array","items":{"type":"string"},\#
    "description":"The session's pins for this host, by their host patterns."},"rules":{"type":"array","\#
    items":{"type":"string"},"description":"The administrator's rules that bind this host, as they are n\#
    amed in the daemon's configuration."}},"required":["evaluation","decisions","pins","rules"]},"client\#
    Certificate":{"type":"object","properties":{"decisions":{"type":"array","items":{"type":"object","pr\#
    operties":{"distinguishedNames":{"type":"array","items":{"type":"string"},"description":"When it ask\#
    s for these."},"choice":{"type":"string","enum":["identity","none","default"]},"identity":{"anyOf":[\#
    {"$ref":"#/components/schemas/IdentityIdentifier"},{"type":"null"}]}},"required":["distinguishedName\#
    s","choice","identity"]},"description":"What was decided for the session to present this origin with\#
    ."},"candidates":{"type":"array","items":{"$ref":"#/components/schemas/IdentityIdentifier"},"descrip\#
    tion":"The session's identities that may go to this origin now. Default handling takes the first o\#
    f them that fits what the server asks for, which is not known before."}},"required":["decisions","ca\#
    ndidates"]},"proxy":{"anyOf":[{"type":"string"},{"type":"null"}]},"redirects":{"type":"object","prop\#
    erties":{"policy":{"type":"string","enum":["follow","manual","ask"]},"limit":{"type":"integer"}},"re\#
    quired":["policy","limit"]},"pendingChallenges":{"type":"array","items":{"type":"string"}},"headers"\#
    :{"type":"array","items":{"type":"array","items":[{"type":"string"},{"type":"string"}],"minItems":2,\#
    "maxItems":2},"description":"The session's additional fields; sensitive values read <secret>."}},"re\#
    quired":["url","origin","credential","preemptive","methods","authorizationHeader","trust","clientCer\#
    tificate","proxy","redirects","pendingChallenges","headers"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"status",\#
    "summary":"Returns one snapshot.",\#
    "tags":[{"name":"status"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"$ref":"#/components/schemas/StatusSnapshot"}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"status/subscribe",\#
    "summary":"Sends status/didChange from now on, at most once per interval and only after changes.",\#
    "tags":[{"name":"status"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"intervalSeconds","required":false,"schema":{"type":"number","minimum":0.1,"maximu\#
    m":3600,"default":1}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"subscribed":{"const":true}},"requ\#
    ired":["subscribed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/limitExceeded"}]},\#
    {"name":"status/unsubscribe",\#
    "summary":"Ends the subscription.",\#
    "tags":[{"name":"status"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"subscribed":{"const":false}},"req\#
    uired":["subscribed"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]\#
    },\#
    {"name":"server/reload",\#
    "summary":"Reads the daemon's configuration again; one that is broken changes nothing. The daemon'\#
    s uid or root only.",\#
    "tags":[{"name":"server"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"reloaded":{"const":true}},"requir\#
    ed":["reloaded"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/notPermitted"},{"$ref":"#/components/errors/configurationInvalid"}]},\#
    {"name":"server/shutdown",\#
    "summary":"Stops the daemon. The daemon's uid or root only.",\#
    "tags":[{"name":"server"}],\#
    "paramStructure":"by-name",\#
    "x-additionalParams":false,\#
    "params":[{"name":"graceful","required":false,"schema":{"type":"boolean","default":true,"description\#
    ":"Finish running tasks first."}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"stopping":{"const":true}},"requir\#
    ed":["stopping"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/notPermitted"}]}],\#
    "x-notifications":[{"name":"$/cancelRequest",\#
    "direction":"clientToServer",\#
    "summary":"Cancels a request of this connection; it is still answered, with requestCancelled, unles\#
    s it was already done.",\#
    "x-additionalParams":false,\#
    "params":[{"name":"id","required":true,"schema":{"$ref":"#/components/schemas/Id"}}]},\#
    {"name":"session/didReceiveChallenge",\#
    "direction":"serverToClient",\#
    "summary":"A session-wide challenge. Not raised by this version.",\#
    "x-additionalParams":true,\#
    "paramsSchema":{"$ref":"#/components/schemas/Challenge"}},\#
    {"name":"task/didReceiveChallenge",\#
    "direction":"serverToClient",\#
    "summary":"A challenge: answer with challenge/reply.",\#
    "x-additionalParams":true,\#
    "paramsSchema":{"$ref":"#/components/schemas/Challenge"}},\#
    {"name":"challenge/didSettle",\#
    "direction":"serverToClient",\#
    "summary":"A challenge is over; sent to everybody who was asked.",\#
    "x-additionalParams":true,\#
    "params":[{"name":"challenge","required":true,"schema":{"$ref":"#/components/schemas/ChallengeIdenti\#
    fier"}},{"name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}\#
    },{"name":"outcome","required":true,"schema":{"type":"string","enum":["answered","default","deadline\#
    ","withdrawn"]}},{"name":"disposition","required":true,"schema":{"anyOf":[{"$ref":"#/components/sche\#
    mas/Disposition"},{"type":"null"}]}}]},\#
    {"name":"task/willRedirect",\#
    "direction":"serverToClient",\#
    "summary":"Policy ask: answer with redirect/reply.",\#
    "x-additionalParams":true,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":\#
    "response","required":true,"schema":{"type":"object","properties":{"status":{"type":"integer"},"head\#
    ers":{"$ref":"#/components/schemas/ReceivedHeaders"}},"required":["status","headers"]}},{"name":"req\#
    uest","description":"The request that following would make.","required":true,"schema":{"type":"objec\#
    t","properties":{"url":{"type":"string"},"method":{"type":"string"},"headers":{"$ref":"#/components/\#
    schemas/ReceivedHeaders"}},"required":["url","method","headers"]}}]},\#
    {"name":"task/didRedirect",\#
    "direction":"serverToClient",\#
    "summary":"A redirect was followed (task/start).",\#
    "x-additionalParams":true,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":\#
    "status","required":true,"schema":{"type":"integer"}},{"name":"from","required":true,"schema":{"type\#
    ":"string"}},{"name":"to","required":true,"schema":{"type":"string"}}]},\#
    {"name":"task/didReceiveResponse",\#
    "direction":"serverToClient",\#
    "summary":"The final response's head (task/start; fetch only with output stream).",\#
    "x-additionalParams":true,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":\#
    "url","required":true,"schema":{"type":"string"}},{"name":"status","required":true,"schema":{"type":\#
    "integer"}},{"name":"protocol","required":true,"schema":{"$ref":"#/components/schemas/NetworkProtoco\#
    l"}},{"name":"headers","required":true,"schema":{"$ref":"#/components/schemas/ReceivedHeaders"}}]},\#
    {"name":"task/didReceiveData",\#
    "direction":"serverToClient",\#
    "summary":"A piece of the body (output stream).",\#
    "x-additionalParams":true,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":\#
    "offset","required":true,"schema":{"type":"integer","minimum":0}},{"name":"base64","required":true,"\#
    schema":{"type":"string"}}]},\#
    {"name":"task/didSendBodyData",\#
    "direction":"serverToClient",\#
    "summary":"Progress of the request body (task/start).",\#
    "x-additionalParams":true,\#
    "params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"\#
    name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":\#
    "bytesSent","required":true,"schema":{"type":"integer","minimum":0}},{"name":"totalBytes","required"\#
    :true,"schema":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}}]},\#
    {"name":"task/didFinish",\#
    "direction":"serverToClient",\#
    "summary":"The last notification of a task (task/start): the members of fetch's result, or error.",\#
    "x-additionalParams":true,\#
    "paramsSchema":{"anyOf":[{"$ref":"#/components/schemas/FetchResult"},{"type":"object","properties":{\#
    "task":{"$ref":"#/components/schemas/TaskIdentifier"},"session":{"$ref":"#/components/schemas/Sessio\#
    nIdentifier"},"error":{"$ref":"#/components/schemas/Error"}},"required":["task","session","error"]}]\#
    }},\#
    {"name":"credential/didChange",\#
    "direction":"serverToClient",\#
    "summary":"A session's credentials changed; sent to its holders.",\#
    "x-additionalParams":true,\#
    "params":[{"name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier\#
    "}},{"name":"protectionSpace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpace\#
    Name"}},{"name":"user","required":true,"schema":{"anyOf":[{"type":"string"},{"type":"null"}]}},{"nam\#
    e":"change","required":true,"schema":{"type":"string","enum":["added","removed","replaced"]}}]},\#
    {"name":"session/didInvalidate",\#
    "direction":"serverToClient",\#
    "summary":"The session is gone.",\#
    "x-additionalParams":true,\#
    "params":[{"name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier\#
    "}},{"name":"reason","required":true,"schema":{"type":"string","enum":["invalidated","finished","idl\#
    e","shutdown"]}}]},\#
    {"name":"status/didChange",\#
    "direction":"serverToClient",\#
    "summary":"A new snapshot (status/subscribe).",\#
    "x-additionalParams":true,\#
    "paramsSchema":{"$ref":"#/components/schemas/StatusSnapshot"}}],\#
    "components":{"schemas":{"Id":{"description":"A request id: a string, an integer or null. Fractiona\#
    l numbers are refused. It comes back exactly as it was sent.","anyOf":[{"type":"string","maxLength":\#
    1024},{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807},{"type":"null"\#
    }]},\#
    "Request":{"type":"object","description":"A request; without id a notification, which is never answe\#
    red.","properties":{"jsonrpc":{"const":"2.0"},"id":{"$ref":"#/components/schemas/Id"},"method":{"typ\#
    e":"string","maxLength":256},"params":{"type":"object","description":"By name. An array that is no\#
    t empty is refused with invalidParams and the path params."},"descriptors":{"type":"integer","minimu\#
    m":0,"maximum":16,"description":"How many descriptors travel with this message."}},"required":["json\#
    rpc","method"]},\#
    "Error":{"type":"object","description":"Why a request or a task failed. data carries further member\#
    s by kind, as in ErrorData.","properties":{"code":{"type":"integer"},"message":{"type":"string","des\#
    cription":"For people; never holds a secret."},"data":{"type":"object","properties":{"kind":{"type":\#
    "string","description":"The kind as in errors.json."},"retry":{"type":"string","enum":["never","same\#
    ","newCredential","later"]}},"required":["kind","retry"]}},"required":["code","message","data"]},\#
    "ErrorData":{"type":"object","description":"Members of error.data.","properties":{"kind":{"type":"st\#
    ring"},"retry":{"type":"string","enum":["never","same","newCredential","later"]},"path":{"type":"str\#
    ing","description":"invalidParams: where, as params.configuration.redirects.limit or params.headers[\#
    2][1]. configurationInvalid: a member of the file, as transportSecurity.domains[0].domain."},"member\#
    s":{"type":"array","items":{"type":"string"},"description":"sessionConfigurationDiffers: the paths t\#
    hat differ."},"limit":{"type":"string","description":"limitExceeded, bodyTooLarge: the name of the l\#
    imit."},"hop":{"type":"string","enum":["origin","proxy"],"description":"Transport errors: which ho\#
    p failed."},"url":{"type":"string","description":"Transport errors: the URL of the exchange, withou\#
    t userinfo and query."},"phase":{"type":"string","enum":["connect","request","resource"],"descriptio\#
    n":"timedOut: what took too long."},"reason":{"type":"string","description":"More detail, for people\#
    ."},"reasons":{"type":"array","items":{"$ref":"#/components/schemas/TrustReason"},"description":"ser\#
    verTrustRejected: all faults found."}},"required":["kind","retry"]},\#
    "Reply":{"description":"Exactly one per request.","oneOf":[{"type":"object","properties":{"jsonrpc":\#
    {"const":"2.0"},"id":{"$ref":"#/components/schemas/Id"},"result":{},"descriptors":{"type":"integer",\#
    "minimum":0,"maximum":16}},"required":["jsonrpc","id","result"]},{"type":"object","properties":{"jso\#
    nrpc":{"const":"2.0"},"id":{"$ref":"#/components/schemas/Id"},"error":{"$ref":"#/components/schemas/\#
    Error"}},"required":["jsonrpc","id","error"]}]},\#
    "Notification":{"type":"object","description":"From the daemon: one of x-notifications.","properties\#
    ":{"jsonrpc":{"const":"2.0"},"method":{"type":"string"},"params":{"type":"object"}},"required":["jso\#
    nrpc","method"]},\#
    "SessionIdentifier":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._-]+$","de\#
    scription":"A session: the name of a named session, or the id that session/open gave a private one\#
    . Left out, it is the uid's session default, made on first use."},\#
    "SessionName":{"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!private-)[A-Za-z0-9._-]+\#
    $","description":"The name of a session of this uid; also its id. Names that begin with private- ar\#
    e the daemon's."},\#
    "TaskIdentifier":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-z0-9._-]+$","descr\#
    iption":"A task. Unique among the running tasks of the uid."},\#
    "ChallengeIdentifier":{"type":"string","minLength":1,"maxLength":256,"description":"A challenge. Uni\#
    que for the life of the daemon and not guessable."},\#
    "AuthenticationMethod":{"type":"string","enum":["basic","digest","bearer","negotiate","ntlm","htmlFo\#
    rm","clientCertificate","serverTrust"],"description":"What a server can ask for. negotiate, ntlm, ht\#
    mlForm and clientCertificate are names that a delegate may list; this version raises no challenge fo\#
    r them."},\#
    "DelegateMethod":{"type":"string","enum":["basic","digest","bearer","negotiate","ntlm","htmlForm","c\#
    lientCertificate","serverTrust","*"],"description":"An authentication method, or * for all."},\#
    "Disposition":{"type":"string","enum":["useCredential","performDefaultHandling","cancelAuthenticatio\#
    nChallenge","rejectProtectionSpace"],"description":"The answer to a challenge."},\#
    "Persistence":{"type":"string","enum":["none","forSession","permanent","synchronizable"],"descriptio\#
    n":"How long a credential is kept. permanent is for decisions about certificates, in sessions with s\#
    hared storage; for everything else, and for synchronizable, the answer is storageUnavailable."},\#
    "Protocol":{"type":"string","enum":["http","https"]},\#
    "NetworkProtocol":{"type":"string","description":"The protocol that was spoken, by its ALPN name.","\#
    enum":["http/1.0","http/1.1","h2"]},\#
    "HttpUrl":{"type":"string","minLength":1,"maxLength":16384,"description":"An absolute http or http\#
    s URL."},\#
    "HttpMethod":{"type":"string","minLength":1,"maxLength":32,"pattern":"^(?!CONNECT$)[!#$%&'*+.^_`|~0-\#
    9A-Za-z-]+$","description":"An HTTP method, case-sensitive; not CONNECT."},\#
    "FieldName":{"type":"string","minLength":1,"maxLength":256,"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"\#
    ,"description":"An HTTP field name."},\#
    "FieldValue":{"type":"string","maxLength":65536,"pattern":"^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]\#
    *$","description":"An HTTP field value: no control character but tab."},\#
    "HeaderField":{"type":"array","description":"[name, value]","items":[{"$ref":"#/components/schemas/F\#
    ieldName"},{"$ref":"#/components/schemas/FieldValue"}],"minItems":2,"maxItems":2},\#
    "Headers":{"type":"array","items":{"$ref":"#/components/schemas/HeaderField"},"maxItems":256,"descri\#
    ption":"Header fields to send, in order; duplicates are kept. Those that frame a message or belong t\#
    o a hop (Connection, Content-Length, Expect, HTTP2-Settings, Keep-Alive, Proxy-Authorization, Proxy-\#
    Connection, TE, Trailer, Transfer-Encoding, Upgrade) are the daemon's and refused."},\#
    "ReceivedHeaders":{"type":"array","items":{"type":"array","items":[{"type":"string"},{"type":"string\#
    "}],"minItems":2,"maxItems":2},"description":"Header fields as received, in order, duplicates kept."\#
    },\#
    "Timestamp":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$","d\#
    escription":"A time in UTC, RFC 3339, as 2026-11-21T12:05:00Z."},\#
    "DescriptorIndex":{"type":"integer","minimum":0,"maximum":15,"description":"Which of the descriptor\#
    s that travel with this message, from 0."},\#
    "Origin":{"type":"string","description":"scheme://host:port; the port is always there."},\#
    "Delegate":{"type":"object","description":"Which challenges a connection takes. It replaces what th\#
    e connection said before.","properties":{"tasks":{"type":"array","items":{"$ref":"#/components/schem\#
    as/DelegateMethod"},"maxItems":64,"description":"Methods this connection takes for tasks it started.\#
    "},"session":{"type":"array","items":{"$ref":"#/components/schemas/DelegateMethod"},"maxItems":64,"d\#
    escription":"Methods this connection takes for any task of the session."},"trustVerdicts":{"type":"s\#
    tring","enum":["all","refused"],"default":"all","description":"Whether serverTrust is asked about ev\#
    ery chain, or about those only that default evaluation refuses."}},"additionalProperties":false},\#
    "SessionConfiguration":{"type":"object","description":"A session's settings, all optional. It count\#
    s when the session is made.","properties":{"credentialStorage":{"type":"string","enum":["shared","pr\#
    ivate"],"default":"shared","description":"Whether the session goes by what is permanent and may ad\#
    d to it: private makes an ephemeral session."},"methods":{"type":"object","description":"Authenticat\#
    ion methods.","properties":{"order":{"description":"Which offers come first: a list, or the server'\#
    s order. Methods left out come after those named, by strength.","default":["negotiate","bearer","dig\#
    est","ntlm","basic"],"anyOf":[{"type":"array","items":{"type":"string","enum":["negotiate","bearer",\#
    "digest","ntlm","basic"]},"uniqueItems":true,"maxItems":5},{"type":"string","enum":["serverOrder"]}]\#
    },"disabled":{"type":"array","items":{"type":"string","enum":["negotiate","bearer","digest","ntlm","\#
    basic"]},"uniqueItems":true,"maxItems":5,"default":["ntlm"],"description":"Methods that are no offer\#
    s at all."},"basicOverCleartext":{"type":"boolean","default":false,"description":"Whether stored an\#
    d URL credentials may be used for Basic over http to a host other than loopback. An explicit reply i\#
    s always possible."},"strongestOnly":{"type":"boolean","default":false,"description":"Only the stron\#
    gest offer of a response counts, and none weaker than any that the origin made before."}},"additiona\#
    lProperties":false},"challenges":{"type":"object","description":"How challenges end.","properties":{\#
    "deadlineSeconds":{"type":"number","minimum":0.001,"maximum":86400,"default":300,"description":"Ho\#
    w long a challenge waits for its reply."},"unanswered":{"type":"string","enum":["cancel","performDef\#
    aultHandling","deliver"],"default":"cancel","description":"What the deadline answers."},"refusalBudg\#
    et":{"type":"integer","minimum":1,"maximum":100,"default":5,"description":"Refusals per protection s\#
    pace and task before the 401 is delivered."}},"additionalProperties":false},"tls":{"type":"object","\#
    description":"TLS to origins.","properties":{"roots":{"anyOf":[{"type":"object","description":"Furth\#
    er roots, or other ones.","properties":{"certificates":{"type":"string","minLength":1,"maxLength":10\#
    48576,"description":"Certificates in PEM."},"exclusive":{"type":"boolean","default":false,"descripti\#
    on":"Only these roots instead of these and the system's."}},"required":["certificates"],"additionalP\#
    roperties":false},{"type":"null"}]},"minimumVersion":{"type":"string","enum":["1.2","1.3"],"default"\#
    :"1.2"},"maximumVersion":{"type":"string","enum":["1.2","1.3"],"default":"1.3"},"pins":{"type":"arra\#
    y","items":{"type":"object","properties":{"host":{"type":"string","maxLength":255,"description":"A h\#
    ost, or *. and a name: every host below it, at any depth."},"publicKeys":{"type":"array","items":{"t\#
    ype":"string","pattern":"^sha256/[A-Za-z0-9+/]{43}=$"},"minItems":1,"maxItems":64,"description":"O\#
    f which the chain has to hold one: the server's key or that of an issuer."},"reportOnly":{"type":"bo\#
    olean","default":false,"description":"A chain without one is counted (pins.reported) and logged, an\#
    d goes on."}},"required":["host","publicKeys"],"additionalProperties":false},"maxItems":256,"default\#
    ":[],"description":"Every rule for a host has to be met; else pinMismatch."},"revocation":{"type":"s\#
    tring","enum":["off","stapled","required","stapleRequired"],"default":"off","description":"stapled\#
    : an OCSP response that the server sends is checked; required: there has to be a good one, or a lis\#
    t of the certificate's issuer. What a certificate itself insists on (RFC 7633) is checked with off\#
    , too."},"revocationLists":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"description"\#
    :"PEM. A certificate whose issuer has a list here is looked up in it; a list that has expired says n\#
    othing, which is revocationUnknown."}},"additionalProperties":false},"proxies":{"type":"string","enu\#
    m":["environment","none"],"default":"environment","description":"Proxies from the daemon's environme\#
    nt, or none. Proxies by URL are not in this version."},"redirects":{"type":"object","description":"W\#
    hat a 3xx does.","properties":{"policy":{"type":"string","enum":["follow","manual","ask"],"default":\#
    "follow","description":"follow; manual: deliver the 3xx; ask: task/willRedirect."},"limit":{"type":"\#
    integer","minimum":0,"maximum":20,"default":20,"description":"Redirects in one task."},"allowDowngra\#
    de":{"type":"boolean","default":false,"description":"Whether https may lead to http."}},"additionalP\#
    roperties":false},"timeouts":{"allOf":[{"$ref":"#/components/schemas/Timeouts"}],"description":"Defa\#
    ults for the session's tasks."},"headers":{"allOf":[{"$ref":"#/components/schemas/Headers"}],"descri\#
    ption":"Fields added to every request of the session that does not set them itself."},"cookies":{"ty\#
    pe":"string","enum":["accept","originOnly","never"],"default":"accept","description":"Which cookie\#
    s the session keeps."},"cache":{"type":"string","enum":["none"],"default":"none","description":"No\#
    t in this version: only none."},"idleSeconds":{"type":"number","minimum":0,"maximum":315360000,"defa\#
    ult":28800,"description":"How long a named session outlives its last holder and task."},"connections\#
    PerHost":{"type":"integer","minimum":1,"maximum":256,"default":6,"description":"Connections to one h\#
    ost, those of HTTP/2 and of HTTP/1.1 counted apart; with 1, of all together."},"httpVersions":{"type\#
    ":"array","items":{"type":"string","enum":["2","1.1"]},"minItems":1,"maxItems":2,"uniqueItems":true,\#
    "contains":{"const":"1.1"},"default":["2","1.1"],"description":"HTTP versions to use; the server cho\#
    oses among them."},"limits":{"type":"object","description":"Bounds on response bodies.","properties"\#
    :{"inlineBodyBytes":{"type":"integer","minimum":0,"maximum":67108864,"default":8388608,"description"\#
    :"The largest body that travels inside a reply."},"memoryBodyBytes":{"type":"integer","minimum":0,"m\#
    aximum":9223372036854775807,"default":268435456,"description":"The largest body that travels as a me\#
    mory file."},"decodedBodyBytes":{"description":"The largest body after decoding; null: no limit.","d\#
    efault":null,"anyOf":[{"type":"integer","minimum":0,"maximum":9223372036854775807},{"type":"null"}]}\#
    },"additionalProperties":false},"addresses":{"type":"object","description":"Where the session may co\#
    nnect.","properties":{"resolve":{"type":"object","description":"host:port to address, instead of nam\#
    e resolution; each host and port once.","maxProperties":4096,"additionalProperties":{"type":"string"\#
    ,"minLength":1,"maxLength":64},"default":{}},"allowOrigins":{"description":"The only origins this se\#
    ssion may talk to, each scheme://host or scheme://host:port; null: all.","default":null,"anyOf":[{"t\#
    ype":"array","items":{"type":"string"},"maxItems":1024},{"type":"null"}]},"refusePrivate":{"type":"b\#
    oolean","default":false,"description":"Refuse loopback, link-local and private addresses, checked o\#
    n the resolved address."}},"additionalProperties":false},"netrc":{"type":"null","description":"Not i\#
    n this version: only null.","default":null},"forms":{"type":"array","items":{},"maxItems":0,"default\#
    ":[],"description":"Not in this version: only the empty list."}},"additionalProperties":false},\#
    "Timeouts":{"type":"object","description":"None of them runs while somebody is being asked.","proper\#
    ties":{"connectSeconds":{"type":"number","default":30,"minimum":0.001,"maximum":315360000,"descripti\#
    on":"Until connected, TLS included."},"requestSeconds":{"type":"number","default":60,"minimum":0.001\#
    ,"maximum":315360000,"description":"Without a byte of progress."},"resourceSeconds":{"type":"number"\#
    ,"default":604800,"minimum":0.001,"maximum":315360000,"description":"For the whole task; time in whi\#
    ch somebody is asked or the task is suspended does not count."}},"additionalProperties":false},\#
    "CredentialLimits":{"type":"object","description":"Where and how long a credential is good. Checke\#
    d on listing as well as on use.","properties":{"idleSeconds":{"type":"number","minimum":0,"maximum":\#
    315360000,"description":"Gone after this long without use."},"lifetimeSeconds":{"type":"number","min\#
    imum":0,"maximum":315360000,"description":"Gone this long after it was given."},"notAfter":{"allOf":\#
    [{"$ref":"#/components/schemas/Timestamp"}],"description":"Gone at this time."},"pathPrefixes":{"typ\#
    e":"array","items":{"type":"string","pattern":"^/"},"minItems":1,"maxItems":64,"description":"Only f\#
    or paths at or below one of these."},"methods":{"type":"array","items":{"type":"string","minLength":\#
    1,"maxLength":256,"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},"minItems":1,"maxItems":64,"description\#
    ":"Only for these HTTP methods."},"maximumUses":{"type":"integer","minimum":1,"maximum":1000000000,"\#
    description":"Gone after so many exchanges."},"confirm":{"type":"boolean","default":false,"descripti\#
    on":"Every use by another process raises a challenge first."}},"additionalProperties":false},\#
    "PasswordCredential":{"type":"object","description":"For basic and digest.","properties":{"user":{"t\#
    ype":"string","maxLength":4096},"password":{"type":"string","maxLength":65536,"description":"Secret.\#
    "},"persistence":{"allOf":[{"$ref":"#/components/schemas/Persistence"}],"default":"forSession"},"lim\#
    its":{"$ref":"#/components/schemas/CredentialLimits"}},"required":["user","password"],"additionalPro\#
    perties":false},\#
    "TokenCredential":{"type":"object","description":"For bearer.","properties":{"token":{"type":"string\#
    ","minLength":1,"maxLength":65536,"description":"Secret."},"persistence":{"allOf":[{"$ref":"#/compon\#
    ents/schemas/Persistence"}],"default":"forSession"},"limits":{"$ref":"#/components/schemas/Credentia\#
    lLimits"}},"required":["token"],"additionalProperties":false},\#
    "Credential":{"description":"What opens a protection space.","oneOf":[{"$ref":"#/components/schemas/\#
    PasswordCredential"},{"$ref":"#/components/schemas/TokenCredential"},{"$ref":"#/components/schemas/T\#
    rustCredential"},{"$ref":"#/components/schemas/IdentityCredential"}]},\#
    "TrustCredential":{"type":"object","description":"For serverTrust: this origin's certificates (or it\#
    s key, which may get other certificates) are accepted with the reasons that were shown, and no other\#
    s.","properties":{"trust":{"type":"string","enum":["certificate","publicKey"]},"persistence":{"allOf\#
    ":[{"$ref":"#/components/schemas/Persistence"}],"default":"none"}},"required":["trust"],"additionalP\#
    roperties":false},\#
    "TrustDecision":{"type":"object","description":"A decision about a server's certificates: the sessio\#
    n's own, or a permanent one.","properties":{"trust":{"type":"string","description":"Its id: in the s\#
    ession a number, of the account p and a number."},"origin":{"$ref":"#/components/schemas/Origin"},"s\#
    ubject":{"type":"string","description":"Of the server's certificate when it was decided: RFC 4514."}\#
    ,"scope":{"type":"string","enum":["certificate","publicKey"]},"sha256":{"type":"string","description\#
    ":"Of the server's certificate when it was decided."},"publicKey":{"type":"string"},"excused":{"type\#
    ":"array","items":{"$ref":"#/components/schemas/TrustReason"}},"persistence":{"$ref":"#/components/s\#
    chemas/Persistence"},"uses":{"type":"integer","minimum":0,"description":"Handshakes that it has le\#
    t through."},"lastUsed":{"anyOf":[{"$ref":"#/components/schemas/Timestamp"},{"type":"null"}]},"creat\#
    ed":{"$ref":"#/components/schemas/Timestamp"}},"required":["trust","origin","subject","scope","sha25\#
    6","publicKey","excused","persistence","uses","lastUsed","created"]},\#
    "IdentityLimits":{"type":"object","description":"How long and how often an identity is presented\#
    . A use is a handshake: one for every request on its connection. Checked on listing as well as on us\#
    e; at its limit it is gone with its key, and its connections are used no more.","properties":{"idleS\#
    econds":{"type":"number","minimum":0,"maximum":315360000,"description":"Gone after this long withou\#
    t a handshake."},"lifetimeSeconds":{"type":"number","minimum":0,"maximum":315360000,"description":"G\#
    one this long after it was given."},"notAfter":{"allOf":[{"$ref":"#/components/schemas/Timestamp"}],\#
    "description":"Gone at this time."},"maximumUses":{"type":"integer","minimum":1,"maximum":1000000000\#
    ,"description":"Gone after so many handshakes."}},"additionalProperties":false},\#
    "IdentityCredential":{"type":"object","description":"For clientCertificate: an identity of the sessi\#
    on, or what one is read from. A new one is for the origin that asked, and no other.","properties":{"\#
    identity":{"oneOf":[{"$ref":"#/components/schemas/IdentityIdentifier"},{"$ref":"#/components/schemas\#
    /IdentityMaterial"}]},"persistence":{"allOf":[{"$ref":"#/components/schemas/Persistence"}],"default"\#
    :"forSession"},"limits":{"allOf":[{"$ref":"#/components/schemas/IdentityLimits"}],"description":"O\#
    f a new identity that is kept."}},"required":["identity"],"additionalProperties":false},\#
    "IdentityMaterial":{"description":"A certificate with its key and the chain that goes with it.","one\#
    Of":[{"type":"object","properties":{"certificates":{"type":"string","minLength":1,"maxLength":262144\#
    ,"description":"PEM, in any order; without the key."},"privateKey":{"type":"string","maxLength":6553\#
    6,"description":"PEM: PKCS#8, or the traditional form of RSA and EC keys. Secret."},"passphrase":{"t\#
    ype":"string","maxLength":1024,"description":"Of an encrypted key. Secret."}},"required":["certifica\#
    tes","privateKey"],"additionalProperties":false},{"type":"object","properties":{"pkcs12":{"type":"st\#
    ring","maxLength":524288,"description":"Base64. Secret."},"passphrase":{"type":"string","maxLength":\#
    1024,"description":"Secret."}},"required":["pkcs12"],"additionalProperties":false},{"type":"object",\#
    "properties":{"pkcs11":{"$ref":"#/components/schemas/TokenUri"},"certificates":{"type":"string","min\#
    Length":1,"maxLength":262144,"description":"PEM, that of the key first. Without them those of the to\#
    ken count."},"passphrase":{"type":"string","maxLength":1024,"description":"The token's PIN, 255 byte\#
    s at most. Secret."}},"required":["pkcs11"],"additionalProperties":false}]},\#
    "TokenUri":{"type":"string","maxLength":2048,"pattern":"^pkcs11:[^?]*$","description":"RFC 7512, whi\#
    ch key of which token: token, manufacturer, serial, model, slot-id, object, type, id. No query: modu\#
    les are the administrator's to name, and the PIN is the passphrase."},\#
    "TokenCertificate":{"type":"object","description":"A certificate that a token shows before anybody h\#
    as logged in.","properties":{"pkcs11":{"$ref":"#/components/schemas/TokenUri"},"subject":{"type":"st\#
    ring","description":"RFC 4514."},"issuer":{"type":"string","description":"RFC 4514."},"serialNumber"\#
    :{"type":"string"},"notBefore":{"$ref":"#/components/schemas/Timestamp"},"notAfter":{"$ref":"#/compo\#
    nents/schemas/Timestamp"},"keyType":{"type":"string"},"keyBits":{"type":"integer","minimum":0},"sha2\#
    56":{"type":"string"},"publicKey":{"type":"string"}},"required":["pkcs11","subject","issuer","serial\#
    Number","notBefore","notAfter","keyType","keyBits","sha256","publicKey"]},\#
    "IdentityIdentifier":{"type":"string","maxLength":64,"description":"Made from the certificate: the s\#
    ame in every session."},\#
    "Identity":{"type":"object","description":"A client certificate of a session. Never its key.","prope\#
    rties":{"identity":{"$ref":"#/components/schemas/IdentityIdentifier"},"origin":{"description":"The o\#
    nly one that it is for, when it came in a reply; null: any that asks for it.","anyOf":[{"$ref":"#/co\#
    mponents/schemas/Origin"},{"type":"null"}]},"subject":{"type":"string","description":"RFC 4514."},"i\#
    ssuer":{"type":"string","description":"RFC 4514."},"serialNumber":{"type":"string"},"notBefore":{"$r\#
    ef":"#/components/schemas/Timestamp"},"notAfter":{"$ref":"#/components/schemas/Timestamp"},"keyType"\#
    :{"type":"string","enum":["rsa","ec","ed25519","ed448"]},"keyBits":{"type":"integer","minimum":0},"s\#
    ha256":{"type":"string"},"publicKey":{"type":"string"},"pkcs11":{"description":"Where its key is; nu\#
    ll: in the daemon's memory.","anyOf":[{"$ref":"#/components/schemas/TokenUri"},{"type":"null"}]},"ch\#
    ainLength":{"type":"integer","minimum":1,"description":"Certificates in all."},"persistence":{"$ref"\#
    :"#/components/schemas/Persistence"},"limits":{"allOf":[{"$ref":"#/components/schemas/IdentityLimits\#
    "}],"description":"Those it was given; empty when none."},"uses":{"type":"integer","minimum":0,"desc\#
    ription":"Handshakes that it was presented in."},"lastUsed":{"anyOf":[{"$ref":"#/components/schemas/\#
    Timestamp"},{"type":"null"}]},"created":{"$ref":"#/components/schemas/Timestamp"},"secondsLeft":{"an\#
    yOf":[{"type":"number","minimum":0,"description":"Until its limits end it."},{"type":"null"}]}},"req\#
    uired":["identity","origin","subject","issuer","serialNumber","notBefore","notAfter","keyType","keyB\#
    its","sha256","publicKey","pkcs11","chainLength","persistence","limits","uses","lastUsed","created",\#
    "secondsLeft"]},\#
    "ProtectionSpaceKey":{"type":"object","description":"Names a protection space in a request.","proper\#
    ties":{"protocol":{"$ref":"#/components/schemas/Protocol"},"host":{"type":"string","minLength":1,"ma\#
    xLength":255,"pattern":"^([0-9A-Za-z._-]+|[0-9A-Fa-f:.]+|\\[[0-9A-Fa-f:.]+\\])$","description":"Hos\#
    t name or address, however it is written: it means what it means in a URL. A name in other letters i\#
    s given in its xn-- form; a final dot makes another host."},"port":{"type":"integer","minimum":1,"ma\#
    ximum":65535,"description":"Left out, the protocol's own."},"realm":{"description":"As the server sp\#
    ells it; null: a challenge without realm. Left out: any realm; credential/set binds the credential t\#
    o the first that accepts it, the others name all of them.","anyOf":[{"type":"string","maxLength":409\#
    6},{"type":"null"}]},"realmBytes":{"type":"string","contentEncoding":"base64","maxLength":5464,"desc\#
    ription":"The realm exactly, instead of realm; beside it only as both are shown."},"authenticationMe\#
    thod":{"type":"string","enum":["basic","digest","bearer","default"],"description":"default stands fo\#
    r basic and digest alike."},"isProxy":{"type":"boolean","default":false},"proxyType":{"type":"null",\#
    "description":"Not in this version: only null."}},"required":["protocol","host","authenticationMetho\#
    d"],"additionalProperties":false},\#
    "RealmBytes":{"type":"string","contentEncoding":"base64","description":"The realm exactly, where i\#
    t is not UTF-8 and realm has replacements."},\#
    "ProtectionSpaceName":{"type":"object","description":"A protection space as lists show it.","propert\#
    ies":{"protocol":{"$ref":"#/components/schemas/Protocol"},"host":{"type":"string"},"port":{"type":"i\#
    nteger"},"realm":{"description":"Left out: any realm, until a server accepts the credential.","anyOf\#
    ":[{"type":"string"},{"type":"null"}]},"realmBytes":{"$ref":"#/components/schemas/RealmBytes"},"auth\#
    enticationMethod":{"type":"string"},"isProxy":{"type":"boolean"}},"required":["protocol","host","por\#
    t","authenticationMethod","isProxy"]},\#
    "StoredCredential":{"type":"object","description":"A credential as lists show it: never its secret."\#
    ,"properties":{"protectionSpace":{"$ref":"#/components/schemas/ProtectionSpaceName"},"user":{"anyOf"\#
    :[{"type":"string"},{"type":"null"}]},"kind":{"type":"string","enum":["password","token"]},"persiste\#
    nce":{"$ref":"#/components/schemas/Persistence"},"isDefault":{"type":"boolean","description":"Whethe\#
    r it is the space's default user."},"source":{"type":"string","enum":["url","session","permanent","s\#
    ynchronizable","netrc"]},"limits":{"allOf":[{"$ref":"#/components/schemas/CredentialLimits"}],"descr\#
    iption":"Those it was given; empty when none."},"uses":{"type":"integer","minimum":0,"description":"\#
    Exchanges it was sent with."},"lastUsed":{"anyOf":[{"$ref":"#/components/schemas/Timestamp"},{"type"\#
    :"null"}]},"created":{"$ref":"#/components/schemas/Timestamp"},"secondsLeft":{"anyOf":[{"type":"numb\#
    er","minimum":0,"description":"Until its limits end it."},{"type":"null"}]}},"required":["protection\#
    Space","user","kind","persistence","isDefault","source","limits","uses","lastUsed","created","second\#
    sLeft"]},\#
    "Offer":{"type":"object","description":"One way to satisfy the server.","properties":{"authenticatio\#
    nMethod":{"$ref":"#/components/schemas/AuthenticationMethod"},"realm":{"anyOf":[{"type":"string"},{"\#
    type":"null"}]},"realmBytes":{"$ref":"#/components/schemas/RealmBytes"},"parameters":{"type":"object\#
    ","description":"Every raw parameter that the server sent, by lowercased name.","additionalPropertie\#
    s":{"type":"string"}}},"required":["authenticationMethod","realm","parameters"]},\#
    "TrustReason":{"type":"object","properties":{"reason":{"type":"string","enum":["expired","notYetVali\#
    d","hostMismatch","unknownIssuer","selfSigned","revoked","revocationUnknown","weakSignature","weakKe\#
    y","invalidPurpose","pathLength","nameConstraint","malformed","pinMismatch","policy","other"],"descr\#
    iption":"More may be added."},"depth":{"type":"integer","minimum":0,"description":"0 is the leaf."}}\#
    ,"required":["reason","depth"]},\#
    "Certificate":{"type":"object","properties":{"subject":{"type":"string","description":"RFC 4514."},"\#
    issuer":{"type":"string","description":"RFC 4514."},"serialNumber":{"type":"string"},"notBefore":{"$\#
    ref":"#/components/schemas/Timestamp"},"notAfter":{"$ref":"#/components/schemas/Timestamp"},"subject\#
    AlternativeNames":{"type":"array","items":{"type":"string"}},"keyType":{"type":"string"},"keyBits":{\#
    "type":"integer"},"sha256":{"type":"string","description":"Of the certificate."},"publicKey":{"type"\#
    :"string","description":"sha256/ and the base64 of the SHA-256 of the SPKI."},"pem":{"type":"string"\#
    }},"required":["subject","issuer","serialNumber","notBefore","notAfter","subjectAlternativeNames","k\#
    eyType","keyBits","sha256","publicKey","pem"]},\#
    "ServerTrust":{"type":"object","description":"A certificate chain and what default evaluation says a\#
    bout it.","properties":{"certificates":{"type":"array","items":{"$ref":"#/components/schemas/Certifi\#
    cate"},"description":"As presented, leaf first."},"verdict":{"type":"string","enum":["trusted","refu\#
    sed"]},"reasons":{"type":"array","items":{"$ref":"#/components/schemas/TrustReason"}}},"required":["\#
    certificates","verdict","reasons"]},\#
    "ProtectionSpace":{"type":"object","description":"What one credential opens.","properties":{"protoco\#
    l":{"$ref":"#/components/schemas/Protocol"},"host":{"type":"string"},"port":{"type":"integer"},"real\#
    m":{"anyOf":[{"type":"string"},{"type":"null"}]},"realmBytes":{"$ref":"#/components/schemas/RealmByt\#
    es"},"authenticationMethod":{"$ref":"#/components/schemas/AuthenticationMethod"},"isProxy":{"type":"\#
    boolean"},"proxyType":{"anyOf":[{"type":"string","enum":["http","https","socks5"]},{"type":"null"}]}\#
    ,"receivesCredentialSecurely":{"type":"boolean","description":"True only over TLS to that hop."},"pa\#
    rameters":{"type":"object","additionalProperties":{"type":"string"},"description":"The raw parameter\#
    s of the first offer; none for a question of a TLS handshake."},"distinguishedNames":{"anyOf":[{"typ\#
    e":"array","items":{"type":"string","description":"RFC 4514."}},{"type":"null"}]},"keyTypes":{"type"\#
    :"array","items":{"type":"string","enum":["rsa","ec","ed25519","ed448"]},"description":"Of clientCer\#
    tificate only: the keys whose signatures the server takes."},"serverTrust":{"anyOf":[{"$ref":"#/comp\#
    onents/schemas/ServerTrust"},{"type":"null"}]}},"required":["protocol","host","port","realm","authen\#
    ticationMethod","isProxy","proxyType","receivesCredentialSecurely","parameters","distinguishedNames"\#
    ,"serverTrust"]},\#
    "ProposedCredential":{"type":"object","description":"The user that the session would use, or the on\#
    e that was just refused. Never a secret.","properties":{"user":{"anyOf":[{"type":"string"},{"type":"\#
    null"}],"description":"Null for a token."},"source":{"type":"string","enum":["url","session","perman\#
    ent","synchronizable","netrc"]}},"required":["user","source"]},\#
    "Waiter":{"type":"object","description":"A task that waits for the answer and its process.","propert\#
    ies":{"task":{"type":"string"},"pid":{"anyOf":[{"type":"integer"},{"type":"null"}],"description":"Nu\#
    ll for a detached task whose connection is gone."},"uid":{"type":"integer"},"executable":{"anyOf":[{\#
    "type":"string","description":"A hint for display, never a right."},{"type":"null"}]}},"required":["\#
    task","pid","uid","executable"]},\#
    "Challenge":{"type":"object","description":"One question put to a delegate.","properties":{"challeng\#
    e":{"$ref":"#/components/schemas/ChallengeIdentifier"},"session":{"$ref":"#/components/schemas/Sessi\#
    onIdentifier"},"task":{"allOf":[{"$ref":"#/components/schemas/TaskIdentifier"}],"description":"The t\#
    ask that raised it."},"url":{"type":"string","description":"Without userinfo. Its query is shown t\#
    o the connection of the task only."},"origin":{"$ref":"#/components/schemas/Origin"},"protectionSpac\#
    e":{"$ref":"#/components/schemas/ProtectionSpace"},"offers":{"type":"array","items":{"$ref":"#/compo\#
    nents/schemas/Offer"},"description":"All methods offered in the same response that are left for thi\#
    s task, in the order in which they will be tried. The first is the one asked about."},"identities":{\#
    "type":"array","items":{"$ref":"#/components/schemas/IdentityIdentifier"},"description":"For clientC\#
    ertificate only: the session's identities that fit what the server asks for. Default handling presen\#
    ts the first."},"proposedCredential":{"anyOf":[{"$ref":"#/components/schemas/ProposedCredential"},{"\#
    type":"null"}]},"previousFailureCount":{"type":"integer","minimum":0,"description":"Refusals in thi\#
    s protection space during this task."},"failureResponse":{"anyOf":[{"type":"object","description":"W\#
    ithout Set-Cookie, Authentication-Info and Proxy-Authentication-Info.","properties":{"status":{"type\#
    ":"integer"},"headers":{"$ref":"#/components/schemas/ReceivedHeaders"}},"required":["status","header\#
    s"]},{"type":"null"}]},"error":{"anyOf":[{"type":"object","description":"A typed reason to be carefu\#
    l. weakerOffer: the origin has offered something stronger for this realm before.","properties":{"kin\#
    d":{"type":"string"},"previous":{"$ref":"#/components/schemas/OfferStrength"},"offered":{"$ref":"#/c\#
    omponents/schemas/OfferStrength"}},"required":["kind"]},{"type":"null"}]},"waiters":{"type":"array",\#
    "items":{"$ref":"#/components/schemas/Waiter"},"maxItems":4096,"description":"The first 4,096 of the\#
    m; waiterCount says how many there are."},"waiterCount":{"type":"integer","minimum":0,"description":\#
    "How many wait in all."},"deadline":{"allOf":[{"$ref":"#/components/schemas/Timestamp"}],"descriptio\#
    n":"When the default answer will be given."}},"required":["challenge","session","task","url","origin\#
    ","protectionSpace","offers","proposedCredential","previousFailureCount","failureResponse","error","\#
    waiters","waiterCount","deadline"]},\#
    "OfferStrength":{"type":"object","properties":{"authenticationMethod":{"$ref":"#/components/schemas/\#
    AuthenticationMethod"},"algorithm":{"anyOf":[{"type":"string"},{"type":"null"}],"description":"Of Di\#
    gest only."}},"required":["authenticationMethod","algorithm"]},\#
    "RequestBody":{"description":"What the request sends.","oneOf":[{"type":"object","properties":{"text\#
    ":{"type":"string"}},"required":["text"],"additionalProperties":false},{"type":"object","properties"\#
    :{"base64":{"type":"string","pattern":"^[A-Za-z0-9+/]*={0,2}$"}},"required":["base64"],"additionalPr\#
    operties":false},{"type":"object","properties":{"descriptor":{"$ref":"#/components/schemas/Descripto\#
    rIndex"}},"required":["descriptor"],"additionalProperties":false}]},\#
    "ResponseBody":{"description":"Where the response's body is: inline text (valid UTF-8 without zero b\#
    ytes), inline base64, in a memory file that came with the reply, or already delivered (size only). t\#
    runcated: it is the beginning of a refusal or redirect, whose page was held while a question was pen\#
    ding.","anyOf":[{"type":"object","properties":{"text":{"type":"string"},"truncated":{"const":true}},\#
    "required":["text"]},{"type":"object","properties":{"base64":{"type":"string"},"truncated":{"const":\#
    true}},"required":["base64"]},{"type":"object","properties":{"descriptor":{"$ref":"#/components/sche\#
    mas/DescriptorIndex"},"size":{"type":"integer","minimum":0},"truncated":{"const":true}},"required":[\#
    "descriptor","size"]},{"type":"object","properties":{"size":{"type":"integer","minimum":0},"truncate\#
    d":{"const":true},"continuation":{"type":"string","enum":["continued","restarted","complete","discar\#
    ded"],"description":"With output.resumeIfRange: what became of the file. discarded and complete leav\#
    e it as it was."}},"required":["size"]}]},\#
    "Output":{"description":"Where the response body goes.","default":"auto","anyOf":[{"type":"string","\#
    enum":["auto","inline","stream","discard"]},{"type":"object","properties":{"descriptor":{"$ref":"#/c\#
    omponents/schemas/DescriptorIndex"},"resumeIfRange":{"type":"string","maxLength":1024,"description":\#
    "The ETag of what the file already holds up to its current offset: continue there with Range and If-\#
    Range. See continuation in the result's body."}},"required":["descriptor"],"additionalProperties":fa\#
    lse}]},\#
    "Redirect":{"type":"object","description":"URLs without userinfo.","properties":{"status":{"type":"i\#
    nteger"},"from":{"type":"string"},"to":{"type":"string"}},"required":["status","from","to"]},\#
    "ExchangeMetrics":{"type":"object","description":"One HTTP request and its response.","properties":{\#
    "url":{"type":"string"},"status":{"type":"integer","description":"0: the server did not take the cli\#
    ent certificate, and has done nothing of the request."},"protocol":{"anyOf":[{"$ref":"#/components/s\#
    chemas/NetworkProtocol"},{"type":"null"}]},"reused":{"type":"boolean","description":"On a connectio\#
    n that was open already."},"authenticationMethod":{"anyOf":[{"type":"string","description":"What it\#
    s Authorization field was, if any."},{"type":"null"}]},"nameLookupSeconds":{"type":"number","minimum\#
    ":0},"connectSeconds":{"type":"number","minimum":0},"tlsSeconds":{"type":"number","minimum":0},"firs\#
    tByteSeconds":{"type":"number","minimum":0},"totalSeconds":{"type":"number","minimum":0},"bytesSent"\#
    :{"type":"integer","minimum":0},"bytesReceived":{"type":"integer","minimum":0}},"required":["url","s\#
    tatus","protocol","reused","authenticationMethod","nameLookupSeconds","connectSeconds","tlsSeconds",\#
    "firstByteSeconds","totalSeconds","bytesSent","bytesReceived"]},\#
    "Metrics":{"type":"object","description":"What the task cost. bytesSent and bytesReceived are sums o\#
    ver its exchanges, totalSeconds is the task's from start to finish; protocol, reused and the other t\#
    imes are those of the last exchange.","properties":{"nameLookupSeconds":{"type":"number","minimum":0\#
    },"connectSeconds":{"type":"number","minimum":0},"tlsSeconds":{"type":"number","minimum":0},"challen\#
    geWaitSeconds":{"type":"number","minimum":0,"description":"Spent waiting for replies to challenges."\#
    },"firstByteSeconds":{"type":"number","minimum":0},"totalSeconds":{"type":"number","minimum":0},"byt\#
    esSent":{"type":"integer","minimum":0},"bytesReceived":{"type":"integer","minimum":0},"protocol":{"a\#
    nyOf":[{"$ref":"#/components/schemas/NetworkProtocol"},{"type":"null"}]},"reused":{"type":"boolean"}\#
    ,"exchanges":{"type":"array","items":{"$ref":"#/components/schemas/ExchangeMetrics"}}},"required":["\#
    nameLookupSeconds","connectSeconds","tlsSeconds","challengeWaitSeconds","firstByteSeconds","totalSec\#
    onds","bytesSent","bytesReceived","protocol","reused","exchanges"]},\#
    "FetchResult":{"type":"object","description":"What a task brought.","properties":{"task":{"$ref":"#/\#
    components/schemas/TaskIdentifier"},"session":{"$ref":"#/components/schemas/SessionIdentifier"},"url\#
    ":{"type":"string","description":"The final URL, without userinfo."},"status":{"type":"integer","min\#
    imum":100,"maximum":999},"headers":{"$ref":"#/components/schemas/ReceivedHeaders"},"body":{"$ref":"#\#
    /components/schemas/ResponseBody"},"redirects":{"type":"array","items":{"$ref":"#/components/schemas\#
    /Redirect"}},"metrics":{"$ref":"#/components/schemas/Metrics"}},"required":["task","session","url","\#
    status","headers","body","redirects","metrics"]},\#
    "SessionSummary":{"type":"object","properties":{"session":{"$ref":"#/components/schemas/SessionIdent\#
    ifier"},"uid":{"type":"integer","minimum":0},"named":{"type":"boolean"},"holders":{"type":"integer",\#
    "minimum":0},"tasks":{"type":"integer","minimum":0},"credentials":{"type":"integer","minimum":0},"tr\#
    ust":{"type":"integer","minimum":0},"identities":{"type":"integer","minimum":0},"connections":{"type\#
    ":"integer","minimum":0},"pendingChallenges":{"type":"integer","minimum":0}},"required":["session","\#
    uid","named","holders","tasks","credentials","trust","identities","connections","pendingChallenges"]\#
    },\#
    "Holder":{"type":"object","description":"A connection that has the session open.","properties":{"pid\#
    ":{"type":"integer"},"uid":{"type":"integer"},"executable":{"anyOf":[{"type":"string","description":\#
    "A hint for display."},{"type":"null"}]},"name":{"anyOf":[{"type":"string","description":"What it ca\#
    lled itself in initialize."},{"type":"null"}]},"version":{"anyOf":[{"type":"string","description":"T\#
    he version it named there."},{"type":"null"}]},"delegate":{"type":"object","properties":{"tasks":{"t\#
    ype":"array","items":{"type":"string"}},"session":{"type":"array","items":{"type":"string"}},"trustV\#
    erdicts":{"type":"string","enum":["all","refused"]}},"required":["tasks","session"]}},"required":["p\#
    id","uid","executable","name","version","delegate"]},\#
    "SessionDescription":{"type":"object","properties":{"session":{"$ref":"#/components/schemas/SessionI\#
    dentifier"},"uid":{"type":"integer","minimum":0},"named":{"type":"boolean"},"holders":{"type":"array\#
    ","items":{"$ref":"#/components/schemas/Holder"}},"tasks":{"type":"integer","minimum":0},"credential\#
    s":{"type":"integer","minimum":0},"trust":{"type":"integer","minimum":0},"identities":{"type":"integ\#
    er","minimum":0},"connections":{"type":"integer","minimum":0},"pendingChallenges":{"type":"integer",\#
    "minimum":0},"configuration":{"allOf":[{"$ref":"#/components/schemas/SessionConfiguration"}],"descri\#
    ption":"Complete, with the defaults filled in."}},"required":["session","uid","named","holders","tas\#
    ks","credentials","trust","identities","connections","pendingChallenges","configuration"]},\#
    "SessionStatus":{"type":"object","description":"A session as status shows it.","properties":{"sessio\#
    n":{"$ref":"#/components/schemas/SessionIdentifier"},"uid":{"type":"integer","minimum":0},"named":{"\#
    type":"boolean"},"holders":{"type":"array","items":{"$ref":"#/components/schemas/Holder"}},"tasks":{\#
    "type":"integer","minimum":0},"credentials":{"type":"array","items":{"$ref":"#/components/schemas/St\#
    oredCredential"}},"trust":{"type":"integer","minimum":0},"identities":{"type":"integer","minimum":0}\#
    ,"connections":{"type":"integer","minimum":0},"pendingChallenges":{"type":"integer","minimum":0}},"r\#
    equired":["session","uid","named","holders","tasks","credentials","trust","identities","connections"\#
    ,"pendingChallenges"]},\#
    "TaskSummary":{"type":"object","properties":{"task":{"$ref":"#/components/schemas/TaskIdentifier"},"\#
    session":{"$ref":"#/components/schemas/SessionIdentifier"},"url":{"type":"string","description":"Wit\#
    hout userinfo."},"method":{"type":"string"},"state":{"type":"string","enum":["running","suspended","\#
    waiting","finished"],"description":"waiting: for the answer to a challenge or a redirect."},"detache\#
    d":{"type":"boolean"},"bytesReceived":{"type":"integer","minimum":0}},"required":["task","session","\#
    url","method","state","detached","bytesReceived"]},\#
    "TaskDescription":{"type":"object","properties":{"task":{"$ref":"#/components/schemas/TaskIdentifier\#
    "},"session":{"$ref":"#/components/schemas/SessionIdentifier"},"url":{"type":"string","description":\#
    "Without userinfo."},"method":{"type":"string"},"state":{"type":"string","enum":["running","suspende\#
    d","waiting","finished"],"description":"waiting: for the answer to a challenge or a redirect."},"det\#
    ached":{"type":"boolean"},"bytesReceived":{"type":"integer","minimum":0},"result":{"allOf":[{"$ref":\#
    "#/components/schemas/FetchResult"}],"description":"When a detached task has finished."},"error":{"$\#
    ref":"#/components/schemas/Error"}},"required":["task","session","url","method","state","detached","\#
    bytesReceived"]},\#
    "Cookie":{"type":"object","properties":{"name":{"type":"string"},"value":{"type":"string"},"domain":\#
    {"type":"string"},"path":{"type":"string"},"expires":{"anyOf":[{"$ref":"#/components/schemas/Timesta\#
    mp"},{"type":"null"}]},"secure":{"type":"boolean"},"httpOnly":{"type":"boolean"}},"required":["name"\#
    ,"value","domain","path","expires","secure","httpOnly"]},\#
    "CookieToSet":{"type":"object","properties":{"name":{"type":"string","minLength":1,"maxLength":256,"\#
    pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},"value":{"type":"string","maxLength":4096,"pattern":"^[^\\\#
    u0000-\\u001f\\u007f;]*$"},"domain":{"type":"string","minLength":1,"maxLength":255,"pattern":"^([0-9\#
    A-Za-z._-]+|[0-9A-Fa-f:.]+|\\[[0-9A-Fa-f:.]+\\])$"},"path":{"type":"string","maxLength":4096,"patter\#
    n":"^/[^\\u0000-\\u001f\\u007f;]*$","default":"/"},"expires":{"anyOf":[{"$ref":"#/components/schemas\#
    /Timestamp"},{"type":"null"}]},"secure":{"type":"boolean","default":false},"httpOnly":{"type":"boole\#
    an","default":false}},"required":["name","value","domain"],"additionalProperties":false},\#
    "StatusSnapshot":{"type":"object","properties":{"version":{"type":"string"},"pid":{"type":"integer",\#
    "minimum":1},"uptimeSeconds":{"type":"number","minimum":0},"socket":{"type":"string"},"residentBytes\#
    ":{"type":"integer","minimum":0},"sessions":{"type":"array","items":{"$ref":"#/components/schemas/Se\#
    ssionStatus"},"description":"Those of the caller's uid; root sees all."},"challenges":{"type":"array\#
    ","items":{"$ref":"#/components/schemas/Challenge"},"description":"Pending ones that the caller is e\#
    ntitled to: those of sessions that it holds."},"counters":{"type":"object","description":"Cumulative\#
    , by name. Further ones appear once they count something: challenges.raised.METHOD, challenges.answe\#
    red.DISPOSITION, challenges.settled.OUTCOME.","additionalProperties":{"type":"integer","minimum":0},\#
    "properties":{"fetches.started":{"type":"integer","minimum":0},"fetches.succeeded":{"type":"integer"\#
    ,"minimum":0},"fetches.failed":{"type":"integer","minimum":0},"exchanges":{"type":"integer","minimum\#
    ":0},"challenges.raised":{"type":"integer","minimum":0},"challenges.coalesced":{"type":"integer","mi\#
    nimum":0},"challenges.answered":{"type":"integer","minimum":0},"challenges.downgraded":{"type":"inte\#
    ger","minimum":0},"pins.reported":{"type":"integer","minimum":0},"trust.written":{"type":"integer","\#
    minimum":0},"trust.unwritten":{"type":"integer","minimum":0},"credentials.preemptive":{"type":"integ\#
    er","minimum":0},"connections.opened":{"type":"integer","minimum":0},"connections.reused":{"type":"i\#
    nteger","minimum":0},"bytes.received":{"type":"integer","minimum":0},"bytes.sent":{"type":"integer",\#
    "minimum":0}}},"limits":{"$ref":"#/components/schemas/Limits"},"usage":{"type":"object","description\#
    ":"How much of a limit is in use, by its name.","additionalProperties":{"type":"integer","minimum":0\#
    }}},"required":["version","pid","uptimeSeconds","socket","residentBytes","sessions","challenges","co\#
    unters","limits","usage"]},\#
    "Limits":{"type":"object","description":"The daemon's limits by name.","additionalProperties":{"type\#
    ":"number"},"properties":{"messageBytes":{"type":"integer","default":1048576,"description":"Of one m\#
    essage."},"nesting":{"type":"integer","default":64,"description":"Levels of a message."},"elements":\#
    {"type":"integer","default":100000,"description":"Members and elements of a message in all."},"descr\#
    iptorsPerMessage":{"type":"integer","default":16},"batch":{"type":"integer","default":1024,"descript\#
    ion":"Messages of a batch."},"requestsPerConnection":{"type":"integer","default":1024,"description":\#
    "In flight."},"connectionsPerUid":{"type":"integer","default":1024},"connections":{"type":"integer",\#
    "default":4096},"waitingTasks":{"type":"integer","default":20000,"description":"That wait for an ans\#
    wer."},"tasks":{"type":"integer","default":40000},"sessionsPerUid":{"type":"integer","default":4096}\#
    ,"bytesPerUid":{"type":"integer","default":268435456,"description":"Of requests, of replies that ar\#
    e collected and of configurations of sessions together."},"statusSubscribersPerUid":{"type":"integer\#
    ","default":64,"description":"Connections of one uid that are told of changes of the status."},"cred\#
    entialsPerSession":{"type":"integer","default":16384,"description":"Beyond it the one that was use\#
    d longest ago goes."},"cookiesPerOrigin":{"type":"integer","default":180,"description":"Of one domai\#
    n; beyond it the one that was used longest ago goes."},"cookiesPerSession":{"type":"integer","defaul\#
    t":3000,"description":"Beyond it those that were used longest ago go."},"cookieBytesPerSession":{"ty\#
    pe":"integer","default":1048576,"description":"Names, values, domains and paths together; beyond i\#
    t the cookies that were used longest ago go."},"cookiesPerResponse":{"type":"integer","default":50,"\#
    description":"Set-Cookie fields of a response that count."},"setCookieBytes":{"type":"integer","defa\#
    ult":5000,"description":"The value of a Set-Cookie field; a longer one is ignored."},"cookieFieldByt\#
    es":{"type":"integer","default":8190,"description":"A Cookie field; what would make it longer is lef\#
    t out."},"trustPerSession":{"type":"integer","default":1024,"description":"Beyond it the one that wa\#
    s used longest ago goes."},"permanentTrustPerUid":{"type":"integer","default":1024,"description":"Pe\#
    rmanent decisions of one account; beyond it storageUnavailable until some are removed."},"identities\#
    PerSession":{"type":"integer","default":256,"description":"Beyond it adding is refused."},"identitie\#
    sInReading":{"type":"integer","default":4,"description":"Of one connection, at once: a key may tak\#
    e a second to decrypt."},"tokenProcessesPerUid":{"type":"integer","default":32,"description":"Keys o\#
    f tokens at once: each has a process."},"tokenProcesses":{"type":"integer","default":128,"descriptio\#
    n":"Of all uids."},"waitersListed":{"type":"integer","default":4096,"description":"Of one challenge\#
    , in one message."},"descriptors":{"type":"integer","description":"That the daemon may have open: it\#
    s soft limit, which it raises when it starts."},"unclaimedDescriptors":{"type":"integer","default":6\#
    4,"description":"That came on a connection and no message has used."},"outgoingHighWaterBytes":{"typ\#
    e":"integer","default":1048576,"description":"That wait for a peer before its transfers pause."},"ou\#
    tgoingBytes":{"type":"integer","default":67108864,"description":"That wait for a peer before it is d\#
    ropped."},"slowReaderSeconds":{"type":"integer","default":60,"description":"After which a peer tha\#
    t reads nothing of what waits is dropped."},"keptResults":{"type":"integer","default":1024,"descript\#
    ion":"Of detached tasks that have finished."},"keptResultSeconds":{"type":"integer","default":600},"\#
    gracefulStopSeconds":{"type":"integer","default":10,"description":"That a daemon waits for running t\#
    asks when it is stopped."}}}},\#
    "errors":{"parseError":{"code":-32700,"message":"The bytes are not one JSON text within the limits\#
    : bad JSON or UTF-8, a duplicate key, a lone surrogate, \\u0000, too deep. The reply has id null. Th\#
    e connection goes on with the next message, unless the framing itself is broken.","data":{"kind":"pa\#
    rseError","retry":"never"}},\#
    "invalidRequest":{"code":-32600,"message":"JSON, but not a JSON-RPC 2.0 request: wrong or missing js\#
    onrpc, method not a string, a fractional or structured id, params that are neither object nor array\#
    , an empty batch.","data":{"kind":"invalidRequest","retry":"never"}},\#
    "methodNotFound":{"code":-32601,"message":"No method has this name in this version.","data":{"kind":\#
    "methodNotFound","retry":"never"}},\#
    "invalidParams":{"code":-32602,"message":"A parameter is missing, unknown, of the wrong type or outs\#
    ide its limits; data.path names it.","data":{"kind":"invalidParams","retry":"never"}},\#
    "internalError":{"code":-32603,"message":"The daemon failed at something that is not the caller's fa\#
    ult; its log says more.","data":{"kind":"internalError","retry":"later"}},\#
    "sessionNotFound":{"code":1000,"message":"No session of this uid has this id, or it is private to an\#
    other connection.","data":{"kind":"sessionNotFound","retry":"never"}},\#
    "sessionInvalidated":{"code":1001,"message":"The session was finished or invalidated while this requ\#
    est needed it.","data":{"kind":"sessionInvalidated","retry":"never"}},\#
    "sessionConfigurationDiffers":{"code":1002,"message":"The session exists with another configuration\#
    ; data.members lists the paths that differ.","data":{"kind":"sessionConfigurationDiffers","retry":"n\#
    ever"}},\#
    "limitExceeded":{"code":1003,"message":"A limit of the daemon is reached; data.limit names it as i\#
    n status.","data":{"kind":"limitExceeded","retry":"later"}},\#
    "notPermitted":{"code":1004,"message":"This peer may not do this: an administrator's method asked b\#
    y somebody who is neither the daemon's uid nor root.","data":{"kind":"notPermitted","retry":"never"}\#
    },\#
    "messageTooLarge":{"code":1005,"message":"A message is longer than the limit messageBytes; the conne\#
    ction is closed after this error.","data":{"kind":"messageTooLarge","retry":"never"}},\#
    "shuttingDown":{"code":1006,"message":"The daemon is stopping and takes no new work.","data":{"kind"\#
    :"shuttingDown","retry":"later"}},\#
    "descriptorUnusable":{"code":1007,"message":"A descriptor did not arrive, is closed, has the wrong a\#
    ccess mode, or is of a kind that is refused (directory, device, O_PATH).","data":{"kind":"descriptor\#
    Unusable","retry":"never"}},\#
    "configurationInvalid":{"code":1008,"message":"The daemon's configuration file cannot be read or i\#
    s wrong; the message says what is wrong in it, data.path which member. Nothing changed: the configur\#
    ation that was read before holds.","data":{"kind":"configurationInvalid","retry":"never"}},\#
    "taskNotFound":{"code":1100,"message":"No task of this uid has this id, or its kept result has expir\#
    ed.","data":{"kind":"taskNotFound","retry":"never"}},\#
    "taskCancelled":{"code":1101,"message":"The task was cancelled with task/cancel, or its session wa\#
    s invalidated.","data":{"kind":"taskCancelled","retry":"same"}},\#
    "requestCancelled":{"code":1102,"message":"The caller cancelled this request with $/cancelRequest.",\#
    "data":{"kind":"requestCancelled","retry":"same"}},\#
    "taskIdentifierInUse":{"code":1103,"message":"The task id the caller chose belongs to another task."\#
    ,"data":{"kind":"taskIdentifierInUse","retry":"never"}},\#
    "bodyNotReplayable":{"code":1104,"message":"The request body has to be sent again (after a 401 o\#
    r a 307) but came from a pipe whose bytes are gone.","data":{"kind":"bodyNotReplayable","retry":"sam\#
    e"}},\#
    "tooManyRedirects":{"code":1105,"message":"The task met more redirects than the session's redirects.\#
    limit.","data":{"kind":"tooManyRedirects","retry":"never"}},\#
    "redirectRefused":{"code":1106,"message":"A redirect goes where the session does not allow: https t\#
    o http, or to a URL that is not http or https.","data":{"kind":"redirectRefused","retry":"never"}},\#
    "redirectNotPending":{"code":1107,"message":"No redirect of this task waits for a reply: late, unkno\#
    wn, or already answered.","data":{"kind":"redirectNotPending","retry":"never"}},\#
    "outputFailed":{"code":1108,"message":"Writing the body to the caller's descriptor failed; data.reas\#
    on says how.","data":{"kind":"outputFailed","retry":"never"}},\#
    "bodyTooLarge":{"code":1109,"message":"The response body exceeds the limit of the chosen output or o\#
    f the session.","data":{"kind":"bodyTooLarge","retry":"never"}},\#
    "challengeNotPending":{"code":1200,"message":"No challenge with this id waits for this connection'\#
    s reply: late, unknown, already settled, or somebody else's.","data":{"kind":"challengeNotPending","\#
    retry":"never"}},\#
    "dispositionNotAllowed":{"code":1201,"message":"The administrator's policy forbids this dispositio\#
    n here. Nothing changed; the challenge is still pending.","data":{"kind":"dispositionNotAllowed","re\#
    try":"never"}},\#
    "credentialUnusable":{"code":1202,"message":"The credential cannot be used for this method: wrong ty\#
    pe, a control character, a colon in a Basic user name. Nothing changed; the challenge is still pendi\#
    ng.","data":{"kind":"credentialUnusable","retry":"newCredential"}},\#
    "userCancelledAuthentication":{"code":1203,"message":"The task ended because its challenge was cance\#
    lled, by a reply or by the deadline.","data":{"kind":"userCancelledAuthentication","retry":"newCrede\#
    ntial"}},\#
    "serverTrustRejected":{"code":1204,"message":"The origin's certificate chain was refused; data.reaso\#
    ns lists reasons with depths.","data":{"kind":"serverTrustRejected","retry":"never"}},\#
    "serverNotAuthenticated":{"code":1205,"message":"The server's Digest rspauth is wrong: whoever answe\#
    red does not know the password.","data":{"kind":"serverNotAuthenticated","retry":"never"}},\#
    "transportFailed":{"code":1300,"message":"An exchange failed in a way that no other kind names.","da\#
    ta":{"kind":"transportFailed","retry":"later"}},\#
    "nameNotResolved":{"code":1301,"message":"The host name has no address.","data":{"kind":"nameNotReso\#
    lved","retry":"later"}},\#
    "connectionFailed":{"code":1302,"message":"No connection could be made: refused or unreachable.","da\#
    ta":{"kind":"connectionFailed","retry":"later"}},\#
    "connectionLost":{"code":1303,"message":"The connection ended in the middle of an exchange; data.pro\#
    cessed is no, or unknown: the server may have processed the request.","data":{"kind":"connectionLost\#
    ","retry":"same"}},\#
    "timedOut":{"code":1304,"message":"A timeout passed; data.phase is connect, request or resource.","d\#
    ata":{"kind":"timedOut","retry":"later"}},\#
    "malformedResponse":{"code":1305,"message":"The origin's response is not HTTP or contradicts itself\#
    ; data.reason is flood when the origin sends without end what is no part of a response.","data":{"ki\#
    nd":"malformedResponse","retry":"never"}},\#
    "tlsFailed":{"code":1306,"message":"The TLS handshake failed for a reason other than trust.","data":\#
    {"kind":"tlsFailed","retry":"never"}},\#
    "addressRefused":{"code":1307,"message":"The session's address policy forbids this origin or the add\#
    ress it resolves to.","data":{"kind":"addressRefused","retry":"never"}},\#
    "headersTooLarge":{"code":1308,"message":"The response's header section exceeds its limit in bytes o\#
    r in fields.","data":{"kind":"headersTooLarge","retry":"never"}},\#
    "contentDecodingFailed":{"code":1309,"message":"The response's content coding is unknown, nested to\#
    o deep, broken or cut short.","data":{"kind":"contentDecodingFailed","retry":"never"}},\#
    "policyRefused":{"code":1310,"message":"The administrator's policy forbids this fetch; data.rule nam\#
    es the rule.","data":{"kind":"policyRefused","retry":"never"}},\#
    "storageUnavailable":{"code":1400,"message":"The storage that this persistence needs is not there. N\#
    othing changed; a challenge is still pending.","data":{"kind":"storageUnavailable","retry":"later"}}\#
    ,\#
    "credentialNotFound":{"code":1401,"message":"No stored credential matches.","data":{"kind":"credenti\#
    alNotFound","retry":"never"}}}}}
    """#
}
