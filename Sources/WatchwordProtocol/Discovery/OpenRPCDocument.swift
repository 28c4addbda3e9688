/// The OpenRPC document as `rpc.discover` answers it.
///
/// Written by `protocol/embed.py` from `protocol/openrpc.json`: change that and run it.
package enum OpenRPCDocument {
  package static let text: StaticString = #"""
    {"openrpc":"1.2.6","info":{"title":"Watchword","version":"1.0.0","description":"JSON-RPC 2.0 ove\#
    r a Unix stream socket: HTTP fetches with URLSession's challenge model. protocol/README.md is the sp\#
    ecification for people. Requests take parameters by name; x-additionalParams false means that a para\#
    meter not listed is refused with invalidParams. Results and notifications may carry further members.\#
    ","license":{"name":"Apache-2.0","url":"https://www.apache.org/licenses/LICENSE-2.0"}},"servers":[{"\#
    name":"per user","url":"unix://${runtimeDirectory}/watchword/watchword.sock","variables":{"runtimeDi\#
    rectory":{"default":"/run/user/1000","description":"XDG_RUNTIME_DIR"}}}],"methods":[{"name":"initial\#
    ize","summary":"Says hello; optional.","tags":[{"name":"server"}],"paramStructure":"by-name","x-addi\#
    tionalParams":false,"params":[{"name":"name","required":false,"schema":{"type":"string","maxLength":\#
    256,"description":"What the caller calls itself; shown to people."}},{"name":"version","required":fa\#
    lse,"schema":{"type":"string","maxLength":256}},{"name":"protocolVersion","required":false,"schema":\#
    {"type":"string","enum":["1"]}},{"name":"capabilities","required":false,"schema":{"type":"object","p\#
    roperties":{"descriptors":{"type":"boolean","default":false,"description":"This connection can recei\#
    ve descriptors."}},"additionalProperties":false}}],"result":{"name":"result","schema":{"type":"objec\#
    t","properties":{"name":{"const":"watchwordd"},"version":{"type":"string"},"protocolVersion":{"const\#
    ":"1"},"capabilities":{"type":"object","properties":{"descriptors":{"type":"boolean"},"framings":{"t\#
    ype":"array","items":{"type":"string","enum":["line","contentLength"]}}},"required":["descriptors","\#
    framings"]},"pid":{"type":"integer"},"uid":{"type":"integer"},"limits":{"$ref":"#/components/schemas\#
    /Limits"}},"required":["name","version","protocolVersion","capabilities","pid","uid","limits"]}},"er\#
    rors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]},{\#
    "name":"ping","summary":"Answers at once.","tags":[{"name":"server"}],"paramStructure":"by-name","x-\#
    additionalParams":false,"params":[],"result":{"name":"result","schema":{"type":"object","properties"\#
    :{}}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalEr\#
    ror"}]},{"name":"rpc.discover","summary":"Returns this document.","tags":[{"name":"server"}],"paramS\#
    tructure":"by-name","x-additionalParams":false,"params":[],"result":{"name":"result","schema":{"type\#
    ":"object","properties":{"openrpc":{"type":"string"},"info":{"type":"object"},"methods":{"type":"arr\#
    ay"}},"required":["openrpc","info","methods"]}},"errors":[{"$ref":"#/components/errors/invalidParams\#
    "},{"$ref":"#/components/errors/internalError"}]},{"name":"session/open","summary":"Opens or join\#
    s a session.","description":"A second session/open of a session that this connection holds replace\#
    s its delegate lists.","tags":[{"name":"session"}],"paramStructure":"by-name","x-additionalParams":f\#
    alse,"params":[{"name":"name","description":"Left out: a new session, private to this connection.","\#
    required":false,"schema":{"$ref":"#/components/schemas/SessionName"}},{"name":"configuration","descr\#
    iption":"Counts when the session is made. For an existing session it must be left out or equal.","re\#
    quired":false,"schema":{"$ref":"#/components/schemas/SessionConfiguration"}},{"name":"delegate","req\#
    uired":false,"schema":{"$ref":"#/components/schemas/Delegate"}}],"result":{"name":"result","schema":\#
    {"type":"object","properties":{"session":{"$ref":"#/components/schemas/SessionIdentifier"},"created"\#
    :{"type":"boolean","description":"False when the session existed."}},"required":["session","created"\#
    ]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalErro\#
    r"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$r\#
    ef":"#/components/errors/sessionConfigurationDiffers"},{"$ref":"#/components/errors/shuttingDown"}]}\#
    ,{"name":"session/close","summary":"Leaves the session; a private one ends.","tags":[{"name":"sessio\#
    n"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"session","required":fa\#
    lse,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}}],"result":{"name":"result","schema":\#
    {"type":"object","properties":{"session":{"$ref":"#/components/schemas/SessionIdentifier"}},"require\#
    d":["session"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors\#
    /internalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitEx\#
    ceeded"}]},{"name":"session/finish","summary":"Takes no new tasks, lets the running ones end, then i\#
    nvalidates.","tags":[{"name":"session"}],"paramStructure":"by-name","x-additionalParams":false,"para\#
    ms":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}}]\#
    ,"result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/components/s\#
    chemas/SessionIdentifier"}},"required":["session"]}},"errors":[{"$ref":"#/components/errors/invalidP\#
    arams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/sessionNotFound"},\#
    {"$ref":"#/components/errors/limitExceeded"}]},{"name":"session/invalidate","summary":"Cancels the t\#
    asks, which fail with taskCancelled, and ends the session.","tags":[{"name":"session"}],"paramStruct\#
    ure":"by-name","x-additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$r\#
    ef":"#/components/schemas/SessionIdentifier"}}],"result":{"name":"result","schema":{"type":"object",\#
    "properties":{"session":{"$ref":"#/components/schemas/SessionIdentifier"}},"required":["session"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name\#
    ":"session/reset","summary":"Forgets cookies, credentials and authentication state, and closes idl\#
    e connections.","tags":[{"name":"session"}],"paramStructure":"by-name","x-additionalParams":false,"p\#
    arams":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"\#
    }}],"result":{"name":"result","schema":{"type":"object","properties":{"session":{"$ref":"#/component\#
    s/schemas/SessionIdentifier"}},"required":["session"]}},"errors":[{"$ref":"#/components/errors/inval\#
    idParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/sessionNotFound\#
    "},{"$ref":"#/components/errors/limitExceeded"}]},{"name":"session/list","summary":"Lists the sessio\#
    ns of this uid that this connection may see.","tags":[{"name":"session"}],"paramStructure":"by-name"\#
    ,"x-additionalParams":false,"params":[],"result":{"name":"result","schema":{"type":"object","propert\#
    ies":{"sessions":{"type":"array","items":{"$ref":"#/components/schemas/SessionSummary"}}},"required"\#
    :["sessions"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/\#
    internalError"}]},{"name":"session/describe","summary":"Describes one session with holders and confi\#
    guration.","tags":[{"name":"session"}],"paramStructure":"by-name","x-additionalParams":false,"params\#
    ":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}}],"\#
    result":{"name":"result","schema":{"$ref":"#/components/schemas/SessionDescription"}},"errors":[{"$r\#
    ef":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/com\#
    ponents/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name":"fetch","sum\#
    mary":"Runs a task and replies when it has finished.","description":"A 401 that stays a 401 is a res\#
    ult, not an error.","tags":[{"name":"task"}],"paramStructure":"by-name","x-additionalParams":false,"\#
    params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier\#
    "}},{"name":"task","description":"Chosen by the caller; left out, the daemon chooses.","required":fa\#
    lse,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"url","description":"Userinfo s\#
    erves this task only: it is cut off and tried as the first credential.","required":true,"schema":{"$\#
    ref":"#/components/schemas/HttpUrl"}},{"name":"method","required":false,"schema":{"allOf":[{"$ref":"\#
    #/components/schemas/HttpMethod"}],"default":"GET"}},{"name":"headers","required":false,"schema":{"$\#
    ref":"#/components/schemas/Headers"}},{"name":"sensitiveHeaders","required":false,"schema":{"type":"\#
    array","items":{"type":"string"},"maxItems":64,"description":"Names of further fields that are dropp\#
    ed when a redirect changes the origin, like Authorization and Cookie."}},{"name":"body","required":f\#
    alse,"schema":{"anyOf":[{"$ref":"#/components/schemas/RequestBody"},{"type":"null"}]}},{"name":"time\#
    outs","description":"Members left out are the session's.","required":false,"schema":{"$ref":"#/compo\#
    nents/schemas/Timeouts"}},{"name":"priority","required":false,"schema":{"type":"number","minimum":0,\#
    "maximum":1,"default":0.5}},{"name":"detached","required":false,"schema":{"type":"boolean","default"\#
    :false,"description":"Go on when the connection is gone; the result is kept for task/describe for te\#
    n minutes."}},{"name":"output","required":false,"schema":{"$ref":"#/components/schemas/Output"}},{"n\#
    ame":"decodeContent","required":false,"schema":{"type":"boolean","default":true,"description":"Decod\#
    e content codings."}}],"result":{"name":"result","schema":{"$ref":"#/components/schemas/FetchResult"\#
    }},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError\#
    "},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$re\#
    f":"#/components/errors/sessionInvalidated"},{"$ref":"#/components/errors/shuttingDown"},{"$ref":"#/\#
    components/errors/descriptorUnusable"},{"$ref":"#/components/errors/taskCancelled"},{"$ref":"#/compo\#
    nents/errors/requestCancelled"},{"$ref":"#/components/errors/taskIdentifierInUse"},{"$ref":"#/compon\#
    ents/errors/bodyNotReplayable"},{"$ref":"#/components/errors/tooManyRedirects"},{"$ref":"#/component\#
    s/errors/redirectRefused"},{"$ref":"#/components/errors/outputFailed"},{"$ref":"#/components/errors/\#
    bodyTooLarge"},{"$ref":"#/components/errors/userCancelledAuthentication"},{"$ref":"#/components/erro\#
    rs/serverTrustRejected"},{"$ref":"#/components/errors/serverNotAuthenticated"},{"$ref":"#/components\#
    /errors/transportFailed"},{"$ref":"#/components/errors/nameNotResolved"},{"$ref":"#/components/error\#
    s/connectionFailed"},{"$ref":"#/components/errors/connectionLost"},{"$ref":"#/components/errors/time\#
    dOut"},{"$ref":"#/components/errors/malformedResponse"},{"$ref":"#/components/errors/tlsFailed"},{"$\#
    ref":"#/components/errors/addressRefused"},{"$ref":"#/components/errors/headersTooLarge"},{"$ref":"#\#
    /components/errors/contentDecodingFailed"}]},{"name":"task/start","summary":"Starts a task and repli\#
    es at once; the rest arrives as notifications.","tags":[{"name":"task"}],"paramStructure":"by-name",\#
    "x-additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"#/componen\#
    ts/schemas/SessionIdentifier"}},{"name":"task","description":"Chosen by the caller; left out, the da\#
    emon chooses.","required":false,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"ur\#
    l","description":"Userinfo serves this task only: it is cut off and tried as the first credential.",\#
    "required":true,"schema":{"$ref":"#/components/schemas/HttpUrl"}},{"name":"method","required":false,\#
    "schema":{"allOf":[{"$ref":"#/components/schemas/HttpMethod"}],"default":"GET"}},{"name":"headers","\#
    required":false,"schema":{"$ref":"#/components/schemas/Headers"}},{"name":"sensitiveHeaders","requir\#
    ed":false,"schema":{"type":"array","items":{"type":"string"},"maxItems":64,"description":"Names of f\#
    urther fields that are dropped when a redirect changes the origin, like Authorization and Cookie."}}\#
    ,{"name":"body","required":false,"schema":{"anyOf":[{"$ref":"#/components/schemas/RequestBody"},{"ty\#
    pe":"null"}]}},{"name":"timeouts","description":"Members left out are the session's.","required":fal\#
    se,"schema":{"$ref":"#/components/schemas/Timeouts"}},{"name":"priority","required":false,"schema":{\#
    "type":"number","minimum":0,"maximum":1,"default":0.5}},{"name":"detached","required":false,"schema"\#
    :{"type":"boolean","default":false,"description":"Go on when the connection is gone; the result is k\#
    ept for task/describe for ten minutes."}},{"name":"output","required":false,"schema":{"$ref":"#/comp\#
    onents/schemas/Output"}},{"name":"decodeContent","required":false,"schema":{"type":"boolean","defaul\#
    t":true,"description":"Decode content codings."}}],"result":{"name":"result","schema":{"type":"objec\#
    t","properties":{"task":{"$ref":"#/components/schemas/TaskIdentifier"}},"required":["task"]}},"error\#
    s":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref\#
    ":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"},{"$ref":"#/com\#
    ponents/errors/sessionInvalidated"},{"$ref":"#/components/errors/shuttingDown"},{"$ref":"#/component\#
    s/errors/descriptorUnusable"},{"$ref":"#/components/errors/taskIdentifierInUse"}]},{"name":"task/can\#
    cel","summary":"Cancels a task: it fails with taskCancelled.","tags":[{"name":"task"}],"paramStructu\#
    re":"by-name","x-additionalParams":false,"params":[{"name":"task","required":true,"schema":{"$ref":"\#
    #/components/schemas/TaskIdentifier"}}],"result":{"name":"result","schema":{"type":"object","propert\#
    ies":{"task":{"$ref":"#/components/schemas/TaskIdentifier"}},"required":["task"]}},"errors":[{"$ref"\#
    :"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/compon\#
    ents/errors/taskNotFound"}]},{"name":"task/suspend","summary":"Pauses a task's transfer.","tags":[{"\#
    name":"task"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"task","requi\#
    red":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],"result":{"name":"result","schem\#
    a":{"type":"object","properties":{"task":{"$ref":"#/components/schemas/TaskIdentifier"}},"required":\#
    ["task"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inter\#
    nalError"},{"$ref":"#/components/errors/taskNotFound"}]},{"name":"task/resume","summary":"Goes on wi\#
    th a suspended task.","tags":[{"name":"task"}],"paramStructure":"by-name","x-additionalParams":false\#
    ,"params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],\#
    "result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},"required":["task"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"\#
    $ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/taskNotFound"}]},{"name":"ta\#
    sk/list","summary":"Lists tasks.","tags":[{"name":"task"}],"paramStructure":"by-name","x-additionalP\#
    arams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schemas/Ses\#
    sionIdentifier"}}],"result":{"name":"result","schema":{"type":"object","properties":{"tasks":{"type"\#
    :"array","items":{"$ref":"#/components/schemas/TaskSummary"}}},"required":["tasks"]}},"errors":[{"$r\#
    ef":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/com\#
    ponents/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name":"task/descri\#
    be","summary":"Describes one task; for a finished detached one with its result or error.","tags":[{"\#
    name":"task"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"task","requi\#
    red":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}}],"result":{"name":"result","schem\#
    a":{"$ref":"#/components/schemas/TaskDescription"}},"errors":[{"$ref":"#/components/errors/invalidPa\#
    rams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/taskNotFound"}]},{"\#
    name":"challenge/reply","summary":"Answers a challenge. Exactly one reply counts.","description":"Af\#
    ter an error the challenge is as pending as it was.","tags":[{"name":"challenge"}],"paramStructure":\#
    "by-name","x-additionalParams":false,"params":[{"name":"challenge","required":true,"schema":{"$ref":\#
    "#/components/schemas/ChallengeIdentifier"}},{"name":"disposition","required":true,"schema":{"$ref":\#
    "#/components/schemas/Disposition"}},{"name":"credential","description":"With useCredential: what t\#
    o send; null or left out: go on without, and the 401 is delivered. Ignored beside the other disposit\#
    ions.","required":false,"schema":{"anyOf":[{"$ref":"#/components/schemas/Credential"},{"type":"null"\#
    }]}}],"result":{"name":"result","schema":{"type":"object","properties":{"accepted":{"const":true}},"\#
    required":["accepted"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/component\#
    s/errors/internalError"},{"$ref":"#/components/errors/challengeNotPending"},{"$ref":"#/components/er\#
    rors/dispositionNotAllowed"},{"$ref":"#/components/errors/credentialUnusable"},{"$ref":"#/components\#
    /errors/storageUnavailable"}]},{"name":"challenge/list","summary":"Lists the pending challenges tha\#
    t this connection is entitled to.","tags":[{"name":"challenge"}],"paramStructure":"by-name","x-addit\#
    ionalParams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"#/components/schem\#
    as/SessionIdentifier"}}],"result":{"name":"result","schema":{"type":"object","properties":{"challeng\#
    es":{"type":"array","items":{"$ref":"#/components/schemas/Challenge"}}},"required":["challenges"]}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name\#
    ":"challenge/describe","summary":"Describes one pending challenge.","tags":[{"name":"challenge"}],"p\#
    aramStructure":"by-name","x-additionalParams":false,"params":[{"name":"challenge","required":true,"s\#
    chema":{"$ref":"#/components/schemas/ChallengeIdentifier"}}],"result":{"name":"result","schema":{"$r\#
    ef":"#/components/schemas/Challenge"}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref\#
    ":"#/components/errors/internalError"},{"$ref":"#/components/errors/challengeNotPending"}]},{"name":\#
    "redirect/reply","summary":"Answers task/willRedirect.","tags":[{"name":"redirect"}],"paramStructure\#
    ":"by-name","x-additionalParams":false,"params":[{"name":"task","required":true,"schema":{"$ref":"#/\#
    components/schemas/TaskIdentifier"}},{"name":"request","description":"The request to make, members l\#
    eft out as proposed; null: stop and deliver the 3xx.","required":true,"schema":{"anyOf":[{"type":"ob\#
    ject","properties":{"url":{"$ref":"#/components/schemas/HttpUrl"},"method":{"$ref":"#/components/sch\#
    emas/HttpMethod"},"headers":{"$ref":"#/components/schemas/Headers"}},"additionalProperties":false},{\#
    "type":"null"}]}}],"result":{"name":"result","schema":{"type":"object","properties":{"task":{"$ref":\#
    "#/components/schemas/TaskIdentifier"}},"required":["task"]}},"errors":[{"$ref":"#/components/errors\#
    /invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/errors/taskNotFo\#
    und"},{"$ref":"#/components/errors/redirectNotPending"}]},{"name":"credential/set","summary":"Store\#
    s a credential for a protection space.","tags":[{"name":"credential"}],"paramStructure":"by-name","x\#
    -additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"#/components\#
    /schemas/SessionIdentifier"}},{"name":"protectionSpace","required":true,"schema":{"$ref":"#/componen\#
    ts/schemas/ProtectionSpaceKey"}},{"name":"credential","required":true,"schema":{"$ref":"#/components\#
    /schemas/Credential"}},{"name":"default","required":false,"schema":{"type":"boolean","default":true,\#
    "description":"Make it the space's default user."}}],"result":{"name":"result","schema":{"type":"obj\#
    ect","properties":{}}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/\#
    errors/internalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/l\#
    imitExceeded"},{"$ref":"#/components/errors/credentialUnusable"},{"$ref":"#/components/errors/storag\#
    eUnavailable"}]},{"name":"credential/list","summary":"Lists stored credentials, never their secrets\#
    . Without session: those of session default.","tags":[{"name":"credential"}],"paramStructure":"by-na\#
    me","x-additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"#/comp\#
    onents/schemas/SessionIdentifier"}}],"result":{"name":"result","schema":{"type":"object","properties\#
    ":{"credentials":{"type":"array","items":{"$ref":"#/components/schemas/StoredCredential"}}},"require\#
    d":["credentials"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/er\#
    rors/internalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/lim\#
    itExceeded"}]},{"name":"credential/remove","summary":"Removes a space's credentials, or one user's."\#
    ,"tags":[{"name":"credential"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"na\#
    me":"session","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"\#
    protectionSpace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpaceKey"}},{"name\#
    ":"user","required":false,"schema":{"type":"string","maxLength":4096}}],"result":{"name":"result","s\#
    chema":{"type":"object","properties":{"removed":{"type":"integer","minimum":0}},"required":["removed\#
    "]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalErr\#
    or"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{\#
    "name":"credential/setDefault","summary":"Makes a stored user the default of its space.","tags":[{"n\#
    ame":"credential"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"session\#
    ","required":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"protectionSp\#
    ace","required":true,"schema":{"$ref":"#/components/schemas/ProtectionSpaceKey"}},{"name":"user","re\#
    quired":true,"schema":{"type":"string","maxLength":4096}}],"result":{"name":"result","schema":{"type\#
    ":"object","properties":{}}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/compo\#
    nents/errors/internalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/er\#
    rors/limitExceeded"},{"$ref":"#/components/errors/credentialNotFound"}]},{"name":"cookie/list","summ\#
    ary":"Lists the session's cookies; with url, those that would be sent there.","tags":[{"name":"cooki\#
    e"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"session","required":fa\#
    lse,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"url","required":false,"sche\#
    ma":{"$ref":"#/components/schemas/HttpUrl"}}],"result":{"name":"result","schema":{"type":"object","p\#
    roperties":{"cookies":{"type":"array","items":{"$ref":"#/components/schemas/Cookie"}}},"required":["\#
    cookies"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/inte\#
    rnalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceede\#
    d"}]},{"name":"cookie/set","summary":"Stores a cookie.","tags":[{"name":"cookie"}],"paramStructure":\#
    "by-name","x-additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$ref":"\#
    #/components/schemas/SessionIdentifier"}},{"name":"cookie","required":true,"schema":{"$ref":"#/compo\#
    nents/schemas/CookieToSet"}}],"result":{"name":"result","schema":{"type":"object","properties":{}}},\#
    "errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},\#
    {"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name\#
    ":"cookie/remove","summary":"Removes cookies by domain, by name, by both, or all.","tags":[{"name":"\#
    cookie"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"session","require\#
    d":false,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"domain","required":fal\#
    se,"schema":{"type":"string","minLength":1,"maxLength":255}},{"name":"name","required":false,"schema\#
    ":{"type":"string","minLength":1,"maxLength":4096}}],"result":{"name":"result","schema":{"type":"obj\#
    ect","properties":{"removed":{"type":"integer","minimum":0}},"required":["removed"]}},"errors":[{"$r\#
    ef":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/com\#
    ponents/errors/sessionNotFound"},{"$ref":"#/components/errors/limitExceeded"}]},{"name":"explain","s\#
    ummary":"Says what would happen for a URL; nothing is sent.","tags":[{"name":"session"}],"paramStruc\#
    ture":"by-name","x-additionalParams":false,"params":[{"name":"session","required":false,"schema":{"$\#
    ref":"#/components/schemas/SessionIdentifier"}},{"name":"url","required":true,"schema":{"$ref":"#/co\#
    mponents/schemas/HttpUrl"}},{"name":"method","required":false,"schema":{"allOf":[{"$ref":"#/componen\#
    ts/schemas/HttpMethod"}],"default":"GET"}}],"result":{"name":"result","schema":{"type":"object","pro\#
    perties":{"url":{"type":"string"},"origin":{"$ref":"#/components/schemas/Origin"},"credential":{"any\#
    Of":[{"type":"object","properties":{"user":{"anyOf":[{"type":"string"},{"type":"null"}]},"authentica\#
    tionMethod":{"type":"string"},"realm":{"anyOf":[{"type":"string"},{"type":"null"}]},"source":{"type"\#
    :"string"}},"required":["user","authenticationMethod","realm","source"]},{"type":"null"}]},"preempti\#
    ve":{"type":"boolean","description":"Whether it would be sent unasked."},"methods":{"type":"array","\#
    items":{"type":"string"},"description":"The order in force."},"authorizationHeader":{"type":"string"\#
    ,"enum":["caller","session","none"],"description":"Who would set Authorization."},"trust":{"type":"o\#
    bject","properties":{"evaluation":{"type":"string","enum":["default"]}},"required":["evaluation"]},"\#
    proxy":{"anyOf":[{"type":"string"},{"type":"null"}]},"redirects":{"type":"object","properties":{"pol\#
    icy":{"type":"string","enum":["follow","manual","ask"]},"limit":{"type":"integer"}},"required":["pol\#
    icy","limit"]},"pendingChallenges":{"type":"array","items":{"type":"string"}},"headers":{"type":"arr\#
    ay","items":{"type":"array","items":[{"type":"string"},{"type":"string"}],"minItems":2,"maxItems":2}\#
    ,"description":"The session's additional fields; sensitive values read <secret>."}},"required":["url\#
    ","origin","credential","preemptive","methods","authorizationHeader","trust","proxy","redirects","pe\#
    ndingChallenges","headers"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/comp\#
    onents/errors/internalError"},{"$ref":"#/components/errors/sessionNotFound"},{"$ref":"#/components/e\#
    rrors/limitExceeded"}]},{"name":"status","summary":"Returns one snapshot.","tags":[{"name":"status"}\#
    ],"paramStructure":"by-name","x-additionalParams":false,"params":[],"result":{"name":"result","schem\#
    a":{"$ref":"#/components/schemas/StatusSnapshot"}},"errors":[{"$ref":"#/components/errors/invalidPar\#
    ams"},{"$ref":"#/components/errors/internalError"}]},{"name":"status/subscribe","summary":"Sends sta\#
    tus/didChange from now on, at most once per interval and only after changes.","tags":[{"name":"statu\#
    s"}],"paramStructure":"by-name","x-additionalParams":false,"params":[{"name":"intervalSeconds","requ\#
    ired":false,"schema":{"type":"number","minimum":0.1,"maximum":3600,"default":1}}],"result":{"name":"\#
    result","schema":{"type":"object","properties":{"subscribed":{"const":true}},"required":["subscribed\#
    "]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalErr\#
    or"}]},{"name":"status/unsubscribe","summary":"Ends the subscription.","tags":[{"name":"status"}],"p\#
    aramStructure":"by-name","x-additionalParams":false,"params":[],"result":{"name":"result","schema":{\#
    "type":"object","properties":{"subscribed":{"const":false}},"required":["subscribed"]}},"errors":[{"\#
    $ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/internalError"}]},{"name":"s\#
    erver/reload","summary":"Reads the daemon's configuration again. The daemon's uid or root only.","ta\#
    gs":[{"name":"server"}],"paramStructure":"by-name","x-additionalParams":false,"params":[],"result":{\#
    "name":"result","schema":{"type":"object","properties":{"reloaded":{"const":true}},"required":["relo\#
    aded"]}},"errors":[{"$ref":"#/components/errors/invalidParams"},{"$ref":"#/components/errors/interna\#
    lError"},{"$ref":"#/components/errors/notPermitted"}]},{"name":"server/shutdown","summary":"Stops th\#
    e daemon. The daemon's uid or root only.","tags":[{"name":"server"}],"paramStructure":"by-name","x-a\#
    dditionalParams":false,"params":[{"name":"graceful","required":false,"schema":{"type":"boolean","def\#
    ault":true,"description":"Finish running tasks first."}}],"result":{"name":"result","schema":{"type"\#
    :"object","properties":{"stopping":{"const":true}},"required":["stopping"]}},"errors":[{"$ref":"#/co\#
    mponents/errors/invalidParams"},{"$ref":"#/components/errors/internalError"},{"$ref":"#/components/e\#
    rrors/notPermitted"}]}],"x-notifications":[{"name":"$/cancelRequest","direction":"clientToServer","s\#
    ummary":"Cancels a request of this connection; it is still answered, with requestCancelled, unless i\#
    t was already done.","x-additionalParams":false,"params":[{"name":"id","required":true,"schema":{"$r\#
    ef":"#/components/schemas/Id"}}]},{"name":"session/didReceiveChallenge","direction":"serverToClient"\#
    ,"summary":"A session-wide challenge. Not raised by this version.","x-additionalParams":true,"params\#
    Schema":{"$ref":"#/components/schemas/Challenge"}},{"name":"task/didReceiveChallenge","direction":"s\#
    erverToClient","summary":"A challenge: answer with challenge/reply.","x-additionalParams":true,"para\#
    msSchema":{"$ref":"#/components/schemas/Challenge"}},{"name":"challenge/didSettle","direction":"serv\#
    erToClient","summary":"A challenge is over; sent to everybody who was asked.","x-additionalParams":t\#
    rue,"params":[{"name":"challenge","required":true,"schema":{"$ref":"#/components/schemas/ChallengeId\#
    entifier"}},{"name":"session","required":true,"schema":{"$ref":"#/components/schemas/SessionIdentifi\#
    er"}},{"name":"outcome","required":true,"schema":{"type":"string","enum":["answered","default","dead\#
    line","withdrawn"]}},{"name":"disposition","required":true,"schema":{"anyOf":[{"$ref":"#/components/\#
    schemas/Disposition"},{"type":"null"}]}}]},{"name":"task/willRedirect","direction":"serverToClient",\#
    "summary":"Policy ask: answer with redirect/reply.","x-additionalParams":true,"params":[{"name":"tas\#
    k","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"session","requi\#
    red":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"response","required":\#
    true,"schema":{"type":"object","properties":{"status":{"type":"integer"},"headers":{"$ref":"#/compon\#
    ents/schemas/ReceivedHeaders"}},"required":["status","headers"]}},{"name":"request","description":"T\#
    he request that following would make.","required":true,"schema":{"type":"object","properties":{"url"\#
    :{"type":"string"},"method":{"type":"string"},"headers":{"$ref":"#/components/schemas/ReceivedHeader\#
    s"}},"required":["url","method","headers"]}}]},{"name":"task/didRedirect","direction":"serverToClien\#
    t","summary":"A redirect was followed (task/start).","x-additionalParams":true,"params":[{"name":"ta\#
    sk","required":true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"session","requ\#
    ired":true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"status","required":t\#
    rue,"schema":{"type":"integer"}},{"name":"from","required":true,"schema":{"type":"string"}},{"name":\#
    "to","required":true,"schema":{"type":"string"}}]},{"name":"task/didReceiveResponse","direction":"se\#
    rverToClient","summary":"The final response's head (task/start; fetch only with output stream).","x-\#
    additionalParams":true,"params":[{"name":"task","required":true,"schema":{"$ref":"#/components/schem\#
    as/TaskIdentifier"}},{"name":"session","required":true,"schema":{"$ref":"#/components/schemas/Sessio\#
    nIdentifier"}},{"name":"url","required":true,"schema":{"type":"string"}},{"name":"status","required"\#
    :true,"schema":{"type":"integer"}},{"name":"headers","required":true,"schema":{"$ref":"#/components/\#
    schemas/ReceivedHeaders"}}]},{"name":"task/didReceiveData","direction":"serverToClient","summary":"\#
    A piece of the body (output stream).","x-additionalParams":true,"params":[{"name":"task","required":\#
    true,"schema":{"$ref":"#/components/schemas/TaskIdentifier"}},{"name":"session","required":true,"sch\#
    ema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"offset","required":true,"schema":{"\#
    type":"integer","minimum":0}},{"name":"base64","required":true,"schema":{"type":"string"}}]},{"name"\#
    :"task/didSendBodyData","direction":"serverToClient","summary":"Progress of the request body (task/s\#
    tart).","x-additionalParams":true,"params":[{"name":"task","required":true,"schema":{"$ref":"#/compo\#
    nents/schemas/TaskIdentifier"}},{"name":"session","required":true,"schema":{"$ref":"#/components/sch\#
    emas/SessionIdentifier"}},{"name":"bytesSent","required":true,"schema":{"type":"integer","minimum":0\#
    }},{"name":"totalBytes","required":true,"schema":{"anyOf":[{"type":"integer","minimum":0},{"type":"n\#
    ull"}]}}]},{"name":"task/didFinish","direction":"serverToClient","summary":"The last notification o\#
    f a task (task/start): the members of fetch's result, or error.","x-additionalParams":true,"paramsSc\#
    hema":{"anyOf":[{"$ref":"#/components/schemas/FetchResult"},{"type":"object","properties":{"task":{"\#
    $ref":"#/components/schemas/TaskIdentifier"},"session":{"$ref":"#/components/schemas/SessionIdentifi\#
    er"},"error":{"$ref":"#/components/schemas/Error"}},"required":["task","session","error"]}]}},{"name\#
    ":"credential/didChange","direction":"serverToClient","summary":"A session's credentials changed; se\#
    nt to its holders.","x-additionalParams":true,"params":[{"name":"session","required":true,"schema":{\#
    "$ref":"#/components/schemas/SessionIdentifier"}},{"name":"protectionSpace","required":true,"schema"\#
    :{"$ref":"#/components/schemas/ProtectionSpaceName"}},{"name":"user","required":true,"schema":{"anyO\#
    f":[{"type":"string"},{"type":"null"}]}},{"name":"change","required":true,"schema":{"type":"string",\#
    "enum":["added","removed","replaced"]}}]},{"name":"session/didInvalidate","direction":"serverToClien\#
    t","summary":"The session is gone.","x-additionalParams":true,"params":[{"name":"session","required"\#
    :true,"schema":{"$ref":"#/components/schemas/SessionIdentifier"}},{"name":"reason","required":true,"\#
    schema":{"type":"string","enum":["invalidated","finished","idle","shutdown"]}}]},{"name":"status/did\#
    Change","direction":"serverToClient","summary":"A new snapshot (status/subscribe).","x-additionalPar\#
    ams":true,"paramsSchema":{"$ref":"#/components/schemas/StatusSnapshot"}}],"components":{"schemas":{"\#
    Id":{"description":"A request id: a string, an integer or null. Fractional numbers are refused. It c\#
    omes back exactly as it was sent.","anyOf":[{"type":"string","maxLength":1024},{"type":"integer","mi\#
    nimum":-9223372036854775808,"maximum":9223372036854775807},{"type":"null"}]},"Request":{"type":"obje\#
    ct","description":"A request; without id a notification, which is never answered.","properties":{"js\#
    onrpc":{"const":"2.0"},"id":{"$ref":"#/components/schemas/Id"},"method":{"type":"string","maxLength"\#
    :256},"params":{"type":"object","description":"By name. An array is refused with invalidParams unles\#
    s it is empty."},"descriptors":{"type":"integer","minimum":0,"maximum":16,"description":"How many de\#
    scriptors travel with this message."}},"required":["jsonrpc","method"]},"Error":{"type":"object","de\#
    scription":"Why a request or a task failed. data carries further members by kind, as in ErrorData.",\#
    "properties":{"code":{"type":"integer"},"message":{"type":"string","description":"For people; neve\#
    r holds a secret."},"data":{"type":"object","properties":{"kind":{"type":"string","description":"Th\#
    e kind as in errors.json."},"retry":{"type":"string","enum":["never","same","newCredential","later"]\#
    }},"required":["kind","retry"]}},"required":["code","message","data"]},"ErrorData":{"type":"object",\#
    "description":"Members of error.data.","properties":{"kind":{"type":"string"},"retry":{"type":"strin\#
    g","enum":["never","same","newCredential","later"]},"path":{"type":"string","description":"invalidPa\#
    rams: where, as params.configuration.redirects.limit or params.headers[2][1]."},"members":{"type":"a\#
    rray","items":{"type":"string"},"description":"sessionConfigurationDiffers: the paths that differ."}\#
    ,"limit":{"type":"string","description":"limitExceeded, bodyTooLarge, headersTooLarge: the name of t\#
    he limit."},"hop":{"type":"string","enum":["origin","proxy"],"description":"Transport errors: whic\#
    h hop failed."},"url":{"type":"string","description":"Transport errors: the URL of the exchange, wit\#
    hout userinfo and query."},"phase":{"type":"string","enum":["connect","request","resource"],"descrip\#
    tion":"timedOut: what took too long."},"reason":{"type":"string","description":"More detail, for peo\#
    ple."},"reasons":{"type":"array","items":{"$ref":"#/components/schemas/TrustReason"},"description":"\#
    serverTrustRejected: all faults found."}},"required":["kind","retry"]},"Reply":{"description":"Exact\#
    ly one per request.","oneOf":[{"type":"object","properties":{"jsonrpc":{"const":"2.0"},"id":{"$ref":\#
    "#/components/schemas/Id"},"result":{},"descriptors":{"type":"integer","minimum":0,"maximum":16}},"r\#
    equired":["jsonrpc","id","result"]},{"type":"object","properties":{"jsonrpc":{"const":"2.0"},"id":{"\#
    $ref":"#/components/schemas/Id"},"error":{"$ref":"#/components/schemas/Error"}},"required":["jsonrpc\#
    ","id","error"]}]},"Notification":{"type":"object","description":"From the daemon: one of x-notifica\#
    tions.","properties":{"jsonrpc":{"const":"2.0"},"method":{"type":"string"},"params":{"type":"object"\#
    }},"required":["jsonrpc","method"]},"SessionIdentifier":{"type":"string","minLength":1,"maxLength":1\#
    28,"pattern":"^[A-Za-z0-9._-]+$","description":"A session: the name of a named session, or the id th\#
    at session/open gave a private one. Left out, it is the uid's session default, made on first use."},\#
    "SessionName":{"type":"string","minLength":1,"maxLength":128,"pattern":"^(?!private-)[A-Za-z0-9._-]+\#
    $","description":"The name of a session of this uid; also its id. Names that begin with private- ar\#
    e the daemon's."},"TaskIdentifier":{"type":"string","minLength":1,"maxLength":128,"pattern":"^[A-Za-\#
    z0-9._-]+$","description":"A task. Unique among the tasks of the uid."},"ChallengeIdentifier":{"type\#
    ":"string","minLength":1,"maxLength":256,"description":"A challenge. Unique for the life of the daem\#
    on and not guessable."},"AuthenticationMethod":{"type":"string","enum":["basic","digest","bearer","n\#
    egotiate","ntlm","htmlForm","clientCertificate","serverTrust"],"description":"What a server can as\#
    k for. negotiate, ntlm, htmlForm, clientCertificate and serverTrust are names that a delegate may li\#
    st; this version raises no challenge for them."},"DelegateMethod":{"type":"string","enum":["basic","\#
    digest","bearer","negotiate","ntlm","htmlForm","clientCertificate","serverTrust","*"],"description":\#
    "An authentication method, or * for all."},"Disposition":{"type":"string","enum":["useCredential","p\#
    erformDefaultHandling","cancelAuthenticationChallenge","rejectProtectionSpace"],"description":"The a\#
    nswer to a challenge."},"Persistence":{"type":"string","enum":["none","forSession","permanent","sync\#
    hronizable"],"description":"How long a credential is kept. This version keeps none and forSession; t\#
    he others are answered with storageUnavailable."},"Protocol":{"type":"string","enum":["http","https"\#
    ]},"HttpUrl":{"type":"string","minLength":1,"maxLength":32768,"description":"An absolute http or htt\#
    ps URL."},"HttpMethod":{"type":"string","minLength":1,"maxLength":32,"pattern":"^(?!CONNECT$)[!#$%&'\#
    *+.^_`|~0-9A-Za-z-]+$","description":"An HTTP method, case-sensitive; not CONNECT."},"FieldName":{"t\#
    ype":"string","minLength":1,"maxLength":256,"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$","description":\#
    "An HTTP field name."},"FieldValue":{"type":"string","maxLength":65536,"pattern":"^[^\\u0000-\\u0008\#
    \\u000a-\\u001f\\u007f]*$","description":"An HTTP field value: no control character but tab."},"Head\#
    erField":{"type":"array","description":"[name, value]","items":[{"$ref":"#/components/schemas/FieldN\#
    ame"},{"$ref":"#/components/schemas/FieldValue"}],"minItems":2,"maxItems":2},"Headers":{"type":"arra\#
    y","items":{"$ref":"#/components/schemas/HeaderField"},"maxItems":256,"description":"Header fields t\#
    o send, in order; duplicates are kept. Those that frame a message or belong to a hop (Connection, Co\#
    ntent-Length, Expect, Keep-Alive, Proxy-Authorization, Proxy-Connection, TE, Trailer, Transfer-Encod\#
    ing, Upgrade) are the daemon's and refused."},"ReceivedHeaders":{"type":"array","items":{"type":"arr\#
    ay","items":[{"type":"string"},{"type":"string"}],"minItems":2,"maxItems":2},"description":"Header f\#
    ields as received, in order, duplicates kept."},"Timestamp":{"type":"string","pattern":"^[0-9]{4}-[0\#
    -9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z$","description":"A time in UTC, RFC 3339, a\#
    s 2026-11-21T12:05:00Z."},"DescriptorIndex":{"type":"integer","minimum":0,"maximum":15,"description"\#
    :"Which of the descriptors that travel with this message, from 0."},"Origin":{"type":"string","descr\#
    iption":"scheme://host:port, the port left out when it is the scheme's own."},"Delegate":{"type":"ob\#
    ject","description":"Which challenges a connection takes. It replaces what the connection said befor\#
    e.","properties":{"tasks":{"type":"array","items":{"$ref":"#/components/schemas/DelegateMethod"},"ma\#
    xItems":64,"description":"Methods this connection takes for tasks it started."},"session":{"type":"a\#
    rray","items":{"$ref":"#/components/schemas/DelegateMethod"},"maxItems":64,"description":"Methods th\#
    is connection takes for any task of the session."}},"additionalProperties":false},"SessionConfigurat\#
    ion":{"type":"object","description":"A session's settings, all optional. It counts when the sessio\#
    n is made.","properties":{"credentialStorage":{"type":"string","enum":["shared","private"],"default"\#
    :"shared","description":"Whether the session may use stored credentials from outside it."},"methods"\#
    :{"type":"object","description":"Authentication methods.","properties":{"order":{"description":"Whic\#
    h offers come first: a list, or the server's order. Methods left out come after those named, by stre\#
    ngth.","default":["negotiate","bearer","digest","ntlm","basic"],"anyOf":[{"type":"array","items":{"t\#
    ype":"string","enum":["negotiate","bearer","digest","ntlm","basic"]},"uniqueItems":true,"maxItems":5\#
    },{"type":"string","enum":["serverOrder"]}]},"disabled":{"type":"array","items":{"type":"string","en\#
    um":["negotiate","bearer","digest","ntlm","basic"]},"uniqueItems":true,"maxItems":5,"default":["ntlm\#
    "],"description":"Methods that are no offers at all."},"basicOverCleartext":{"type":"boolean","defau\#
    lt":false,"description":"Whether stored and URL credentials may be used for Basic over http to a hos\#
    t other than loopback. An explicit reply is always possible."},"strongestOnly":{"type":"boolean","de\#
    fault":false,"description":"Refuse an offer weaker than one seen before from the same space."}},"add\#
    itionalProperties":false},"challenges":{"type":"object","description":"How challenges end.","propert\#
    ies":{"deadlineSeconds":{"type":"number","minimum":0.001,"maximum":86400,"default":300,"description"\#
    :"How long a challenge waits for its reply."},"unanswered":{"type":"string","enum":["cancel","perfor\#
    mDefaultHandling","deliver"],"default":"cancel","description":"What the deadline answers."},"refusal\#
    Budget":{"type":"integer","minimum":1,"maximum":100,"default":5,"description":"Refusals per protecti\#
    on space and task before the 401 is delivered."}},"additionalProperties":false},"tls":{"type":"objec\#
    t","description":"TLS to origins.","properties":{"roots":{"anyOf":[{"type":"object","description":"F\#
    urther roots, or other ones.","properties":{"certificates":{"type":"string","minLength":1,"maxLength\#
    ":1048576,"description":"Certificates in PEM."},"exclusive":{"type":"boolean","default":false,"descr\#
    iption":"Only these roots instead of these and the system's."}},"required":["certificates"],"additio\#
    nalProperties":false},{"type":"null"}]},"minimumVersion":{"type":"string","enum":["1.2","1.3"],"defa\#
    ult":"1.2"},"maximumVersion":{"type":"string","enum":["1.2","1.3"],"default":"1.3"},"pins":{"type":"\#
    array","items":{},"maxItems":0,"default":[],"description":"Not in this version: only the empty list.\#
    "},"revocation":{"type":"string","enum":["off"],"default":"off","description":"Not in this version\#
    : only off."}},"additionalProperties":false},"proxies":{"type":"string","enum":["environment","none"\#
    ],"default":"environment","description":"Proxies from the daemon's environment, or none. Proxies b\#
    y URL are not in this version."},"redirects":{"type":"object","description":"What a 3xx does.","prop\#
    erties":{"policy":{"type":"string","enum":["follow","manual","ask"],"default":"follow","description"\#
    :"follow; manual: deliver the 3xx; ask: task/willRedirect."},"limit":{"type":"integer","minimum":0,"\#
    maximum":20,"default":20,"description":"Redirects in one task."},"allowDowngrade":{"type":"boolean",\#
    "default":false,"description":"Whether https may lead to http."}},"additionalProperties":false},"tim\#
    eouts":{"allOf":[{"$ref":"#/components/schemas/Timeouts"}],"description":"Defaults for the session'\#
    s tasks."},"headers":{"allOf":[{"$ref":"#/components/schemas/Headers"}],"description":"Fields adde\#
    d to every request of the session that does not set them itself."},"cookies":{"type":"string","enum"\#
    :["accept","originOnly","never"],"default":"accept","description":"Which cookies the session keeps."\#
    },"cache":{"type":"string","enum":["none"],"default":"none","description":"Not in this version: onl\#
    y none."},"idleSeconds":{"type":"number","minimum":0,"maximum":315360000,"default":28800,"descriptio\#
    n":"How long a named session outlives its last holder and task."},"connectionsPerHost":{"type":"inte\#
    ger","minimum":1,"maximum":256,"default":6},"httpVersions":{"type":"array","items":{"type":"string",\#
    "enum":["2","1.1"]},"minItems":1,"maxItems":2,"uniqueItems":true,"default":["2","1.1"],"description"\#
    :"HTTP versions to use."},"limits":{"type":"object","description":"Bounds on response bodies.","prop\#
    erties":{"inlineBodyBytes":{"type":"integer","minimum":0,"maximum":67108864,"default":8388608,"descr\#
    iption":"The largest body that travels inside a reply."},"decodedBodyBytes":{"description":"The larg\#
    est body after decoding; null: no limit.","default":null,"anyOf":[{"type":"integer","minimum":0,"max\#
    imum":9223372036854775807},{"type":"null"}]}},"additionalProperties":false},"addresses":{"type":"obj\#
    ect","description":"Where the session may connect.","properties":{"resolve":{"type":"object","descri\#
    ption":"host:port to address, instead of name resolution.","additionalProperties":{"type":"string","\#
    minLength":1,"maxLength":64},"default":{}},"allowOrigins":{"description":"The only origins this sess\#
    ion may talk to; null: all.","default":null,"anyOf":[{"type":"array","items":{"type":"string"},"maxI\#
    tems":1024},{"type":"null"}]},"refusePrivate":{"type":"boolean","default":false,"description":"Refus\#
    e loopback, link-local and private addresses, checked on the resolved address."}},"additionalPropert\#
    ies":false},"netrc":{"type":"null","description":"Not in this version: only null.","default":null},"\#
    forms":{"type":"array","items":{},"maxItems":0,"default":[],"description":"Not in this version: onl\#
    y the empty list."}},"additionalProperties":false},"Timeouts":{"type":"object","description":"None o\#
    f them runs while somebody is being asked.","properties":{"connectSeconds":{"type":"number","default\#
    ":30,"minimum":0,"maximum":315360000,"description":"Until connected, TLS included."},"requestSeconds\#
    ":{"type":"number","default":60,"minimum":0,"maximum":315360000,"description":"Without a byte of pro\#
    gress."},"resourceSeconds":{"type":"number","default":604800,"minimum":0,"maximum":315360000,"descri\#
    ption":"For the whole task."}},"additionalProperties":false},"CredentialLimits":{"type":"object","de\#
    scription":"Where and how long a credential is good. Checked on listing as well as on use.","propert\#
    ies":{"idleSeconds":{"type":"number","minimum":0,"maximum":315360000,"description":"Gone after thi\#
    s long without use."},"lifetimeSeconds":{"type":"number","minimum":0,"maximum":315360000,"descriptio\#
    n":"Gone this long after it was given."},"notAfter":{"allOf":[{"$ref":"#/components/schemas/Timestam\#
    p"}],"description":"Gone at this time."},"pathPrefixes":{"type":"array","items":{"type":"string","mi\#
    nLength":1,"maxLength":65536,"pattern":"^/"},"maxItems":64,"description":"Only for paths at or belo\#
    w one of these."},"methods":{"type":"array","items":{"type":"string"},"maxItems":64,"description":"O\#
    nly for these HTTP methods."},"maximumUses":{"type":"integer","minimum":1,"maximum":1000000000,"desc\#
    ription":"Gone after so many exchanges."},"confirm":{"type":"boolean","default":false,"description":\#
    "Every use by another process raises a challenge first."}},"additionalProperties":false},"PasswordCr\#
    edential":{"type":"object","description":"For basic and digest.","properties":{"user":{"type":"strin\#
    g","maxLength":4096},"password":{"type":"string","maxLength":65536,"description":"Secret."},"persist\#
    ence":{"allOf":[{"$ref":"#/components/schemas/Persistence"}],"default":"forSession"},"limits":{"$ref\#
    ":"#/components/schemas/CredentialLimits"}},"required":["user","password"],"additionalProperties":fa\#
    lse},"TokenCredential":{"type":"object","description":"For bearer.","properties":{"token":{"type":"s\#
    tring","minLength":1,"maxLength":65536,"description":"Secret."},"persistence":{"allOf":[{"$ref":"#/c\#
    omponents/schemas/Persistence"}],"default":"forSession"},"limits":{"$ref":"#/components/schemas/Cred\#
    entialLimits"}},"required":["token"],"additionalProperties":false},"Credential":{"description":"Wha\#
    t opens a protection space.","oneOf":[{"$ref":"#/components/schemas/PasswordCredential"},{"$ref":"#/\#
    components/schemas/TokenCredential"}]},"ProtectionSpaceKey":{"type":"object","description":"Name\#
    s a protection space in a request.","properties":{"protocol":{"$ref":"#/components/schemas/Protocol"\#
    },"host":{"type":"string","minLength":1,"maxLength":255,"pattern":"^[^\\u0000-\\u001f\\u007f]+$","de\#
    scription":"Host name or address; lowercased on the way in."},"port":{"type":"integer","minimum":1,"\#
    maximum":65535,"description":"Left out, the protocol's own."},"realm":{"description":"As the serve\#
    r spells it; null or left out for none.","anyOf":[{"type":"string","maxLength":4096},{"type":"null"}\#
    ]},"authenticationMethod":{"type":"string","enum":["basic","digest","bearer","default"],"description\#
    ":"default stands for basic and digest alike."},"isProxy":{"type":"boolean","default":false}},"requi\#
    red":["protocol","host","authenticationMethod"],"additionalProperties":false},"ProtectionSpaceName":\#
    {"type":"object","description":"A protection space as lists show it.","properties":{"protocol":{"$re\#
    f":"#/components/schemas/Protocol"},"host":{"type":"string"},"port":{"type":"integer"},"realm":{"any\#
    Of":[{"type":"string"},{"type":"null"}]},"authenticationMethod":{"type":"string"},"isProxy":{"type":\#
    "boolean"}},"required":["protocol","host","port","realm","authenticationMethod","isProxy"]},"StoredC\#
    redential":{"type":"object","description":"A credential as lists show it: never its secret.","proper\#
    ties":{"protectionSpace":{"$ref":"#/components/schemas/ProtectionSpaceName"},"user":{"anyOf":[{"type\#
    ":"string"},{"type":"null"}]},"kind":{"type":"string","enum":["password","token"]},"persistence":{"$\#
    ref":"#/components/schemas/Persistence"},"isDefault":{"type":"boolean","description":"Whether it i\#
    s the space's default user."},"source":{"type":"string","enum":["url","session","permanent","synchro\#
    nizable","netrc"]},"limits":{"description":"The limits it was given, or null.","anyOf":[{"$ref":"#/c\#
    omponents/schemas/CredentialLimits"},{"type":"null"}]},"uses":{"type":"integer","minimum":0,"descrip\#
    tion":"Exchanges it was sent with."},"lastUsed":{"anyOf":[{"$ref":"#/components/schemas/Timestamp"},\#
    {"type":"null"}]},"created":{"$ref":"#/components/schemas/Timestamp"},"secondsLeft":{"anyOf":[{"type\#
    ":"number","minimum":0,"description":"Until its limits end it."},{"type":"null"}]}},"required":["pro\#
    tectionSpace","user","kind","persistence","isDefault","source","limits","uses","lastUsed","created",\#
    "secondsLeft"]},"Offer":{"type":"object","description":"One way to satisfy the server.","properties"\#
    :{"authenticationMethod":{"$ref":"#/components/schemas/AuthenticationMethod"},"realm":{"anyOf":[{"ty\#
    pe":"string"},{"type":"null"}]},"parameters":{"type":"object","description":"Every raw parameter tha\#
    t the server sent, by lowercased name.","additionalProperties":{"type":"string"}}},"required":["auth\#
    enticationMethod","realm","parameters"]},"TrustReason":{"type":"object","properties":{"reason":{"typ\#
    e":"string","enum":["expired","notYetValid","hostMismatch","unknownIssuer","selfSigned","revoked","w\#
    eakSignature","weakKey","invalidPurpose","pathLength","nameConstraint","pinMismatch","policy"],"desc\#
    ription":"More may be added."},"depth":{"type":"integer","minimum":0,"description":"0 is the leaf."}\#
    },"required":["reason","depth"]},"Certificate":{"type":"object","properties":{"subject":{"type":"str\#
    ing","description":"RFC 4514."},"issuer":{"type":"string","description":"RFC 4514."},"serialNumber":\#
    {"type":"string"},"notBefore":{"$ref":"#/components/schemas/Timestamp"},"notAfter":{"$ref":"#/compon\#
    ents/schemas/Timestamp"},"subjectAlternativeNames":{"type":"array","items":{"type":"string"}},"keyTy\#
    pe":{"type":"string"},"keyBits":{"type":"integer"},"sha256":{"type":"string","description":"Of the c\#
    ertificate."},"publicKey":{"type":"string","description":"sha256/ and the base64 of the SHA-256 of t\#
    he SPKI."},"pem":{"type":"string"}},"required":["subject","issuer","serialNumber","notBefore","notAf\#
    ter","subjectAlternativeNames","keyType","keyBits","sha256","publicKey","pem"]},"ServerTrust":{"type\#
    ":"object","description":"A certificate chain and what default evaluation says about it.","propertie\#
    s":{"certificates":{"type":"array","items":{"$ref":"#/components/schemas/Certificate"},"description"\#
    :"As presented, leaf first."},"verdict":{"type":"string","enum":["trusted","refused"]},"reasons":{"t\#
    ype":"array","items":{"$ref":"#/components/schemas/TrustReason"}}},"required":["certificates","verdi\#
    ct","reasons"]},"ProtectionSpace":{"type":"object","description":"What one credential opens.","prope\#
    rties":{"protocol":{"$ref":"#/components/schemas/Protocol"},"host":{"type":"string"},"port":{"type":\#
    "integer"},"realm":{"anyOf":[{"type":"string"},{"type":"null"}]},"authenticationMethod":{"$ref":"#/c\#
    omponents/schemas/AuthenticationMethod"},"isProxy":{"type":"boolean"},"proxyType":{"anyOf":[{"type":\#
    "string","enum":["http","https","socks5"]},{"type":"null"}]},"receivesCredentialSecurely":{"type":"b\#
    oolean","description":"True only over TLS to that hop."},"parameters":{"type":"object","additionalPr\#
    operties":{"type":"string"},"description":"The raw parameters of the first offer."},"distinguishedNa\#
    mes":{"anyOf":[{"type":"array","items":{"type":"string","description":"RFC 4514."}},{"type":"null"}]\#
    },"serverTrust":{"anyOf":[{"$ref":"#/components/schemas/ServerTrust"},{"type":"null"}]}},"required":\#
    ["protocol","host","port","realm","authenticationMethod","isProxy","proxyType","receivesCredentialSe\#
    curely","parameters","distinguishedNames","serverTrust"]},"ProposedCredential":{"type":"object","des\#
    cription":"The user that the session would use, or the one that was just refused. Never a secret.","\#
    properties":{"user":{"type":"string"},"source":{"type":"string","enum":["url","session","permanent",\#
    "synchronizable","netrc"]}},"required":["user","source"]},"Waiter":{"type":"object","description":"\#
    A task that waits for the answer and its process.","properties":{"task":{"type":"string"},"pid":{"ty\#
    pe":"integer"},"uid":{"type":"integer"},"executable":{"anyOf":[{"type":"string","description":"A hin\#
    t for display, never a right."},{"type":"null"}]}},"required":["task","pid","uid","executable"]},"Ch\#
    allenge":{"type":"object","description":"One question put to a delegate.","properties":{"challenge":\#
    {"$ref":"#/components/schemas/ChallengeIdentifier"},"session":{"$ref":"#/components/schemas/SessionI\#
    dentifier"},"task":{"allOf":[{"$ref":"#/components/schemas/TaskIdentifier"}],"description":"The tas\#
    k that raised it."},"url":{"type":"string","description":"Without userinfo. Its query is shown to th\#
    e connection of the task only."},"origin":{"$ref":"#/components/schemas/Origin"},"protectionSpace":{\#
    "$ref":"#/components/schemas/ProtectionSpace"},"offers":{"type":"array","items":{"$ref":"#/component\#
    s/schemas/Offer"},"description":"All methods offered in the same response that are left for this tas\#
    k, in the order in which they will be tried. The first is the one asked about."},"proposedCredential\#
    ":{"anyOf":[{"$ref":"#/components/schemas/ProposedCredential"},{"type":"null"}]},"previousFailureCou\#
    nt":{"type":"integer","minimum":0,"description":"Refusals in this protection space during this task.\#
    "},"failureResponse":{"anyOf":[{"type":"object","description":"Without Set-Cookie, Authentication-In\#
    fo and Proxy-Authentication-Info.","properties":{"status":{"type":"integer"},"headers":{"$ref":"#/co\#
    mponents/schemas/ReceivedHeaders"}},"required":["status","headers"]},{"type":"null"}]},"error":{"any\#
    Of":[{"type":"object","description":"A typed reason when a local failure caused the challenge.","pro\#
    perties":{"kind":{"type":"string"}},"required":["kind"]},{"type":"null"}]},"waiters":{"type":"array"\#
    ,"items":{"$ref":"#/components/schemas/Waiter"},"maxItems":4096,"description":"At most 32 of them."}\#
    ,"waiterCount":{"type":"integer","minimum":0,"description":"How many wait in all."},"deadline":{"all\#
    Of":[{"$ref":"#/components/schemas/Timestamp"}],"description":"When the default answer will be given\#
    ."}},"required":["challenge","session","task","url","origin","protectionSpace","offers","proposedCre\#
    dential","previousFailureCount","failureResponse","error","waiters","waiterCount","deadline"]},"Requ\#
    estBody":{"description":"What the request sends.","oneOf":[{"type":"object","properties":{"text":{"t\#
    ype":"string"}},"required":["text"],"additionalProperties":false},{"type":"object","properties":{"ba\#
    se64":{"type":"string","pattern":"^[A-Za-z0-9+/]*={0,2}$"}},"required":["base64"],"additionalPropert\#
    ies":false},{"type":"object","properties":{"descriptor":{"$ref":"#/components/schemas/DescriptorInde\#
    x"}},"required":["descriptor"],"additionalProperties":false}]},"ResponseBody":{"description":"Wher\#
    e the response's body is: inline text (valid UTF-8), inline base64, in a memory file that came wit\#
    h the reply, or already delivered (size only).","anyOf":[{"type":"object","properties":{"text":{"typ\#
    e":"string"}},"required":["text"]},{"type":"object","properties":{"base64":{"type":"string"}},"requi\#
    red":["base64"]},{"type":"object","properties":{"descriptor":{"$ref":"#/components/schemas/Descripto\#
    rIndex"},"size":{"type":"integer","minimum":0}},"required":["descriptor","size"]},{"type":"object","\#
    properties":{"size":{"type":"integer","minimum":0}},"required":["size"]}]},"Output":{"description":"\#
    Where the response body goes.","default":"auto","anyOf":[{"type":"string","enum":["auto","inline","s\#
    tream","discard"]},{"type":"object","properties":{"descriptor":{"$ref":"#/components/schemas/Descrip\#
    torIndex"},"resumeIfRange":{"type":"string","maxLength":1024,"description":"The ETag of what the des\#
    criptor already holds: continue at its current offset with Range and If-Range."}},"required":["descr\#
    iptor"],"additionalProperties":false}]},"Redirect":{"type":"object","description":"URLs without user\#
    info.","properties":{"status":{"type":"integer"},"from":{"type":"string"},"to":{"type":"string"}},"r\#
    equired":["status","from","to"]},"ExchangeMetrics":{"type":"object","description":"One HTTP reques\#
    t and its response.","properties":{"url":{"type":"string"},"status":{"type":"integer"},"protocol":{"\#
    type":"string","enum":["http/1.0","http/1.1","h2"]},"reused":{"type":"boolean","description":"On a c\#
    onnection that was open already."},"authenticationMethod":{"anyOf":[{"type":"string","description":"\#
    What its Authorization field was, if any."},{"type":"null"}]},"nameLookupSeconds":{"type":"number","\#
    minimum":0},"connectSeconds":{"type":"number","minimum":0},"tlsSeconds":{"type":"number","minimum":0\#
    },"firstByteSeconds":{"type":"number","minimum":0},"totalSeconds":{"type":"number","minimum":0},"byt\#
    esSent":{"type":"integer","minimum":0},"bytesReceived":{"type":"integer","minimum":0}},"required":["\#
    url","status","protocol","reused","authenticationMethod","nameLookupSeconds","connectSeconds","tlsSe\#
    conds","firstByteSeconds","totalSeconds","bytesSent","bytesReceived"]},"Metrics":{"type":"object","d\#
    escription":"What the task cost; sums over its exchanges, protocol and reused of the last one.","pro\#
    perties":{"nameLookupSeconds":{"type":"number","minimum":0},"connectSeconds":{"type":"number","minim\#
    um":0},"tlsSeconds":{"type":"number","minimum":0},"challengeWaitSeconds":{"type":"number","minimum":\#
    0,"description":"Spent waiting for replies to challenges."},"firstByteSeconds":{"type":"number","min\#
    imum":0},"totalSeconds":{"type":"number","minimum":0},"bytesSent":{"type":"integer","minimum":0},"by\#
    tesReceived":{"type":"integer","minimum":0},"protocol":{"type":"string","enum":["http/1.0","http/1.1\#
    ","h2"]},"reused":{"type":"boolean"},"exchanges":{"type":"array","items":{"$ref":"#/components/schem\#
    as/ExchangeMetrics"}}},"required":["nameLookupSeconds","connectSeconds","tlsSeconds","challengeWaitS\#
    econds","firstByteSeconds","totalSeconds","bytesSent","bytesReceived","protocol","reused","exchanges\#
    "]},"FetchResult":{"type":"object","description":"What a task brought.","properties":{"task":{"$ref"\#
    :"#/components/schemas/TaskIdentifier"},"session":{"$ref":"#/components/schemas/SessionIdentifier"},\#
    "url":{"type":"string","description":"The final URL, without userinfo."},"status":{"type":"integer",\#
    "minimum":100,"maximum":999},"headers":{"$ref":"#/components/schemas/ReceivedHeaders"},"body":{"$ref\#
    ":"#/components/schemas/ResponseBody"},"redirects":{"type":"array","items":{"$ref":"#/components/sch\#
    emas/Redirect"}},"metrics":{"$ref":"#/components/schemas/Metrics"}},"required":["task","session","ur\#
    l","status","headers","body","redirects","metrics"]},"SessionSummary":{"type":"object","properties":\#
    {"session":{"$ref":"#/components/schemas/SessionIdentifier"},"uid":{"type":"integer","minimum":0},"n\#
    amed":{"type":"boolean"},"holders":{"type":"integer","minimum":0},"tasks":{"type":"integer","minimum\#
    ":0},"credentials":{"type":"integer","minimum":0},"trust":{"type":"integer","minimum":0},"identities\#
    ":{"type":"integer","minimum":0},"connections":{"type":"integer","minimum":0},"pendingChallenges":{"\#
    type":"integer","minimum":0}},"required":["session","uid","named","holders","tasks","credentials","t\#
    rust","identities","connections","pendingChallenges"]},"Holder":{"type":"object","description":"A co\#
    nnection that has the session open.","properties":{"pid":{"type":"integer"},"uid":{"type":"integer"}\#
    ,"executable":{"anyOf":[{"type":"string","description":"A hint for display."},{"type":"null"}]},"nam\#
    e":{"anyOf":[{"type":"string","description":"What it called itself in initialize."},{"type":"null"}]\#
    },"delegate":{"type":"object","properties":{"tasks":{"type":"array","items":{"type":"string"}},"sess\#
    ion":{"type":"array","items":{"type":"string"}}},"required":["tasks","session"]}},"required":["pid",\#
    "uid","executable","name","delegate"]},"SessionDescription":{"type":"object","properties":{"session"\#
    :{"$ref":"#/components/schemas/SessionIdentifier"},"uid":{"type":"integer","minimum":0},"named":{"ty\#
    pe":"boolean"},"holders":{"type":"array","items":{"$ref":"#/components/schemas/Holder"}},"tasks":{"t\#
    ype":"integer","minimum":0},"credentials":{"type":"integer","minimum":0},"trust":{"type":"integer","\#
    minimum":0},"identities":{"type":"integer","minimum":0},"connections":{"type":"integer","minimum":0}\#
    ,"pendingChallenges":{"type":"integer","minimum":0},"configuration":{"allOf":[{"$ref":"#/components/\#
    schemas/SessionConfiguration"}],"description":"Complete, with the defaults filled in."}},"required":\#
    ["session","uid","named","holders","tasks","credentials","trust","identities","connections","pending\#
    Challenges","configuration"]},"SessionStatus":{"type":"object","description":"A session as status sh\#
    ows it.","properties":{"session":{"$ref":"#/components/schemas/SessionIdentifier"},"uid":{"type":"in\#
    teger","minimum":0},"named":{"type":"boolean"},"holders":{"type":"array","items":{"$ref":"#/componen\#
    ts/schemas/Holder"}},"tasks":{"type":"integer","minimum":0},"credentials":{"type":"array","items":{"\#
    $ref":"#/components/schemas/StoredCredential"}},"trust":{"type":"integer","minimum":0},"identities":\#
    {"type":"integer","minimum":0},"connections":{"type":"integer","minimum":0},"pendingChallenges":{"ty\#
    pe":"integer","minimum":0}},"required":["session","uid","named","holders","tasks","credentials","tru\#
    st","identities","connections","pendingChallenges"]},"TaskSummary":{"type":"object","properties":{"t\#
    ask":{"$ref":"#/components/schemas/TaskIdentifier"},"session":{"$ref":"#/components/schemas/SessionI\#
    dentifier"},"url":{"type":"string","description":"Without userinfo."},"method":{"type":"string"},"st\#
    ate":{"type":"string","enum":["running","suspended","waiting","finished"],"description":"waiting: fo\#
    r the answer to a challenge or a redirect."},"detached":{"type":"boolean"},"bytesReceived":{"type":"\#
    integer","minimum":0}},"required":["task","session","url","method","state","detached","bytesReceived\#
    "]},"TaskDescription":{"type":"object","properties":{"task":{"$ref":"#/components/schemas/TaskIdenti\#
    fier"},"session":{"$ref":"#/components/schemas/SessionIdentifier"},"url":{"type":"string","descripti\#
    on":"Without userinfo."},"method":{"type":"string"},"state":{"type":"string","enum":["running","susp\#
    ended","waiting","finished"],"description":"waiting: for the answer to a challenge or a redirect."},\#
    "detached":{"type":"boolean"},"bytesReceived":{"type":"integer","minimum":0},"result":{"allOf":[{"$r\#
    ef":"#/components/schemas/FetchResult"}],"description":"When a detached task has finished."},"error"\#
    :{"$ref":"#/components/schemas/Error"}},"required":["task","session","url","method","state","detache\#
    d","bytesReceived"]},"Cookie":{"type":"object","properties":{"name":{"type":"string"},"value":{"type\#
    ":"string","description":"Left out where the caller may not see it."},"domain":{"type":"string"},"pa\#
    th":{"type":"string"},"expires":{"anyOf":[{"$ref":"#/components/schemas/Timestamp"},{"type":"null"}]\#
    },"secure":{"type":"boolean"},"httpOnly":{"type":"boolean"}},"required":["name","domain","path","exp\#
    ires","secure","httpOnly"]},"CookieToSet":{"type":"object","properties":{"name":{"type":"string","mi\#
    nLength":1,"maxLength":256,"pattern":"^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},"value":{"type":"string","maxL\#
    ength":4096,"pattern":"^[^\\u0000-\\u001f\\u007f;]*$"},"domain":{"type":"string","minLength":1,"maxL\#
    ength":255},"path":{"type":"string","maxLength":4096,"pattern":"^/","default":"/"},"expires":{"anyOf\#
    ":[{"$ref":"#/components/schemas/Timestamp"},{"type":"null"}]},"secure":{"type":"boolean","default":\#
    false},"httpOnly":{"type":"boolean","default":false}},"required":["name","value","domain"],"addition\#
    alProperties":false},"StatusSnapshot":{"type":"object","properties":{"version":{"type":"string"},"pi\#
    d":{"type":"integer","minimum":1},"uptimeSeconds":{"type":"number","minimum":0},"socket":{"type":"st\#
    ring"},"residentBytes":{"type":"integer","minimum":0},"sessions":{"type":"array","items":{"$ref":"#/\#
    components/schemas/SessionStatus"},"description":"Those of the caller's uid; root sees all."},"chall\#
    enges":{"type":"array","items":{"$ref":"#/components/schemas/Challenge"},"description":"Pending one\#
    s that the caller is entitled to."},"counters":{"type":"object","description":"Cumulative, by name."\#
    ,"additionalProperties":{"type":"integer","minimum":0},"properties":{"fetches.started":{"type":"inte\#
    ger","minimum":0},"fetches.succeeded":{"type":"integer","minimum":0},"fetches.failed":{"type":"integ\#
    er","minimum":0},"exchanges":{"type":"integer","minimum":0},"challenges.raised":{"type":"integer","m\#
    inimum":0},"challenges.coalesced":{"type":"integer","minimum":0},"challenges.answered":{"type":"inte\#
    ger","minimum":0},"credentials.preemptive":{"type":"integer","minimum":0},"connections.opened":{"typ\#
    e":"integer","minimum":0},"connections.reused":{"type":"integer","minimum":0},"bytes.received":{"typ\#
    e":"integer","minimum":0}}},"limits":{"$ref":"#/components/schemas/Limits"},"usage":{"type":"object"\#
    ,"description":"How much of a limit is in use, by its name.","additionalProperties":{"type":"integer\#
    ","minimum":0}}},"required":["version","pid","uptimeSeconds","socket","residentBytes","sessions","ch\#
    allenges","counters","limits","usage"]},"Limits":{"type":"object","description":"The daemon's limit\#
    s by name.","additionalProperties":{"type":"number"},"properties":{"messageBytes":{"type":"integer",\#
    "default":1048576,"description":"Of one message."},"requestsPerConnection":{"type":"integer","defaul\#
    t":1024,"description":"In flight."},"connectionsPerUid":{"type":"integer","default":1024},"connectio\#
    ns":{"type":"integer","default":4096},"waitingTasks":{"type":"integer","default":20000},"descriptors\#
    PerMessage":{"type":"integer","default":16}}}},"errors":{"parseError":{"code":-32700,"message":"Th\#
    e bytes are not one JSON text within the limits: bad JSON or UTF-8, a duplicate key, a lone surrogat\#
    e, \\u0000, too deep. The reply has id null. The connection goes on with the next message, unless th\#
    e framing itself is broken.","data":{"kind":"parseError","retry":"never"}},"invalidRequest":{"code":\#
    -32600,"message":"JSON, but not a JSON-RPC 2.0 request: wrong or missing jsonrpc, method not a strin\#
    g, a fractional or structured id, params that are neither object nor array, an empty batch.","data":\#
    {"kind":"invalidRequest","retry":"never"}},"methodNotFound":{"code":-32601,"message":"No method ha\#
    s this name in this version.","data":{"kind":"methodNotFound","retry":"never"}},"invalidParams":{"co\#
    de":-32602,"message":"A parameter is missing, unknown, of the wrong type or outside its limits; data\#
    .path names it.","data":{"kind":"invalidParams","retry":"never"}},"internalError":{"code":-32603,"me\#
    ssage":"The daemon failed at something that is not the caller's fault; its log says more.","data":{"\#
    kind":"internalError","retry":"later"}},"sessionNotFound":{"code":1000,"message":"No session of thi\#
    s uid has this id, or it is private to another connection.","data":{"kind":"sessionNotFound","retry"\#
    :"never"}},"sessionInvalidated":{"code":1001,"message":"The session was finished or invalidated whil\#
    e this request needed it.","data":{"kind":"sessionInvalidated","retry":"never"}},"sessionConfigurati\#
    onDiffers":{"code":1002,"message":"The session exists with another configuration; data.members list\#
    s the paths that differ.","data":{"kind":"sessionConfigurationDiffers","retry":"never"}},"limitExcee\#
    ded":{"code":1003,"message":"A limit of the daemon is reached; data.limit names it as in status.","d\#
    ata":{"kind":"limitExceeded","retry":"later"}},"notPermitted":{"code":1004,"message":"This peer ma\#
    y not do this: an administrator's method asked by somebody who is neither the daemon's uid nor root.\#
    ","data":{"kind":"notPermitted","retry":"never"}},"messageTooLarge":{"code":1005,"message":"A messag\#
    e is longer than the limit messageBytes; the connection is closed after this error.","data":{"kind":\#
    "messageTooLarge","retry":"never"}},"shuttingDown":{"code":1006,"message":"The daemon is stopping an\#
    d takes no new work.","data":{"kind":"shuttingDown","retry":"later"}},"descriptorUnusable":{"code":1\#
    007,"message":"A descriptor did not arrive, is closed, has the wrong access mode, or is of a kind th\#
    at is refused (directory, device, O_PATH).","data":{"kind":"descriptorUnusable","retry":"never"}},"t\#
    askNotFound":{"code":1100,"message":"No task of this uid has this id, or its kept result has expired\#
    .","data":{"kind":"taskNotFound","retry":"never"}},"taskCancelled":{"code":1101,"message":"The tas\#
    k was cancelled with task/cancel, or its session was invalidated.","data":{"kind":"taskCancelled","r\#
    etry":"same"}},"requestCancelled":{"code":1102,"message":"The caller cancelled this request with $/c\#
    ancelRequest.","data":{"kind":"requestCancelled","retry":"same"}},"taskIdentifierInUse":{"code":1103\#
    ,"message":"The task id the caller chose belongs to another task.","data":{"kind":"taskIdentifierInU\#
    se","retry":"never"}},"bodyNotReplayable":{"code":1104,"message":"The request body has to be sent ag\#
    ain (after a 401 or a 307) but came from a pipe whose bytes are gone.","data":{"kind":"bodyNotReplay\#
    able","retry":"same"}},"tooManyRedirects":{"code":1105,"message":"The task met more redirects than t\#
    he session's redirects.limit.","data":{"kind":"tooManyRedirects","retry":"never"}},"redirectRefused"\#
    :{"code":1106,"message":"A redirect goes where the session does not allow: https to http, or to a UR\#
    L that is not http or https.","data":{"kind":"redirectRefused","retry":"never"}},"redirectNotPending\#
    ":{"code":1107,"message":"No redirect of this task waits for a reply: late, unknown, or already answ\#
    ered.","data":{"kind":"redirectNotPending","retry":"never"}},"outputFailed":{"code":1108,"message":"\#
    Writing the body to the caller's descriptor failed; data.reason says how.","data":{"kind":"outputFai\#
    led","retry":"never"}},"bodyTooLarge":{"code":1109,"message":"The response body exceeds the limit o\#
    f the chosen output or of the session.","data":{"kind":"bodyTooLarge","retry":"never"}},"challengeNo\#
    tPending":{"code":1200,"message":"No challenge with this id waits for this connection's reply: late\#
    , unknown, already settled, or somebody else's.","data":{"kind":"challengeNotPending","retry":"never\#
    "}},"dispositionNotAllowed":{"code":1201,"message":"The administrator's policy forbids this disposit\#
    ion here. Nothing changed; the challenge is still pending.","data":{"kind":"dispositionNotAllowed","\#
    retry":"never"}},"credentialUnusable":{"code":1202,"message":"The credential cannot be used for thi\#
    s method: wrong type, a control character, a colon in a Basic user name. Nothing changed; the challe\#
    nge is still pending.","data":{"kind":"credentialUnusable","retry":"newCredential"}},"userCancelledA\#
    uthentication":{"code":1203,"message":"The task ended because its challenge was cancelled, by a repl\#
    y or by the deadline.","data":{"kind":"userCancelledAuthentication","retry":"newCredential"}},"serve\#
    rTrustRejected":{"code":1204,"message":"The origin's certificate chain was refused; data.reasons lis\#
    ts reasons with depths.","data":{"kind":"serverTrustRejected","retry":"never"}},"serverNotAuthentica\#
    ted":{"code":1205,"message":"The server's Digest rspauth is wrong: whoever answered does not know th\#
    e password.","data":{"kind":"serverNotAuthenticated","retry":"never"}},"transportFailed":{"code":130\#
    0,"message":"An exchange failed in a way that no other kind names.","data":{"kind":"transportFailed"\#
    ,"retry":"later"}},"nameNotResolved":{"code":1301,"message":"The host name has no address.","data":{\#
    "kind":"nameNotResolved","retry":"later"}},"connectionFailed":{"code":1302,"message":"No connectio\#
    n could be made: refused or unreachable.","data":{"kind":"connectionFailed","retry":"later"}},"conne\#
    ctionLost":{"code":1303,"message":"The connection broke in the middle of an exchange.","data":{"kind\#
    ":"connectionLost","retry":"same"}},"timedOut":{"code":1304,"message":"A timeout passed; data.phas\#
    e is connect, request or resource.","data":{"kind":"timedOut","retry":"later"}},"malformedResponse":\#
    {"code":1305,"message":"The origin's response is not HTTP or contradicts itself.","data":{"kind":"ma\#
    lformedResponse","retry":"never"}},"tlsFailed":{"code":1306,"message":"The TLS handshake failed fo\#
    r a reason other than trust.","data":{"kind":"tlsFailed","retry":"never"}},"addressRefused":{"code":\#
    1307,"message":"The session's address policy forbids this origin or the address it resolves to.","da\#
    ta":{"kind":"addressRefused","retry":"never"}},"headersTooLarge":{"code":1308,"message":"The respons\#
    e's header section exceeds its limit in bytes or in fields.","data":{"kind":"headersTooLarge","retry\#
    ":"never"}},"contentDecodingFailed":{"code":1309,"message":"The response's content coding is unknown\#
    , nested too deep or broken.","data":{"kind":"contentDecodingFailed","retry":"never"}},"storageUnava\#
    ilable":{"code":1400,"message":"The storage that this persistence needs is not there. Nothing change\#
    d; a challenge is still pending.","data":{"kind":"storageUnavailable","retry":"later"}},"credentialN\#
    otFound":{"code":1401,"message":"No stored credential matches.","data":{"kind":"credentialNotFound",\#
    "retry":"never"}}}}}
    """#
}
