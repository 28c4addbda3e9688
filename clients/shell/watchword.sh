# shellcheck shell=sh
# Watchword for shell scripts that do not have the `watchword` command: source this file, then
#
#   ww_fetch -f -o q3.csv https://intranet.example/q3.csv
#
# Needs a POSIX shell, jq, base64, and socat or an nc that knows -U. README.md beside this file tells the rest.
#
# Every ww_ function runs in a subshell: it changes no variable, option, trap or descriptor of its caller. A secret
# is only ever in an unexported variable and in pipes: never in an argument or the environment of a process, which
# others could read, and never in a file.

# shellcheck disable=SC2030,SC2031  # that assignments end with their subshell is the point

# A shell expands aliases when it reads a function. Those of the caller are put back at the end of this file.
WW__ALIASES=$(\alias)
\unalias -a

# Exit codes, the same as those of `watchword`; 0 is ok.
WW__FAILED=1
WW__USAGE=2
WW__UNAUTHENTICATED=3 # refused or cancelled
WW__UNTRUSTED=4
WW__NO_DAEMON=5
# curl's.
WW__STATUS=22
WW__OUTPUT=23
WW__INPUT=26

# What ends a line: command substitution removes it.
WW__LINE='
'

# The programs that are called.
WW__PROGRAMS='base64 cat id jq ls mkfifo mktemp mv od rm sed sleep tr'

# How often a credential that cannot be used, as a user name with a colon, is asked for again.
WW__ATTEMPTS=3

# jq: text of a server as a person may see it, with control and direction characters written out as `watchword` does.
# shellcheck disable=SC2016
WW__SHOWN='
  def hex: if . < 16 then . as $d | "0123456789abcdef"[$d:$d+1] else (./16 | floor | hex) + (. % 16 | hex) end;
  def written($backslashed): tostring | (if length > 200 then .[0:200] + "\u2026" else . end)
    | if test("[\\p{C}\\p{Zl}\\p{Zp}]") or ($backslashed != "" and test("[\"\\\\]")) then [explode[] | . as $code | [.] | implode | . as $one
      | if test("[\\p{C}\\p{Zl}\\p{Zp}]") then "\\u{" + ($code | hex) + "}"
        elif ($backslashed | contains($one)) then "\\" + . else . end] | add else . end;
  def shown: written("");
  def bracketed: if contains(":") and (startswith("[") | not) then "[\(.)]" else . end;
  def quoted: "\"" + written("\"\\") + "\"";
  def ways: [.callersWays // [] | .[] | {acceptedCertificate: "accepted certificate"}[.] // "\(shown) of the session"];'

# jq: where an answer of a challenge goes, as the prompts of askpass programs begin: messages.md 16.3.
# shellcheck disable=SC2016
WW__PLACE='
  def place: .proxy as $proxy | .hostField as $host | ways as $ways | .protectionSpace as $space | ($space | [.protocol, .port]) as $port
    | "\($space.protocol)://\($space.host | bracketed)"
      + (if $port == ["https", 443] or $port == ["http", 80] then "" else ":\($space.port)" end) | shown
    | . + " (" + ([($space.authenticationMethod | shown), ($space.realm // empty | "realm \(quoted)"),
        (if $space.isProxy then "proxy" else empty end), ($host // empty | "to \(shown)"), ($proxy // empty | "through \(shown)"), $ways[],
        (if $space.receivesCredentialSecurely == false then "over cleartext" else empty end)] | join(", "));'

# jq: a server's certificates as a person may judge them. `fault` says what is wrong, as `watchword` does.
# shellcheck disable=SC2016
WW__TRUST='
  def fault: (if .depth == 0 then "its certificate " else "an issuer\u0027s certificate (\(.depth) above) " end) + ({
    expired: "has expired", notYetValid: "is not valid yet", hostMismatch: "is for another host",
    unknownIssuer: "has an unknown issuer", selfSigned: "is self-signed", revoked: "was revoked",
    revocationUnknown: "comes without proof that it is not revoked", malformed: "is malformed",
    weakSignature: "has a signature that is too weak", weakKey: "has a key that is too weak",
    invalidPurpose: "is not meant for this purpose", pathLength: "is in a longer chain than an issuer allows",
    nameConstraint: "has a name that an issuer does not permit", pinMismatch: "does not match a pin of the session",
    tooComplex: "costs too much to verify", policy: "breaks a rule of the session", other: "failed verification"}[.reason] // "failed verification (\(.reason | shown))");
  def colons: ascii_upcase | [scan("..")] | join(":");'

# jq: a head as it was on the wire, without the reason phrase (RFC 9112 4).
# shellcheck disable=SC2016
WW__HEAD='
  def head: (if .protocol == "h2" then "HTTP/2" else "HTTP/1.1" end) + " \(.status)\r\n"
    + (.headers | map("\(.[0]): \(.[1])\r\n") | add // "") + "\r\n";'

# jq: the daemon's messages as lines that the shell can tell apart; response heads and data go to standard error, too,
# for the process that writes the body. Heads that come before the result's are `earlier`.
# shellcheck disable=SC2016
WW__SORT='
  if .method == "task/didReceiveData" then {data: .params.base64} | stderr | empty
  elif .method == "task/didReceiveResponse" then .params | ({status, login: .loginPage, head: head} | stderr | empty), "head \(.status) \(head | @base64)"
  elif .method == "task/didRedirect" or .method == "task/didReceiveHead" then
    .params | ({earlier: head} | stderr | empty), "earlier \(head | @base64)"
  elif .method == "task/didReceiveChallenge" then "challenge \(.params | tojson)"
  elif .method == "task/willRedirect" then "redirect \(.params.task | tojson)"
  elif has("method") then empty
  elif has("error") then "reply \(.id) error \(.error | tojson)"
  else "reply \(.id) result \(.result | tojson)" end'

# jq: a status that may be another one soon, as curl's --retry knows them.
WW__PASSING='def passing: IN(408, 429, 500, 502, 503, 504);'

# jq: what of heads and data belongs to the output, one piece of base64 a line. The first line comes as soon as there
# is an output at all. `last` says whether the response that comes is the result, whatever its status is.
# shellcheck disable=SC2016
WW__BODY='
  foreach inputs as $m ({last: true, before: ""};
    .line = null
    | if $m | has("last") then .last = $m.last | .open = false | .before = ""
      elif $m | has("earlier") then .before += $m.earlier
      elif $m | has("status") then (.last or ($m.status | passing | not)) as $counts
        | ($m.login == true or ($m.status | IN(401, 407))) as $refused
        | .open = ($counts and (if $fail then $m.status < 400 and ($refused | not) else $deliver or ($refused | not) end))
        | if $counts and $with_head then .line = (.before + $m.head | @base64) elif .open then .line = "" else . end
      elif .open then .line = $m.data
      else . end;
    .line // empty)'

# Fetches a URL. Options as curl has them; see ww_fetch --help.
ww_fetch() (
  ww__guard
  method='' headers='' unwanted='' body='' sends=false output='' include=false fail=false deliver=false user='' seconds='' session=default urls='' outputs=''
  follow=false compressed=false silent=false shows=false proxy='' proxy_user='' exceptions='' netrc='' named=false checksum='"stream"' largest='' retries=0 delay=''
  heads='' cookies='' parts='' methods='' tickets=false upload=''
  while [ $# -gt 0 ]; do
    case $1 in
    --help) ww__fetch_help; exit 0 ;;
    -X | -H | -d | -o | -u | -m | -x | --proxy | -U | --proxy-user | --noproxy | --request | --header | --data | --data-binary | --output | --user | --max-time | --session | --askpass | --netrc-file | --checksum | --max-filesize | --retry | --retry-delay | -D | --dump-header | -c | --cookie-jar | -F | --form | -T | --upload-file)
      [ $# -ge 2 ] || ww__usage "$1 needs a value"
      case $1 in -d | --data | --data-binary | -H | --header) ;; *) ww__text "$2" || ww__usage "the value of $1 is not UTF-8" ;; esac
      case $1 in
      -X | --request) method=$2 ;;
      -H | --header) ww__header "$2" ;;
      -d | --data) ww__append "$2" '\r\n\0' ;;
      --data-binary) ww__append "$2" '' ;;
      -o | --output) outputs="$outputs$(ww__json "$2")$WW__LINE" ;;
      -D | --dump-header) heads=$2 ;;
      -c | --cookie-jar) cookies=$2 ;;
      -F | --form) ww__part "$2" ;;
      -u | --user)
        case $2 in
        '') ww__usage '-u needs a user' ;;
        :) tickets=true ;;
        *:*) ww__usage 'the password does not belong into an argument: give -u USER, it will be asked for' ;;
        esac
        user=${2#:} ;;
      -T | --upload-file) upload=$2 ;;
      -x | --proxy) ww__proxy "$2" ;;
      -U | --proxy-user) ww__proxy_user "$2" ;;
      --noproxy) exceptions=$2 ;;
      -m | --max-time)
        seconds=$(printf '%s' "$2" | jq -Rsr 'tonumber? | select(. >= 0)')
        [ -n "$seconds" ] || ww__usage "$1 needs a number of seconds"
        case $seconds in 0) seconds='' ;; esac ;; # no limit
      --session) session=$2 named=true ;;
      --askpass) WATCHWORD_ASKPASS=$2 ;;
      --netrc-file) ww__netrc "$2" ;;
      --checksum) ww__checksum "$2" ;;
      --max-filesize) ww__largest "$2" ;;
      --retry)
        case $2 in '' | *[!0-9]* | ?????*) ww__usage '--retry needs a whole number below 10000' ;; esac
        retries=$2 ;;
      --retry-delay)
        delay=$(printf '%s' "$2" | jq -Rsr 'tonumber? | select(. >= 0)')
        [ -n "$delay" ] || ww__usage "$1 needs a number of seconds" ;;
      esac
      shift 2 ;;
    -n | --netrc) ww__netrc "${HOME-}/.netrc"; shift ;;
    -i | --include) include=true; shift ;;
    -I | --head) include=true method=HEAD; shift ;;
    -f | --fail) fail=true; shift ;;
    --deliver-401) deliver=true; shift ;;
    -s | --silent) silent=true; shift ;;
    -S | --show-error) shows=true; shift ;;
    -L | --location) follow=true; shift ;;
    --compressed) compressed=true; shift ;;
    --negotiate) methods="$methods negotiate"; shift ;;
    --ntlm) methods="$methods ntlm"; shift ;;
    -[sSLfiIn]?*)
      ww_flags=$1
      shift
      set -- "-${ww_flags#-?}" "$@"
      set -- "${ww_flags%"${ww_flags#-?}"}" "$@" ;;
    -[XHdoumxDcFTU]?*)
      ww_flags=$1
      shift
      set -- "${ww_flags#-?}" "$@"
      set -- "${ww_flags%"${ww_flags#-?}"}" "$@" ;;
    --) shift; break ;;
    -?*) ww__usage "no option $1" ;;
    *)
      ww__text "$1" || ww__usage 'the URL is not UTF-8; write its octets as %E9'
      urls="$urls$(ww__json "$1")$WW__LINE"
      shift ;;
    esac
  done
  ww__text "$*" || ww__usage 'a URL is not UTF-8; write its octets as %E9'
  for url in "$@"; do urls="$urls$(ww__json "$url")$WW__LINE"; done
  [ -n "$urls" ] || ww__usage 'which URL?'
  [ -z "$parts" ] || [ "$sends" = false ] || ww__usage '-F and -d exclude each other'
  [ -z "$parts" ] || ww__form
  [ -z "$upload" ] || ww__upload
  [ "$tickets" = false ] || case " $methods " in *' negotiate '*) ;; *) ww__usage '-u : needs --negotiate' ;; esac
  [ "$method" != HEAD ] || [ "$sends" = false ] || ww__usage 'a HEAD request has no body'
  case $heads in -) ww__usage '-D takes a file; -i prints the head' ;; esac
  case $cookies in -) ww__usage '-c takes a file' ;; esac
  # All of them are checked before the first one is fetched.
  ww__each ww__url "$urls"
  [ -z "$heads" ] || (: >"$heads") 2>/dev/null || { ww__say "$heads cannot be written"; exit "$WW__OUTPUT"; }
  ww_code=0
  refusal=0
  case $urls in *"$WW__LINE"?*) several=true ;; *) several=false ;; esac
  while [ -n "$urls" ]; do
    ww__url "$(ww__first "$urls")"
    output=''
    [ -z "$outputs" ] || output=$(ww__first "$outputs")
    urls=${urls#*"$WW__LINE"} outputs=${outputs#*"$WW__LINE"}
    (ww__fetch) && ww_code=0 || ww_code=$?
    # A page is missing that a credential or a decision would have brought.
    case $ww_code in "$WW__UNAUTHENTICATED" | "$WW__UNTRUSTED") refusal=$ww_code ;; esac
  done
  [ "$ww_code" -ne 0 ] || ww_code=$refusal
  exit "$ww_code"
)

# Fetches $url.
ww__fetch() {
  case $upload in '' | -) ;; *) ww__add_name ;; esac
  params="\"url\":$(ww__json "$url"),\"output\":$checksum"
  if [ "$sends" = true ]; then
    method=${method:-POST} params="$params,\"body\":{\"base64\":\"$body\"}"
    [ -n "$upload" ] ||
      printf '[%snull]' "$headers$unwanted" | jq -e 'any(.[:-1][]; .[0] | ascii_downcase == "content-type")' >/dev/null ||
      headers="${headers}[\"Content-Type\",\"application/x-www-form-urlencoded\"],"
  fi
  [ -z "$method" ] || params="$params,\"method\":$(ww__json "$method")"
  [ -z "$headers" ] || params="$params,\"headers\":[${headers%,}]"
  [ -z "$seconds" ] || params="$params,\"timeouts\":{\"resourceSeconds\":$seconds}"
  [ -z "$largest" ] || params="$params,\"maximumBodyBytes\":$largest"
  [ "$follow" = true ] || params="$params,\"followRedirects\":false"
  ww__add_proxies
  [ -z "$cookies" ] || params="$params,\"cookies\":\"session\""
  [ "$compressed" = true ] || params="$params,\"decodeContent\":false"
  [ "$silent" = false ] || [ "$shows" = true ] || quiet=true # from here on: a wrong command line is always said

  ww__connect body
  delegate=''
  ! ww__can_ask || delegate=',"delegate":{"tasks":["basic","digest","bearer","htmlForm","agentUnlock"]}'
  # A program that gives passwords is not asked about certificates: default evaluation decides.
  [ -z "$delegate" ] || [ -n "${WATCHWORD_ASKPASS-}" ] ||
    delegate=',"delegate":{"tasks":["basic","digest","bearer","htmlForm","agentUnlock","serverTrust"],"trustVerdicts":"refused"}'
  ww__configure
  if [ -z "$configuration" ]; then
    ww__send 1 session/open "{\"name\":$(ww__json "$session")$delegate}"
  else
    # Settings of a session: without a name it is named after them, and meets them again.
    name='"bySettings":true,'
    [ "$named" = false ] || name="\"name\":$(ww__json "$session"),"
    ww__send 1 session/open "{$name\"configuration\":{$configuration}$delegate}"
    unset netrc configuration
    ww__await 1 || ww__refused "$ww_result"
    session=$(printf '%s' "$ww_result" | jq -r .session)
    printf '%s' "$ww_result" | jq -r "$WW__SHOWN"'.warnings[]? | "watchword: warning: \(shown)"' >&2
  fi
  number=1 tries=0 ww_heads=''
  params="{\"session\":$(ww__json "$session"),$params}"
  ww__begin
  ww__fetched
}

# The settings of the session that the options ask for, in $configuration.
ww__configure() {
  configuration=''
  [ -z "$netrc" ] || configuration="\"netrc\":{$netrc}"
  [ -n "$methods" ] || return 0
  ww_disabled=''
  for ww_method in negotiate bearer digest basic ntlm; do
    case " $methods " in *" $ww_method "*) ;; *) ww_disabled="$ww_disabled,\"$ww_method\"" ;; esac
  done
  ww_origin=''
  [ "$tickets" = false ] || ww_origin=",\"negotiate\":{\"ambientOrigins\":[$(ww__json "$(ww__origin "$url")")]}"
  configuration="${configuration:+$configuration,}\"methods\":{\"disabled\":[${ww_disabled#,}]$ww_origin}"
}

# Adds the name of the file of -T to a URL that ends in a slash, or has no path.
ww__add_name() {
  ww_name=${upload##*/}
  url=$(printf '%s' "$url" | jq -Rsr --arg name "$ww_name" 'capture("^(?<root>[^:]*:/+[^/?#]*)(?<path>[^?#]*)(?<rest>.*)$"; "s")
    | .root + (if .path == "" then "/" else .path end | if endswith("/") then . + ($name | @uri) else . end) + .rest')
}

# Takes the body of -T: - is standard input.
ww__upload() {
  [ "$sends" = false ] || ww__usage '-T excludes every other body'
  case $urls in *"$WW__LINE"?*) ww__usage '-T goes with one URL' ;; esac
  ww__readable "@$upload"
  body=$(if [ "$upload" = - ]; then cat; else cat <"$upload"; fi | base64 | tr -d '\n')
  sends=true method=${method:-PUT}
}

# The first text of a list of them, each as JSON on a line. One without an escape needs no jq.
ww__first() {
  ww_text=${1%%"$WW__LINE"*}
  case $ww_text in *\\*) printf '%s' "$ww_text" | jq -j .; return ;; esac
  ww_text=${ww_text#\"}
  printf '%s' "${ww_text%\"}"
}

# Calls the function $1 with each text of the list $2.
ww__each() {
  ww_left=$2
  while [ -n "$ww_left" ]; do
    "$1" "$(ww__first "$ww_left")"
    ww_left=${ww_left#*"$WW__LINE"}
  done
}

# Adds the value of -F to $parts: an object a line, the content in base64.
ww__part() {
  ww_part=$(printf '%s' "$1" | jq -Rsc '
    def unquoted: if test("^\".*\"$"; "s") then .[1:-1] | gsub("\\\\(?<c>.)"; .c) else . end;
    (capture("^(?<name>[^=]+)=(?<mark>[@<]?)(?<value>\"([^\"\\\\]|\\\\.)*\"|[^;]*)(?<settings>(;.*)?)$"; "s") // error)
    | (.settings | [match(";\\s*(type|filename)=(\"([^\"\\\\]|\\\\.)*\"|[^;]*)"; "g")
        | {key: .captures[0].string, value: (.captures[1].string | unquoted)}]) as $found
    | ([.settings | match(";"; "g")] | length) as $count
    | if .mark == "" and ($found | length) == 0 then .value += .settings else . end
    | if .mark != "" and ($found | length) < $count then error else . end
    | {name, mark, value: (.value | if ($found | length) > 0 or (test("^\"") and .[-1:] == "\"") then unquoted else . end)} + ($found | from_entries)
    | if .mark == "@" then .filename = (.filename // (.value | split("/") | last)) | .type = (.type // "application/octet-stream") else . end
    | if [.type, .filename | strings | test("[\\x00-\\x1f\\x7f]")] | any then error else . end' 2>/dev/null) ||
    ww__usage '-F takes NAME=TEXT, NAME=@FILE or NAME=<FILE, with ;type= and ;filename='
  case $ww_part in
  *'"mark":"@"'* | *'"mark":"<"'*)
    ww_file=$(printf '%s' "$ww_part" | jq -j .value)
    ww__readable "@$ww_file"
    ww_content=$(if [ "$ww_file" = - ]; then cat; else cat <"$ww_file"; fi | base64 | tr -d '\n') ;;
  *) ww_content=$(printf '%s' "$ww_part" | jq -j .value | base64 | tr -d '\n') ;;
  esac
  # In a pipe: a text may be longer than an argument can be.
  parts=$parts$({ printf '%s\n' "$ww_part"; printf '"%s"\n' "$ww_content"; } | jq -cs '.[0] + {content: .[1]}')$WW__LINE
}

# Makes the body of the parts: multipart/form-data (RFC 7578).
ww__form() {
  ww_boundary=watchword-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  body=$({
    printf '%s' "$parts" | while IFS= read -r ww_part; do
      printf '%s' "$ww_part" | jq -j --arg boundary "$ww_boundary" '
        def escaped: gsub("\""; "%22") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
        "--\($boundary)\r\nContent-Disposition: form-data; name=\"\(.name | escaped)\""
        + (if .filename then "; filename=\"\(.filename | escaped)\"" else "" end)
        + (if .type then "\r\nContent-Type: \(.type)" else "" end) + "\r\n\r\n"'
      printf '%s' "$ww_part" | jq -j .content | base64 -d
      printf '\r\n'
    done
    printf -- '--%s--\r\n' "$ww_boundary"
  } | base64 | tr -d '\n')
  sends=true
  # A type of the caller's own gets the boundary that it lacks.
  headers=$(printf '[%snull]' "$headers" | jq -j --arg boundary "; boundary=$ww_boundary" '
    (.[:-1] | map(if .[0] | ascii_downcase == "content-type" then .[1] += $boundary else . end)) as $fields
    | $fields + (if any($fields[]; .[0] | ascii_downcase == "content-type") then [] else [["Content-Type", "multipart/form-data" + $boundary]] end)
    | map(tojson + ",") | add')
}

# Writes the heads in $ww_heads, in base64, where -D wants them.
ww__keep_heads() {
  [ -z "$heads" ] || printf '%s\n' "$ww_heads" | tr ' ' '\n' | while IFS= read -r ww_head; do printf '%s' "$ww_head" | base64 -d; done \
    2>/dev/null >>"$heads" || { ww__say "$heads cannot be written"; exit "$WW__OUTPUT"; }
  ww_heads=''
}

# Writes what -D and -c want: the heads, and the session's cookies in $ww_jar.
ww__keep() {
  ww__keep_heads
  [ -z "$cookies" ] || ww__write_jar 2>/dev/null || { ww__say "$cookies cannot be written"; exit "$WW__OUTPUT"; }
}

# Replaces the file in one step, so that no program reads half of it. Only its owner may read it: cookies log in. A device
# or a pipe is written to as it is.
ww__write_jar() {
  if [ -z "$ww_jar" ] || [ -d "$cookies" ]; then return 1; fi
  if [ -e "$cookies" ] && [ ! -f "$cookies" ]; then
    ww__jar >"$cookies"
    return
  fi
  ww_new=$(mktemp -- "$cookies.XXXXXX") || return 1
  ww__jar >"$ww_new" && mv -f -- "$ww_new" "$cookies" && return 0
  rm -f -- "$ww_new"
  return 1
}

ww__jar() {
  printf '%s' "$ww_jar" | jq -r '"# Netscape HTTP Cookie File\n# Written by ww_fetch -c. Edit at your own risk.\n",
    (.cookies[] | [(if .httpOnly then "#HttpOnly_" else "" end) + .domain, (.domain | startswith(".") | tostring | ascii_upcase),
      .path, (.secure | tostring | ascii_upcase), (.expires | if . then fromdateiso8601 else 0 end | tostring), .name, .value]
    | join("\t"))'
}

# Sends the fetch, for the first time or again.
ww__begin() {
  number=$((number + 1)) tries=$((tries + 1)) began=false
  asked=$number
  # The writer holds the other end, or is gone: then no reader waits.
  [ "$retries" -eq 0 ] || printf '{"last":%s}\n' "$([ "$tries" -gt "$retries" ] && echo true || echo false)" 1<>"$sink"
  ww__send "$asked" fetch "$params"
}

# Sends the fetch again, if --retry says so and nothing of its body was written; fails if not. $1 says why.
ww__again() {
  if [ "$tries" -gt "$retries" ] || [ "$began" = true ]; then return 1; fi
  ww_pause=$(jq -nr --arg delay "$delay" --arg tries "$tries" --arg after "$2" '
    [($after | tonumber? | select(. >= 0)), ($delay | tonumber?), pow(2; ([($tries | tonumber), 11] | min) - 1)] | [first, 600] | min | ceil')
  [ "$silent" = true ] ||
    printf 'hint: %s: trying again in %s s, %s times at most\n' "$1" "$ww_pause" "$((retries - tries + 1))" >&2
  sleep "$ww_pause"
  ww__begin
}

# Whether a status may be another one soon.
ww__passes() { jq -en "$WW__PASSING $1 | passing" >/dev/null; }

# Sets $largest to the bytes of --max-filesize.
ww__largest() {
  largest=$(jq -nr --arg bytes "$1" '$bytes | capture("^(?<count>[0-9]{1,12})(?<unit>[KkMmGg]?)$")
    | (.count | tonumber) * ({k: 1024, m: 1048576, g: 1073741824}[.unit | ascii_downcase] // 1)')
  [ -n "$largest" ] || ww__usage '--max-filesize needs a number of bytes; also 10K, 5M, 1G'
  [ "$largest" != 0 ] || largest='' # no limit
}

# The member of a netrc file in $netrc. A file that others may read is refused: its passwords are no secrets.
ww__netrc() {
  # Command substitution removes lines that end the text.
  netrc=$(cat <"$1" && printf x) 2>/dev/null || { ww__say "$1 cannot be read"; exit "$WW__INPUT"; }
  netrc=${netrc%x}
  if ww__text "$netrc"; then netrc="\"text\":$(ww__json "$netrc")"; else netrc="\"base64\":\"$(ww__base64 "$netrc")\""; fi
  case $(ls -ldnL -- "$1") in
  -???------*) ;;
  -*) ww__say "$1 can be read by other users: chmod 600 $1"; exit "$WW__FAILED" ;;
  esac
}

# The output of fetch with a digest in $checksum: sha-256=HEX as sha256sum prints it, or RFC 9530's sha-256=:BASE64:.
ww__checksum() {
  case $1 in
  sha-256=:*: | sha-512=:*:) checksum=$1 ;;
  sha-256=* | sha-512=*)
    ww_digits=${1#*=}
    case $1 in sha-256=*) ww_length=64 ;; *) ww_length=128 ;; esac
    case $ww_digits in *[!0-9A-Fa-f]*) ww_length=0 ;; esac
    [ "${#ww_digits}" -eq "$ww_length" ] || ww__usage '--checksum takes sha-256=HEX or sha-512=HEX'
    checksum="${1%%=*}=:$(printf '%s' "$ww_digits" | jq -Rr "$WW__BASE64"):" ;;
  *) ww__usage '--checksum takes sha-256=HEX or sha-512=HEX' ;;
  esac
  checksum="{\"mode\":\"stream\",\"digest\":$(ww__json "$checksum")}"
}

# jq: the bytes of hexadecimal digits as base64: six bits at a time.
# shellcheck disable=SC2016
WW__BASE64='
  ascii_downcase | explode | map(if . >= 97 then . - 87 else . - 48 end)
  | [.[] | (. / 8 | floor) % 2, (. / 4 | floor) % 2, (. / 2 | floor) % 2, . % 2] as $bits
  | ($bits | length) as $count
  | [range(0; $count; 6) as $i | reduce range(0; 6) as $j (0; . * 2 + ($bits[$i + $j] // 0))]
  | map("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[.:. + 1]) | add
  | . + ("=" * ((4 - length % 4) % 4) // "")'

# Waits for the fetch to end and answers its challenges meanwhile; exits.
ww__fetched() {
  while IFS= read -r line <&4; do
    case $line in
    'challenge '*)
      challenge=${line#challenge } attempt=1
      ww__meet ;;
    'redirect '*) # the session leaves it to us
      number=$((number + 1))
      proposed=null
      [ "$follow" = false ] || proposed='{}'
      ww__send "$number" redirect/reply "{\"task\":${line#redirect },\"request\":$proposed}" ;;
    'earlier '*) ww_heads="$ww_heads ${line#earlier }" ;;
    'head '*)
      ww_heads="$ww_heads ${line##* }" line=${line#head }
      if [ "$tries" -gt "$retries" ] || ! ww__passes "${line%% *}"; then began=true; fi ;;
    "reply $asked error "*'"kind":"timedOut"'* | "reply $asked error "*'"kind":"nameNotResolved"'*)
      ww__again "$(printf '%s' "${line#reply * error }" | jq -r "$WW__SHOWN .message | shown")" '' || ww__failed ;;
    'reply 1 error '* | 'reply null error '* | "reply $asked error "*) ww__failed ;;
    "reply $looked result "*) looked=''; ww__meet ;;
    "reply $looked error "*) looked=''; ww__release ;; # answered elsewhere
    "reply $asked result "*)
      ww_result=${line#reply * result }
      read -r status refused <<END
$(printf '%s' "$ww_result" | jq -r '"\(.status) \(.loginPage == true or (.status | IN(401, 407)))"')
END
      if [ "$retries" -gt 0 ] && ww__passes "$status" &&
        ww__again "the server answered $status" "$(printf '%s' "$ww_result" |
          jq -r 'last(.headers[] | select(.[0] | ascii_downcase == "retry-after") | .[1]) // ""')"; then continue; fi
      ww_jar=''
      if [ -n "$cookies" ]; then
        ww_fetched=$ww_result
        ww__send 0 cookie/list "{\"session\":$(ww__json "$session")}"
        ! ww__await 0 || ww_jar=$ww_result
        ww_result=$ww_fetched
      fi
      ww__hang_up
      wait "$ww_writer" || ww__unwritable "$?"
      ww__keep
      if [ "$refused" = true ]; then
        ww_code=$WW__UNAUTHENTICATED
      elif [ "$fail" = false ] || [ "$status" -lt 400 ]; then
        exit 0
      else
        ww_code=$WW__STATUS
      fi
      ww_which=''
      [ "$several" = false ] || ww_which=" for $url"
      case $status:$refused in
      401:* | 407:* | *:false) ww__say "the server answered $status$ww_which" ;;
      *) ww__say "the response is the server's login page$ww_which" ;;
      esac
      exit "$ww_code" ;;
    'reply '*' error '*)
      ww__complain "${line#reply * error }"
      case $line in
      *'"kind":"credentialUnusable"'* | *'"kind":"storageUnavailable"'*)
        attempt=$((attempt + 1))
        ww__meet ;;
      esac ;;
    esac
  done
  ww__hang_up
  wait "$ww_writer" || ww__unwritable "$?"
  ww__lost
}

# The fetch has failed with the error in $line.
ww__failed() {
  ww__hang_up
  wait "$ww_writer" || ww__unwritable "$?"
  ww__keep_heads
  ww__refused "${line#reply * error }"
}

# Waits until no other program asks on this terminal, and says so: two would read each other's lines. The lock is on the
# terminal's device, as that of `watchword`, and ends with this shell. $waited says whether it had to wait.
ww__hold() {
  waited=false
  [ "$held" = false ] && [ -z "${WATCHWORD_ASKPASS-}" ] || return 0
  command -v flock >/dev/null || ww__missing flock
  held=true
  ww__device
  [ -r "$ww_device" ] || return 0
  exec 5<"$ww_device"
  while :; do
    if ! flock -n 5; then
      waited=true
      printf '\nanother program asks on this terminal: waiting for its end\n' >/dev/tty
      flock 5
    fi
    ! ww__in_background || [ "${stopped-}" = true ] || {
      # Reading would stop this shell with the lock.
      flock -u 5
      stopped=true
      kill -TTIN 0
      continue
    }
    break
  done
  [ "$waited" = false ] || (ww__hide)
}

ww__release() {
  [ "$held" = true ] || return 0
  held=false
  exec 5<&-
}

# The fields of /proc/self/stat from the third: the program's name may have spaces.
ww__stat() { IFS= read -r ww_stat </proc/self/stat && ww_stat=${ww_stat##*) }; }

# The path of the terminal in $ww_device: /dev/tty is one file for all of them.
ww__device() {
  ww_device=''
  ww__stat || return 0
  read -r _ _ _ _ ww_stat _ <<END
$ww_stat
END
  ww_number_of_device=$((ww_stat % 256 + (ww_stat >> 20) * 256))
  case $((ww_stat / 256 % 4096)) in
  136) ww_device=/dev/pts/$ww_number_of_device ;;
  *)
    ww_device=$(sed -n 's/^DEVNAME=//p' "/sys/dev/char/$((ww_stat / 256 % 4096)):$ww_number_of_device/uevent" 2>/dev/null)
    ww_device=${ww_device:+/dev/$ww_device} ;;
  esac
}

ww__in_background() {
  ww__stat || return 1
  read -r _ _ ww_group _ _ ww_stat _ <<END
$ww_stat
END
  [ "$ww_group" != "$ww_stat" ]
}

# Hides what is typed until the end of this shell, and drops what was typed ahead, for another question.
ww__hide() {
  ww_terminal=$(stty -g </dev/tty)
  trap 'stty "$ww_terminal" </dev/tty' EXIT
  trap 'exit 130' INT HUP TERM
  stty -echo -icanon min 0 time 0 </dev/tty
  cat </dev/tty >/dev/null
  stty icanon </dev/tty
}

# Whether $challenge is to be asked about. After a wait the daemon is asked whether it is still pending; its reply to
# $looked comes back here.
ww__turn() {
  ww__hold
  [ "$waited" = true ] || return 0
  if [ "$answering" = true ]; then
    ww__request challenge/describe "{\"challenge\":$ww_challenge}"
    number=$((ww_number + 1))
    return 0
  fi
  looked=$number
  ww__send "$looked" challenge/describe "{\"challenge\":$ww_challenge}"
  return 1
}

# Answers $challenge: asks for what it needs, cancels when nothing is given.
ww__meet() {
  number=$((number + 1))
  ww__read_challenge
  case $ww_way in
  trust) ww__meet_trust; return ;;
  code) ww__show_code; return ;;
  reject)
    [ "$answering" = false ] || ww__usage 'the challenge is for a token, and -u means a user and a password'
    ww__send "$number" challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"rejectProtectionSpace\"}"
    return ;;
  default)
    ww__send "$number" challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"performDefaultHandling\"}"
    return ;;
  esac
  ww__turn || return 0
  if [ "$attempt" -gt "$WW__ATTEMPTS" ] || ! ww__credential; then
    ww__release
    ww__decline "$WW__UNAUTHENTICATED"
    return
  fi
  ww__send "$number" challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"useCredential\",\"credential\":$ww_secret}"
  unset ww_secret
  ww__release
}

# Reads $challenge at once, since each start of jq takes most of the time of an answer: $ww_challenge is its identifier
# as JSON, $kind its method, and $ww_way says what is to be done:
#   trust    to judge certificates
#   code     a person answers at a page of an authorization server; no server can write these names
#   reject   a user is named, so that what a person types is a password: it must not go out as a token
#   default  there is a permanent or synchronizable credential, or one of netrc, that the server has not refused
#   ask      to ask, for $ww_user if it is not empty; $kind, $failures, $proposed and $where say what for
ww__read_challenge() {
  ww_user=$user ww_of_proxy=${proxy_user:-${ww_named-}}
  ww_read=$(printf '%s' "$challenge" | jq -r --arg user "$user" --arg of_proxy "$ww_of_proxy" --argjson answering "$answering" "$WW__SHOWN$WW__PLACE"'
    (.protectionSpace.isProxy == true and ($answering | not)) as $is_of_proxy
    | (if $is_of_proxy then $of_proxy else $user end) as $name
    | (if .protectionSpace.authenticationMethod == "serverTrust" then "trust"
      elif .source and .protectionSpace.parameters.userCode then "code"
      elif .protectionSpace.authenticationMethod == "bearer" and ($name != "" or .proposedCredential.source == "url") then "reject"
      elif .previousFailureCount == 0 and .error.kind != "confirmUse" and (.proposedCredential.source | IN("netrc", "permanent", "synchronizable"))
        and ($name == "" or .proposedCredential.user == $name) then "default"
      else "ask" end),
    (.challenge | tojson), $is_of_proxy,
    .protectionSpace.authenticationMethod, .previousFailureCount, (.proposedCredential.user // ""), place
      + (if .error.kind == "weakerOffer" then ", weaker than before" else "" end)
      + (if .previousFailureCount > 0 then ", refused before" else "" end) + ")"')
  {
    IFS= read -r ww_way; IFS= read -r ww_challenge; IFS= read -r ww_is_of_proxy
    IFS= read -r kind; IFS= read -r failures; IFS= read -r proposed; IFS= read -r where
  } <<END
$ww_read
END
  [ "$ww_is_of_proxy" = false ] || ww_user=$ww_of_proxy
}

# Says what the person does; the challenge settles itself.
ww__show_code() {
  printf '%s' "$challenge" | jq -r "$WW__SHOWN"'.protectionSpace.parameters as $code
    | "\(.origin | shown) needs a token of the source \(.source | shown)",
      "open \($code.verificationUri | shown) and enter \($code.userCode | shown)"' >&2
}

# Answers $challenge, which is about certificates: only a whole word accepts them.
ww__meet_trust() {
  if [ -n "${WATCHWORD_ASKPASS-}" ]; then
    ww__send "$number" challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"performDefaultHandling\"}"
    return
  fi
  ww__turn || return 0
  printf '%s' "$challenge" | jq -r "$WW__SHOWN$WW__TRUST"'
    "\(.origin | shown) \(if .protectionSpace.serverTrust.verdict == "trusted" then "shows its certificate" else "is not trusted" end)",
    (.protectionSpace.serverTrust | (.reasons[:16][] | "  " + fault), (.certificates[:1][] |
      "  subject  \(.subject | shown)", "  issuer   \(.issuer | shown)", "  valid    \(.notBefore | shown) to \(.notAfter | shown)",
      "  names    \(.subjectAlternativeNames[:12] | map(shown) | join(", "))", "  SHA-256  \(.sha256 | shown | colons)",
      "  key      \(.publicKey | shown)"))' >/dev/tty
  case $(ww__ask shown 'Accept? once (this fetch only), session, always, no: ') in
  once) ww__accept certificate none ;;
  session) ww__accept certificate forSession ;;
  always) ww__accept certificate permanent ;;
  no) ww__cancel ;;
  *) ww__decline "$WW__UNTRUSTED" ;;
  esac
  ww__release
}

# Nothing was said about $challenge: a fetch of ours ends with it, one of others goes on waiting.
ww__decline() {
  if [ "$answering" = true ]; then
    ww__say 'not answered, the challenge is still pending'
    exit "$1"
  fi
  ww__cancel
}

ww__cancel() {
  ww__send "$number" challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"cancelAuthenticationChallenge\"}"
}

# Accepts the certificates of $challenge: WHAT of them, for how long.
ww__accept() {
  ww__send "$number" challenge/reply \
    "{\"challenge\":$ww_challenge,\"disposition\":\"useCredential\",\"credential\":{\"trust\":\"$1\",\"persistence\":\"$2\"}}"
}

# The credential for $kind as JSON in ww_secret; fails when the person gave nothing.
ww__credential() {
  name=''
  if [ "$kind" = agentUnlock ]; then
    ww_secret=$(ww__ask hidden 'lock: Passphrase: ') && [ -n "$ww_secret" ] || return 1
    ww_secret="{\"passphrase\":$(ww__json "$ww_secret")}"
    return
  fi
  if [ "$kind" = bearer ]; then
    ww_secret=$(ww__ask hidden "$where: Token: ") && [ -n "$ww_secret" ] || return 1
    ww_secret="{\"token\":$(ww__json "$ww_secret")}"
    return
  fi
  name=${ww_user:-$proposed}
  # A person may have mistyped the user; a program keeps the one that it was run for.
  if [ -z "$ww_user" ] || [ "$attempt" != 1 ] || { [ "$failures" != 0 ] && [ -z "${WATCHWORD_ASKPASS-}" ]; }; then
    given=$(ww__ask shown "$where: User${name:+ [$(ww__shown "$name")]}: ") || return 1
    name=${given:-$name}
  fi
  [ -n "$name" ] || return 1
  ww_secret=$(ww__ask octets "$where: Password for $(ww__shown "$name"): ") || return 1
  ww_secret="{\"user\":$(ww__json "$name"),$(ww__password_member "$ww_secret")}"
}

# A password that is not UTF-8 goes as its octets.
ww__password_member() {
  if ww__text "$1"; then printf '"password":%s' "$(ww__json "$1")"; else printf '"passwordBytes":"%s"' "$(ww__base64 "$1")"; fi
}

# Runs a program in the locale of the caller.
ww__localized() {
  { case $ww_locale in =*) LC_ALL=${ww_locale#=} ;; *) unset LC_ALL ;; esac; } 2>/dev/null
  "$@"
}

# Asks the askpass program or the person at the terminal. Prints the answer. `hidden` is without echo; so is `octets`,
# whose answer need not be UTF-8.
ww__ask() {
  if [ -n "${WATCHWORD_ASKPASS-}" ]; then
    answer=$(ww__localized "$WATCHWORD_ASKPASS" "$2" 3>&- 4<&-) || return
    [ "$1" = octets ] || ww__text "$answer" || { ww__say 'the answer of the askpass program is not UTF-8'; return "$WW__FAILED"; }
    printf '%s' "$answer"
    return
  fi
  ww__hold
  [ "$1" = shown ] || ww__hide
  printf '%s' "$2" >/dev/tty
  IFS= read -r answer </dev/tty || exit "$WW__FAILED"
  [ "$1" = shown ] || printf '\n' >/dev/tty
  [ "$1" = octets ] || ww__text "$answer" || { ww__say 'that is not UTF-8: the terminal has another encoding'; exit "$WW__FAILED"; }
  printf '%s' "$answer"
}

ww__can_ask() { [ -n "${WATCHWORD_ASKPASS-}" ] || (: </dev/tty) 2>/dev/null; }

# Sends one request and prints its result. PARAMS is JSON; `-` reads it from standard input, where secrets belong.
ww_call() (
  ww__guard
  case $# in 1 | 2) ;; *) ww__usage 'ww_call METHOD [PARAMS]' ;; esac
  case $1 in *[!A-Za-z0-9_./]*) ww__usage "$1 is no method" ;; esac
  case ${2-} in -) params=$(cat) ;; *) params=${2:-"{}"} ;; esac
  ww__text "$params" || ww__usage 'PARAMS is not UTF-8'
  # jq rounds a number beyond 2^53; beyond 2^63 the daemon would refuse the message as a whole.
  params=$(printf '%s' "$params" | jq -cs 'if length != 1 or (.[0] | not) then error
    elif all(.[0] | .. | numbers; -9223372036854775808 <= . and . < 9223372036854775808) then .[0] else empty end' 2>/dev/null) ||
    ww__usage 'PARAMS is no JSON'
  [ -n "$params" ] || ww__usage 'PARAMS has a number beyond 64 bits'
  ww__connect
  ww__request "$1" "$params"
  if [ -t 1 ]; then printf '%s' "$ww_result" | jq .; else printf '%s\n' "$ww_result"; fi
)

# Prints what the daemon is doing; --json: as the daemon says it.
ww_status() (
  ww__guard
  ww__options '--json' "$@"
  ww__connect
  ww__request status '{}'
  # shellcheck disable=SC2016
  ww__print '
    "watchwordd \(.version), process \(.pid), up \(.uptimeSeconds | floor) s, \(.residentBytes / 1048576 | floor) MiB",
    "socket \(.socket)",
    (if .locked then "the agent is locked" else empty end),
    (.vault // {} | if .state == "open" then "vault \(.path), \(.credentials) permanent credentials"
      elif .state == "locked" then "vault \(.path), locked"
      elif .state == "forgotten" then "vault \(.path), read again when it is needed"
      elif .state == "unavailable" then "vault unavailable: \(.reason | shown)" else "no vault yet" end),
    (.sessions[] | "session \(.session | shown): \(.holders | length) holders, \(.tasks) tasks, \(.credentials | length) credentials, "
      + "\(.trust // 0) trusted servers, \(.connections) connections, \(.pendingChallenges) challenges",
      (.credentials[] | "  \(.user // "token" | shown) at \(.protectionSpace | space), \(.uses) uses")),
    (.challenges[] | "challenge \(.challenge): \(.protectionSpace | space), \(.waiterCount // (.waiters | length)) waiting until \(.deadline)"),
    (.counters | to_entries | sort_by(.key)[] | "\(.key) \(.value)")'
)

# Lists the sessions of this uid.
ww_sessions() (
  ww__guard
  ww__options '--json' "$@"
  ww__connect
  ww__request session/list '{}'
  ww__print '.sessions[] | "\(.session | shown)\t\(.holders) holders\t\(.tasks) tasks\t\(.credentials) credentials\t\(.trust) trusted servers\t\(.pendingChallenges) challenges"'
  ww__explain_lock
)

# Lists the credentials of a session, without their secrets.
ww_credentials() (
  ww__guard
  ww__options '--session --json' "$@"
  ww__connect
  ww__request credential/list "{\"session\":$(ww__json "$session")}"
  ww__print '.credentials[] | "\(.user // "token" | shown)\t\(.protectionSpace | space)\t\(.persistence)\t\(.uses) uses\(if .readable then "\treadable" else "" end)\(if .preemptive then "\tpreemptive" else "" end)"'
  ww__explain_lock vault
)

# Lists what counts in a session of decisions about servers' certificates; --remove ID takes one back, a permanent one for all.
ww_trust() (
  ww__guard
  ww__options '--session --json --remove' "$@"
  ww__connect
  if [ -n "$removed" ]; then
    ww__request trust/remove "{\"session\":$(ww__json "$session"),\"trust\":$(ww__json "$removed")}"
    ww__print '"removed \(.removed)"'
    case $ww_result in *'"removed":0'*) exit "$WW__FAILED" ;; *) exit 0 ;; esac
  fi
  ww__request trust/list "{\"session\":$(ww__json "$session")}"
  ww__print '.trust[] | "\(.trust)\t\(.origin | shown)\t\(.subject | shown)\t\(.scope) \(if .scope == "publicKey" then .publicKey else .sha256 end)\t\(.persistence)\t\(.uses) uses\t\(.excused | map(fault) | join(", "))"'
  ww__explain_lock vault
)

# Lists the client certificates of a session; --cert FILE [--key FILE] adds one, --remove ID forgets one.
ww_identities() (
  ww__guard
  ww__options '--session --json --cert --key --remove' "$@"
  [ -z "$key" ] || [ -n "$certificate" ] || ww__usage '--key goes with --cert'
  [ -z "$certificate" ] || ww_secret=$(ww__identity) || { ww__say "$certificate or its key cannot be read"; exit "$WW__INPUT"; }
  ww__connect
  if [ -n "$certificate" ]; then
    ww__add_identity
    ww__print '.identity'
    exit 0
  fi
  if [ -n "$removed" ]; then
    ww__request identity/remove "{\"session\":$(ww__json "$session"),\"identity\":$(ww__json "$removed")}"
    ww__print '"removed \(.removed)"'
    case $ww_result in *'"removed":0'*) exit "$WW__FAILED" ;; *) exit 0 ;; esac
  fi
  ww__request identity/list "{\"session\":$(ww__json "$session")}"
  ww__print '.identities[] | "\(.identity)\t\(.subject | shown)\t\(.issuer | shown)\t\(.notAfter)\t\(.keyType)\t\(.origin // "any" | shown)\t\(.uses) uses\(if .persistence == "permanent" then "\tpermanent" else "" end)"'
  ww__explain_lock vault
)

# The members of an identity: PKCS#12 begins as DER does, anything else is PEM. Keys go through pipes, not arguments; one in a
# token is named by its URI.
ww__identity() {
  case $certificate in
  pkcs11:*)
    [ -z "$key" ] || return 1
    printf '"pkcs11":%s' "$(ww__json "$certificate")"
    return
    ;;
  esac
  case $key in
  pkcs11:*)
    [ -r "$certificate" ] || return 1
    printf '"pkcs11":%s,"certificates":%s' "$(ww__json "$key")" "$(ww__certificates)"
    return
    ;;
  esac
  [ -r "$certificate" ] && [ -r "${key:-$certificate}" ] || return 1
  if [ "$(head -c 1 "$certificate" | od -An -tx1 | tr -d ' ')" = 30 ]; then
    printf '"pkcs12":%s' "$(base64 <"$certificate" | tr -d '\n' | jq -Rs .)"
  else
    printf '"certificates":%s,"privateKey":%s' \
      "$(ww__certificates)" "$(ww__blocks '[A-Z ]*PRIVATE KEY' <"${key:-$certificate}")"
  fi
}

ww__certificates() { ww__blocks CERTIFICATE <"$certificate"; }

# The PEM blocks with the label $1 of standard input, as JSON. What is beside them is for people, in any encoding.
ww__blocks() { sed -n "/-----BEGIN $1-----/,/-----END $1-----/{s/^.*-----BEGIN /-----BEGIN /;p;}" | jq -Rs .; }

# Says beside a list why it lacks something; vault: the vault keeps some of what is listed.
ww__explain_lock() {
  ww__request status '{}'
  printf '%s' "$ww_result" | jq -r --arg from "${1-}" "$WW__SHOWN"'
    if .locked then "hint: the agent is locked, and shows nothing"
    elif $from != "vault" then empty
    elif .vault.reason? and (.vault.state | . == "locked" or . == "unavailable") then "hint: what the vault keeps is not listed: \(.vault.reason | shown)"
    elif .vault.state? == "locked" then "hint: the vault is locked: what it keeps is not listed" else empty end' >&2
}

# Locks the agent with a passphrase and clears its memory; a person types the passphrase twice.
ww_lock() (
  ww__guard
  ww__options '' "$@"
  ww__can_ask || exit "$WW__UNAUTHENTICATED"
  ww__hold
  passphrase=$(ww__ask hidden 'lock: Passphrase: ') && [ -n "$passphrase" ] || exit "$WW__UNAUTHENTICATED"
  if [ -z "${WATCHWORD_ASKPASS-}" ]; then
    [ "$(ww__ask hidden 'lock: Passphrase again: ')" = "$passphrase" ] || { ww__say 'the two passphrases differ'; exit "$WW__FAILED"; }
  fi
  ww__release
  ww__connect
  ww__request agent/lock "{\"passphrase\":$(ww__json "$passphrase")}"
)

# Unlocks the agent, or else opens the vault, with its passphrase.
ww_unlock() (
  ww__guard
  ww__options '' "$@"
  ww__connect
  # What another program unlocks on this terminal is not asked for again.
  ! ww__can_ask || ww__hold
  ww__request status '{}'
  place=$(printf '%s' "$ww_result" | jq -r 'if .locked then "lock" elif .vault.state? | . == "locked" or . == "unavailable"
    then (if .vault.reason then "keyring" else "vault" end) else "nothing" end')
  case $place in
  nothing) printf 'hint: nothing is locked\n' >&2; exit 0 ;;
  keyring) passphrase=- ;; # it is asked again, and the passphrase not looked at
  *)
    ww__can_ask || exit "$WW__UNAUTHENTICATED"
    passphrase=$(ww__ask hidden "$place: Passphrase: ") && [ -n "$passphrase" ] || exit "$WW__UNAUTHENTICATED" ;;
  esac
  ww__request agent/unlock "{\"passphrase\":$(ww__json "$passphrase")}"
  [ "$place" = lock ] || exit 0
  ww__request status '{}'
  printf '%s' "$ww_result" | jq -r "$WW__SHOWN"'.vault // {} | if .reason and (.state == "locked" or .state == "unavailable")
    then "hint: the vault is not open: \(.reason | shown)"
    elif .state == "locked" then "hint: the vault is still locked: unlock again, with its passphrase" else empty end' >&2
)

# Clears the daemon's memory of secrets; the vault stays.
ww_forget() (
  ww__guard
  ww__options '' "$@"
  ww__connect
  ww__request agent/forget '{}'
)

# Adds it, and asks for the passphrase when the key needs one; once for a token, which locks itself after some wrong PINs.
ww__add_identity() {
  passphrase='' attempt=0 attempts=3 wanted=Passphrase
  case ${key:-$certificate} in pkcs11:*) attempts=1 wanted=PIN ;; esac
  while :; do
    ww_number=$((ww_number + 1)) attempt=$((attempt + 1))
    ww__send "$ww_number" identity/add "{\"session\":$(ww__json "$session"),\"identity\":{$ww_secret$passphrase}}"
    if ww__await "$ww_number"; then return; fi
    case $ww_result in *'"reason":"passphraseNeeded"'* | *'"reason":"wrongPassphrase"'*) ;; *) ww__refused "$ww_result" ;; esac
    if [ "$attempt" -gt "$attempts" ] || ! ww__can_ask; then ww__refused "$ww_result"; fi
    passphrase=$(ww__ask hidden "$(ww__shown "${key:-$certificate}"): $wanted: ") && [ -n "$passphrase" ] || exit "$WW__UNAUTHENTICATED"
    passphrase=",\"passphrase\":$(ww__json "$passphrase")"
  done
}

# Says what would happen for a URL; nothing is sent.
ww_explain() (
  ww__guard
  ww__options 'operand --session --json --proxy --proxy-user --noproxy' "$@"
  [ -n "$operand" ] || ww__usage 'ww_explain [-x URL] [--proxy-user USER] [--noproxy LIST] [--session NAME] [--json] URL'
  ww__url "$operand"
  params="\"url\":$(ww__json "$url")"
  ww__add_proxies
  ww__connect
  ww__request explain "{\"session\":$(ww__json "$session"),$params}"
  # shellcheck disable=SC2016
  ww__print '
    "url \(.url | shown)",
    (if .credential then "credential \(.credential.user // "token" | shown), \(.credential.authenticationMethod)"
      + (if .credential | has("realm") then ", realm \"\(.credential.realm | shown)\"" else ", any realm" end)
      + (if .preemptive then ", sent unasked" else ", when asked" end) else "credential none" end),
    (.keys // [] | .[] | "key \(.field | shown), sent unasked"),
    (.hostField // empty | "to \(shown)"), (ways[] | "way \(.)"),
    "methods \(.methods | join(", "))",
    "redirects \(.redirects.policy), at most \(.redirects.limit)",
    "proxy \(.proxy // "none" | shown)" + (if .proxyChoice then ", \(.proxyChoice.setting | shown) of the \(.proxyChoice.source)" else "" end)
      + (if .proxyChoice.exception? then ", exception \(.proxyChoice.exception | shown)" else "" end),
    (.pendingChallenges[] | "challenge \(.)")'
)

# Lists the challenges that wait for an answer in the named sessions of this uid.
ww_challenges() (
  ww__guard
  ww__options '--session --json' "$@"
  ww__connect
  ww__gather
  ww__print '.challenges[] | "\(.challenge)\t\(.origin | shown)\t\(.protectionSpace.authenticationMethod)\t\(.protectionSpace.realm // "" | shown)\t\(.waiterCount // (.waiters | length)) waiting\tuntil \(.deadline)" + (ways | if . == [] then "" else "\t" + join(", ") end)'
)

# Answers a challenge for all who wait: asks for the credential, or --cancel, --reject, --default, --trust WHAT.
ww_answer() (
  ww__guard
  ww__options 'operand --session --user --cancel --reject --default --trust' "$@"
  [ -n "$operand" ] || ww__usage 'ww_answer [--cancel | --reject | --default | --trust certificate|publicKey] [-u USER] CHALLENGE'
  [ -z "$disposition" ] || [ -z "$scope" ] || ww__usage 'only one of --cancel, --reject, --default and --trust can be the answer'
  ww__connect
  ww__gather
  challenge=$(printf '%s\n%s' "$ww_result" "$(ww__json "$operand")" | jq -sc '.[1] as $id | first(.[0].challenges[] | select(.challenge == $id)) // empty')
  [ -n "$challenge" ] || { ww__say "no challenge $operand waits for an answer"; exit "$WW__FAILED"; }
  ww_challenge=$(ww__json "$operand")
  # A mere holder of the session would speak for its own tasks; its delegate speaks for all.
  ww__request session/open "$(printf '%s' "$challenge" | jq -c '{name: .session, delegate: ({session: [.protectionSpace.authenticationMethod]}
    + if .protectionSpace.serverTrust.verdict == "refused" then {trustVerdicts: "refused"} else {} end)}')"
  number=$((ww_number + 1))
  if [ -n "$scope" ]; then
    ww__accept "$scope" none
    ww__await "$number" || ww__refused "$ww_result"
    exit 0
  fi
  if [ -n "$disposition" ]; then
    ww__request challenge/reply "{\"challenge\":$ww_challenge,\"disposition\":\"$disposition\"}"
    exit 0
  fi
  answering=true
  ww__read_challenge
  if [ "$ww_way" = code ]; then
    ww__show_code
    exit 0
  fi
  unanswered=$WW__UNAUTHENTICATED
  case $kind in
  serverTrust) unanswered=$WW__UNTRUSTED ;;
  clientCertificate)
    ww__say 'this client presents no certificate of its own choice' 'watchword answer does; --cancel, --reject and --default do here'
    exit "$WW__FAILED" ;;
  esac
  ww__can_ask || { ww__say 'no terminal to ask at' 'set WATCHWORD_ASKPASS'; exit "$unanswered"; }
  number=$ww_number attempt=1
  ww__meet
  ww__await "$number" || ww__refused "$ww_result"
)

# The challenges of all named sessions in ww_result; looking into a session joins it, which is what lets one answer.
ww__gather() {
  names=$session
  if [ "$names" = default ]; then
    ww__request session/list '{}'
    names=$(printf '%s' "$ww_result" | jq -r '.sessions[] | select(.named) | .session')
  fi
  all=''
  while IFS= read -r one; do
    [ -n "$one" ] || continue
    ww__request challenge/list "{\"session\":$(ww__json "$one")}"
    all=$all$ww_result
  done <<END
$names
END
  ww_result=$(printf '%s' "$all" | jq -sc '{challenges: (map(.challenges) | add // [])}')
}

# Reads the options of a smaller verb into operand, session, json, user, disposition, scope, removed, certificate, key, proxy,
# proxy_user and exceptions. $1 has those that the verb takes, and "operand" if it takes one; any other is refused.
ww__options() {
  ww_taken=" $1 "
  shift
  operand='' session=default json=false user='' disposition='' scope='' removed='' certificate='' key='' proxy='' proxy_user='' exceptions=''
  while [ $# -gt 0 ]; do
    case $1 in
    -[ux]?*)
      ww_flags=$1
      shift
      set -- "${ww_flags#-?}" "$@"
      set -- "${ww_flags%"${ww_flags#-?}"}" "$@" ;;
    esac
    ww__text "$1" || ww__usage 'an argument is not UTF-8'
    ww_word=$1
    case $1 in -u) ww_word=--user ;; -x) ww_word=--proxy ;; -?*) ;; *) ww_word=operand ;; esac
    case $ww_taken in *" $ww_word "*) ;; *)
      case $ww_word in operand) ww__usage "what is $1?" ;; *) ww__usage "no option $1" ;; esac ;;
    esac
    case $1 in
    --json) json=true ;;
    --cancel | --reject | --default)
      [ -z "$disposition" ] || ww__usage 'only one of --cancel, --reject and --default can be the answer'
      case $1 in
      --cancel) disposition=cancelAuthenticationChallenge ;;
      --reject) disposition=rejectProtectionSpace ;;
      --default) disposition=performDefaultHandling ;;
      esac ;;
    --session | -u | --user | --trust | --remove | --cert | --key | -x | --proxy | --proxy-user | --noproxy)
      [ $# -ge 2 ] || ww__usage "$1 needs a value"
      ww__text "$2" || ww__usage "the value of $1 is not UTF-8"
      case $1 in
      --session) session=$2 ;;
      --remove) removed=$2 ;;
      --cert) certificate=$2 ;;
      --key) key=$2 ;;
      -x | --proxy) ww__proxy "$2" ;;
      --proxy-user) ww__proxy_user "$2" ;;
      --noproxy) exceptions=$2 ;;
      --trust)
        case $2 in certificate | publicKey) scope=$2 ;; *) ww__usage '--trust is certificate or publicKey' ;; esac ;;
      *) user=$2 ;;
      esac
      shift ;;
    *)
      [ -z "$operand" ] || ww__usage "what is $1?"
      operand=$1 ;;
    esac
    shift
  done
}

# Prints ww_result: as it is for --json, else through a jq program.
ww__print() {
  if [ "$json" = true ]; then
    printf '%s\n' "$ww_result"
  else
    printf '%s' "$ww_result" | jq -r "$WW__SHOWN$WW__TRUST"'
      def space: "\(.protocol)://\(.host | bracketed | shown):\(.port) \(.authenticationMethod)\(if .realm then " \"\(.realm | shown)\"" else "" end)\(if .field then " \(.field | shown)" else "" end)";'"$1"
  fi
}

# The wire

# Connects to the daemon: requests go to descriptor 3, sorted messages come from 4. With `body`, ww_writer is the
# process that writes what is fetched. Exits when there is no daemon to talk to.
ww__connect() {
  path=$(ww__path)
  [ -S "$path" ] || ww__no_daemon "no daemon at $path"
  if ! { ww__ours "$path" && ww__ours "${path%/*}"; }; then
    ww__say "$path belongs to another user, or others may write there"
    exit "$WW__NO_DAEMON"
  fi
  ww_directory=$(umask 077 && mktemp -d "${TMPDIR:-/tmp}/watchword.XXXXXX") || exit "$WW__FAILED"
  ww_peer='' ww_writer=''
  trap ww__leave EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkfifo -m 600 "$ww_directory/in" "$ww_directory/raw" "$ww_directory/out" "$ww_directory/body" || exit "$WW__FAILED"
  if command -v socat >/dev/null 2>&1; then
    socat - "UNIX-CONNECT:$(printf '%s' "$path" | ww__socat_text)" <"$ww_directory/in" >"$ww_directory/raw" 2>/dev/null &
  else
    nc -U "$path" <"$ww_directory/in" >"$ww_directory/raw" 2>/dev/null &
  fi
  ww_peer=$!
  sink=/dev/null
  if [ "${1-}" = body ]; then
    sink=$ww_directory/body
    ww__write <"$sink" &
    ww_writer=$!
  fi
  jq --unbuffered -r "$WW__HEAD$WW__SORT" <"$ww_directory/raw" >"$ww_directory/out" 2>"$sink" &
  exec 3>"$ww_directory/in" 4<"$ww_directory/out"
  trap '' PIPE
  ww_number=10
}

# Writes the body that arrives on standard input to $output or standard output; touches nothing before there is one.
ww__write() {
  jq -nr --unbuffered --argjson fail "$fail" --argjson deliver "$deliver" --argjson with_head "$include" "$WW__PASSING$WW__BODY" | {
    IFS= read -r first || exit 0
    if [ -n "$output" ] && [ "$output" != - ]; then exec >"$output" || exit "$WW__OUTPUT"; fi
    { printf '%s\n' "$first"; cat; } | base64 -d
  }
}

# Sends the request $2 with the parameters $3 under the id $1.
ww__send() { printf '{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' "$1" "$2" "$3" >&3; }

# Sends a request and waits: its result in ww_result. Exits on an error.
ww__request() {
  ww_number=$((ww_number + 1))
  ww__send "$ww_number" "$1" "$2"
  ww__await "$ww_number" || ww__refused "$ww_result"
}

ww__await() {
  while IFS= read -r line <&4; do
    case $line in
    "reply $1 result "*) ww_result=${line#reply * result }; return 0 ;;
    # The daemon could not tell which request it was.
    "reply $1 error "* | 'reply null error '*) ww_result=${line#reply * error }; return 1 ;;
    esac
  done
  ww__lost
}

ww__hang_up() {
  exec 3>&- 4<&-
  [ -z "$ww_peer" ] || kill "$ww_peer" 2>/dev/null
  ww_peer=''
}

ww__leave() {
  ww_code=$?
  ww__hang_up
  rm -rf "$ww_directory"
  exit "$ww_code"
}

# A path as socat reads one: it knows quotes and brackets, and takes some characters for the end.
ww__socat_text() { sed 's/[],:!"'"'"'\\(){}[]/\\&/g'; }

# Where the daemon listens.
ww__path() {
  if [ -n "${WATCHWORD_SOCKET-}" ]; then
    printf '%s' "$WATCHWORD_SOCKET"
    return
  fi
  case ${XDG_RUNTIME_DIR-} in
  /*) printf '%s/watchword/watchword.sock' "$XDG_RUNTIME_DIR" ;;
  # A relative one does not count (XDG Base Directory Specification).
  *)
    if [ -d "/run/user/$(id -u)" ]; then
      printf '/run/user/%s/watchword/watchword.sock' "$(id -u)"
    else
      printf '%s/.watchword/watchword.sock' "$HOME"
    fi
    ;;
  esac
}

# Whether a path belongs to this uid or root and no other uid may write there: else the socket could be a trap.
ww__ours() {
  # shellcheck disable=SC2012
  ls -ldn "${1:-.}" | {
    read -r mode _ owner _
    [ "$owner" = 0 ] || [ "$owner" = "$(id -u)" ] || exit "$WW__FAILED"
    ww__is_known "$owner" || exit "$WW__FAILED"
    case $mode in ?????w* | ????????w*) exit "$WW__FAILED" ;; esac
  }
}

# Whether a uid names one account: where a user namespace does not map all, one stands for those it does not.
ww__is_known() (
  mapped=0
  # dash reads byte by byte, of which this file has one only.
  overflow=$(cat /proc/sys/kernel/overflowuid 2>/dev/null)
  [ -n "$overflow" ] || overflow=65534
  [ "$1" = "$overflow" ] || exit 0
  { while read -r _ _ count; do mapped=$((mapped + count)); done </proc/self/uid_map; } 2>/dev/null
  [ "$mapped" = 4294967295 ]
)

# Small things

# The options, traps, functions and variables of the caller that could show a secret or change the meaning of a line
# end here.
ww__guard() {
  { set +aCefuvx; } 2>/dev/null
  # bash expands them in command substitutions when these run.
  \unalias -a
  # shellcheck disable=SC3040  # only where the shell knows it
  (set +o pipefail) 2>/dev/null && set +o pipefail
  IFS=' 	
'
  # Functions with the names of what is used here. Whatever a shell does not let go is its own command.
  # shellcheck disable=SC2086
  unset -f $WW__PROGRAMS flock stty command echo exec exit kill printf read return shift test trap wait [ 2>/dev/null
  # Exported once, a variable would carry whatever is put into it into the environment of every program.
  unset ww_ask ww_authority ww_boundary ww_code ww_content ww_device ww_digits ww_directory ww_disabled ww_fetched ww_file ww_flags ww_group ww_head ww_heads ww_jar ww_left ww_length ww_locale ww_method ww_name ww_named ww_new ww_number ww_number_of_device ww_origin ww_part ww_pause ww_peer ww_result ww_secret ww_stat ww_taken ww_terminal ww_user ww_which ww_word ww_writer
  unset all answer asked attempt authority began body certificate challenge checksum compressed configuration cookies delay delegate deliver disposition exceptions fail failures fields first follow given
  unset headers heads held include json key kind largest line looked method methods name named names netrc number one operand output outputs params parts passphrase path place proposed
  unset proxy proxy_user removed retries scheme scope seconds sends session several shows silent sink status stopped tickets tries unanswered unwanted upload url urls user waited wanted where
  # Bytes are bytes: in another locale . of sed matches not all of them, and [a-z] more than these letters.
  ww_locale=${LC_ALL+=}${LC_ALL-}
  (LC_ALL=C) 2>/dev/null && LC_ALL=C && export LC_ALL
  quiet=false answering=false held=false looked=''
  case $(command -v printf) in
  */*)
    ww__say 'in this shell printf is a program, and secrets would be seen in its arguments' 'use dash or bash'
    exit "$WW__FAILED" ;;
  esac
  for name in $WW__PROGRAMS; do
    command -v "$name" >/dev/null || ww__missing "$name"
  done
  command -v socat >/dev/null || command -v nc >/dev/null || ww__missing 'socat, or an nc that knows -U,'
  trap - EXIT HUP INT TERM
}

ww__missing() {
  ww__say "$1 is needed, and is not in PATH"
  exit "$WW__FAILED"
}

# A string as a person may see it.
ww__shown() {
  case $1 in
  *[!\ -~]*) ;;
  *) [ "${#1}" -gt 200 ] || { printf '%s' "$1"; return; } ;;
  esac
  printf '%s' "$1" | jq -Rrs "$WW__SHOWN shown"
}

# Whether a string is UTF-8. jq repairs one that is not: it would be another user, password or file.
# ASCII needs no jq, whose start takes most of the time of a call.
ww__text() {
  case $1 in *[!\ -~]*) [ "$(printf '%s' "$1" | jq -Rsj .; printf x)" = "$1x" ] ;; esac
}

# Octets in base64.
ww__base64() { printf '%s' "$1" | base64 | tr -d '\n'; }

# A string as JSON.
ww__json() {
  case $1 in *[!\ -~]* | *[\\\"]*) printf '%s' "$1" | jq -Rs . ;; *) printf '"%s"' "$1" ;; esac
}

# Sets $url to a URL as curl guesses it; one with a password is refused, since every process can read it.
ww__url() {
  scheme=''
  case $1 in [A-Za-z]*:/*) scheme=${1%%:/*} ;; esac
  # Where :/ comes later, a path or query has a URL in it.
  case $scheme in '' | *[!A-Za-z0-9+.-]*) url=http://$1 ;; *) url=$1 ;; esac
  authority=${url#*:}
  while [ "$authority" != "${authority#/}" ]; do authority=${authority#/}; done
  authority=${authority%%[/?#]*}
  case $authority in *@*)
    case ${authority%@*} in *:*) ww__usage 'a password in the URL is readable by every process' ;; esac ;;
  esac
}

# Scheme, host and port of the URL $1.
ww__origin() { printf '%s' "$1" | jq -Rsr 'capture("^(?<scheme>[^:]*:)/+([^/?#]*@)?(?<rest>[^/?#]*)") | .scheme + "//" + .rest'; }

# Adds the value $1 of -d or --data-binary to $body, which is in base64; a file's without the characters $2.
ww__append() {
  ww__readable "$1"
  body=$({
    [ "$sends" = false ] || { printf '%s' "$body" | base64 -d; printf '&'; }
    case $1 in
    @-) ww__without "$2" ;;
    @*) ww__without "$2" <"${1#@}" ;;
    *) printf '%s' "$1" ;;
    esac
  } | base64 | tr -d '\n')
  sends=true
}

ww__without() { if [ -n "$1" ]; then tr -d "$1"; else cat; fi; }

# Adds the value of -H, or the lines of its @FILE, to $headers, or to $unwanted what is not to be sent.
ww__header() {
  ww__readable "$1"
  fields=$(case $1 in @-) cat ;; @*) cat "${1#@}" ;; *) printf '%s' "$1" ;; esac)
  case $1 in @*) ww__text "$fields" || ww__usage "$1 is not UTF-8" ;; esac
  ww__text "$fields" || { ww__octet_header "$1"; return; }
  fields=$(printf '%s' "$fields" | jq -Rrs --arg from "${1%"${1#?}"}" '
    (if $from == "@" then split("\n") | map(rtrimstr("\r") | select(. != "")) else [.] end)
    | map((index(":") // 0) as $colon
      | if $colon > 0 then [.[:$colon], (.[$colon+1:] | sub("^[ \t]+"; ""))] | if .[1] == "" then .[:1] else . end
        elif test(".;$") then [.[:-1], ""] else error end)
    | if any(.[]; length == 1 and (.[0] | ascii_downcase | . == "accept" or . == "host")) then error else . end
    | "f" + (map(select(length == 2) | tojson + ",") | add // ""), "u" + (map(select(length == 1) | tojson + ",") | add // "")' 2>/dev/null) ||
    ww__usage 'a header field is written as Name: value, as Name; to be empty, or as Name: to be left out, which Accept and Host cannot be'
  headers=$headers$(printf '%s' "$fields" | sed -n 's/^f//p')
  unwanted=$unwanted$(printf '%s' "$fields" | sed -n 's/^u//p')
}

# Adds the value of -H that is not UTF-8 to $headers.
ww__octet_header() {
  ww_name=${1%%:*} ww_value=${1#*:}
  if [ "$ww_name" = "$1" ] || [ -z "$ww_name" ] || ! ww__text "$ww_name"; then ww__usage 'the name of a header field is not UTF-8'; fi
  ww_value=${ww_value#"${ww_value%%[! 	]*}"}
  headers="${headers}[$(ww__json "$ww_name"),{\"base64\":\"$(ww__base64 "$ww_value")\"}],"
}

# Exits where @FILE cannot be read.
ww__readable() {
  case $1 in
  @-) ;;
  @*)
    [ -d "${1#@}" ] || [ ! -r "${1#@}" ] || return 0
    ww__say "${1#@} cannot be read"
    exit "$WW__INPUT" ;;
  esac
}

ww__say() {
  [ "$quiet" = false ] || return 0
  printf 'watchword: %s\n' "$1" >&2
  [ -z "${2-}" ] || printf 'hint: %s\n' "$2" >&2
}

ww__usage() {
  ww__say "$1"
  exit "$WW__USAGE"
}

ww__no_daemon() {
  ww__say "$1" 'start watchwordd, or set WATCHWORD_SOCKET'
  exit "$WW__NO_DAEMON"
}

ww__lost() {
  ww__say 'the daemon closed the connection' 'its log may say why'
  exit "$WW__FAILED"
}

# The process that writes the body has ended with $1. A reader that has gone ends this as it ends every filter.
ww__unwritable() {
  [ "$1" != 141 ] || exit 141
  ww__say 'the output could not be written'
  exit "$WW__OUTPUT"
}

# Prints an error of the daemon.
ww__complain() {
  [ "$quiet" = false ] || return 0
  printf '%s' "$1" | jq -r "$WW__SHOWN"' "watchword: \(.message | shown)",
    (.message as $message | .data.path // empty | select(. as $path | $message | contains($path) | not) | "hint: see \(shown)")' >&2
}

# Takes curl's -x: a URL without a password, http when it names no scheme; none when it is empty.
ww__proxy() {
  proxy=$1 ww_named=''
  case $1 in '') proxy=none ;; *://*) ;; *) proxy="http://$1" ;; esac
  ww_authority=${proxy#*://}
  case ${ww_authority%%[/?#]*} in
  *:*@*) ww__usage 'the password does not belong into an argument: leave it out of the URL, it will be asked for' ;;
  ?*@*)
    ww_authority=${ww_authority%%[/?#]*}
    ww_named=$(ww__percent_decoded "${ww_authority%@*}")
    ;;
  esac
}

# Prints its argument, each % with two hexadecimal digits as the byte that it stands for.
ww__percent_decoded() {
  ww_left=$1
  while [ -n "$ww_left" ]; do
    case $ww_left in
    %[0-9A-Fa-f][0-9A-Fa-f]*)
      ww_word=${ww_left#%??}
      ww_code=${ww_left%"$ww_word"}
      # The format is made of three octal digits.
      # shellcheck disable=SC2059
      printf "\\$(printf '%03o' "0x${ww_code#%}")"
      ;;
    *)
      ww_word=${ww_left#?}
      printf '%s' "${ww_left%"$ww_word"}"
      ;;
    esac
    ww_left=$ww_word
  done
}

ww__proxy_user() {
  case $1 in
  '') ww__usage '--proxy-user needs a user' ;;
  *:*) ww__usage 'the password does not belong into an argument: give --proxy-user USER, it will be asked for' ;;
  esac
  proxy_user=$1
}

# Adds the proxies of -x, --proxy-user and --noproxy to the parameters.
ww__add_proxies() {
  case $exceptions in '*') proxy=none ;; esac
  case $proxy in
  '')
    [ -z "$proxy_user" ] || ww__usage '--proxy-user goes with -x'
    [ -z "$exceptions" ] || ww__usage '--noproxy goes with -x, or is *'
    ;;
  none) params="$params,\"proxies\":\"none\"" ;;
  *) params="$params,\"proxies\":$(jq -nc --arg url "$proxy" --arg user "$proxy_user" --arg except "$exceptions" '
    {all: (if $user == "" then $url else ($url | capture("^(?<scheme>[^:]*://)([^/?#]*@)?(?<rest>.*)$") | .scheme + ($user | @uri) + "@" + .rest) end),
     except: [$except | splits("[, \t]+") | select(. != "")]}')" ;;
  esac
}

# Prints an error of the daemon and exits with the code for it, the same as that of `watchword`.
ww__refused() {
  case $1 in *'"kind":"invalidParams"'*) quiet=false ;; esac
  ww__complain "$1"
  case $1 in
  # Errors: made from protocol/errors.json by protocol/generate.
  *'"kind":"invalidParams"'*) exit 2 ;;
  *'"kind":"userCancelledAuthentication"'* | \
    *'"kind":"serverNotAuthenticated"'* | \
    *'"kind":"authenticationFailed"'* | \
    *'"kind":"proxyAuthenticationFailed"'* | \
    *'"kind":"credentialSourceFailed"'*) exit 3 ;;
  *'"kind":"serverTrustRejected"'*) exit 4 ;;
  *'"kind":"nameNotResolved"'*) exit 6 ;;
  *'"kind":"connectionFailed"'*) exit 7 ;;
  *'"kind":"malformedResponse"'*) exit 8 ;;
  *'"kind":"outputFailed"'*) exit 23 ;;
  *'"kind":"timedOut"'*) exit 28 ;;
  *'"kind":"tlsFailed"'*) exit 35 ;;
  *'"kind":"tooManyRedirects"'*) exit 47 ;;
  *'"kind":"connectionLost"'* | \
    *'"kind":"headersTooLarge"'* | \
    *'"kind":"proxyFailed"'*) exit 56 ;;
  *'"kind":"contentDecodingFailed"'*) exit 61 ;;
  *'"kind":"bodyTooLarge"'*) exit 63 ;;
  *'"kind":"bodyNotReplayable"'*) exit 65 ;;
  *) exit "$WW__FAILED" ;;
  esac
}

ww__fetch_help() {
  cat <<'END'
ww_fetch [OPTION...] URL...
  -X METHOD              the HTTP method
  -H 'Name: value'       a header field; 'Name;' sends it empty, 'Name:' not at all, @FILE has one a line
  -d DATA                form data, @FILE or @- without its line ends; may be repeated; makes it a POST
  --data-binary DATA     the same as it is, bytes and all
  -F NAME=TEXT           a part of multipart/form-data; NAME=@FILE a file, NAME=<FILE its text; with ;type= ;filename=
  -o FILE                write the body there; the first one is for the first URL, and so on
  -T FILE                PUT a file, under its name if the URL ends in /; - is standard input
  -i, -I                 print the heads before the body; ask for the heads only
  -D FILE                write the heads there
  -c FILE                keep cookies in the session, and write them there in Netscape's format
  -f                     fail on status 400 and above, without the body: exit code 22, and 3 for 401 and 407
  --deliver-401          write the page of a 401 or 407, or a login page, too; the exit code is 3
  -L                     follow redirects, as the session's policy says; else a redirect is the result
  -u USER                the user to offer; the password is asked for; : with --negotiate for the tickets of kinit
  --negotiate, --ntlm    the methods to use, and no others; in a session named after them unless --session names one
  -n, --netrc-file FILE  users and passwords from ~/.netrc or FILE, which only you may read; in a session named after them
                         unless --session names one
  --checksum sha-256=HEX fail unless the body of a 2xx response has this SHA-256 or SHA-512
  --max-filesize BYTES   fail when the body is larger; also 10K, 5M, 1G; 0 for no limit
  --retry COUNT          try again at most COUNT times after a time limit, a name that was not resolved, and the status
                         408, 429, 500, 502, 503 or 504: after Retry-After, --retry-delay, or 1, 2, 4 seconds and so on
  --retry-delay SECONDS  wait so long before each retry
  -m SECONDS             the longest that the fetch may take, waiting for an answer not counted; 0 is no limit
  -x URL                 the proxy: http, https, socks4, socks4a, socks5 or socks5h; '' for none
  -U, --proxy-user USER  the user to offer to the proxy; the password is asked for
  --noproxy LIST         hosts and networks without the proxy of -x; * for all
  --compressed           ask for a compressed body, and decode it
  -s, -S                 say no errors; say them even with -s
  --askpass PROGRAM      asks for what a challenge needs (also: WATCHWORD_ASKPASS); else the terminal does
  --session NAME         the session (default)
The heads are those of redirects that were followed, of refusals that were answered, of a proxy's replies to CONNECT,
and of the result. URLs are fetched one after the other, in the same session where the options are the same; the exit code is that
of the last one, or 3 or 4 of an earlier one if that is 0.
Example: ww_fetch -f -o q3.csv --session reports https://intranet.example/q3.csv
END
}

# Some shells print `alias` before each one, some do not.
[ -z "$WW__ALIASES" ] || eval "$(printf '%s\n' "$WW__ALIASES" | sed "/^alias /!s/^[^ ='\"]*=/alias &/")"
unset WW__ALIASES
