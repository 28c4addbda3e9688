#!/bin/sh
# shellcheck disable=SC2016,SC2034,SC2154  # what another shell or harness.sh expands, reads or sets
# ww_fetch as a script uses it.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

a_body_goes_to_standard_output() {
  is body plain "$(ww_fetch --session "$session" "$origin/plain")"
}

a_proxy_is_the_fetchs_own() {
  code 56 ww_fetch --session "$session" -x http://127.0.0.1:1 "$origin/plain"
  has reason 'the proxy http://127.0.0.1:1' "$said"
  is excepted plain "$(ww_fetch --session "$session" -x http://127.0.0.1:1 --noproxy '10.0.0.0/8, 127.0.0.1' "$origin/plain")"
  is none plain "$(ww_fetch --session "$session" -x '' "$origin/plain")"
  code 2 ww_fetch -x http://joe:sentinel@127.0.0.1:1 "$origin/plain"
  case $said in *sentinel*) is said 'no password' "$said" ;; esac
  code 2 ww_fetch --proxy-user joe "$origin/plain"
}

a_body_goes_to_a_file_byte_by_byte() {
  code 0 ww_fetch --session "$session" -o "$work/large" "$origin/large"
  is size 2097152 "$(wc -c <"$work/large" | tr -d ' ')"
  is sum "$(python3 -c 'import hashlib; print(hashlib.sha256(bytes(range(256)) * 8192).hexdigest())')" "$(sha256sum <"$work/large" | cut -d' ' -f1)"
}

an_empty_body_makes_an_empty_file() {
  code 0 ww_fetch --session "$session" -o "$work/empty" "$origin/empty"
  is size 0 "$(wc -c <"$work/empty" | tr -d ' ')"
}

data_makes_a_form_post() {
  is body 'POST application/x-www-form-urlencoded a=1&b=2 3' "$(ww_fetch --session "$session" -d a=1 -d 'b=2 3' "$origin/echo")"
}

data_comes_from_a_file() {
  printf 'a=\n1\n' >"$work/form"
  is without-line-ends 'POST application/x-www-form-urlencoded a=1' "$(ww_fetch --session "$session" -d "@$work/form" "$origin/echo")"
  is as-it-is "$(printf 'PUT text/plain a=\n1')" "$(ww_fetch --session "$session" -X PUT -H 'Content-Type: text/plain' --data-binary "@$work/form" "$origin/echo")"
  is from-standard-input 'POST text/x z' "$(printf z | ww_fetch --session "$session" -H 'content-type:text/x' -d @- "$origin/echo")"
  code 26 ww_fetch -d "@$work/nothing" "$origin/echo"
  has said "$work/nothing cannot be read" "$said"
}

data_keeps_its_bytes() {
  printf 'caf\351' >"$work/latin"
  got=$(ww_fetch --session "$session" -d "@$work/latin" -d 'a
b' --data-binary "@$work/latin" "$origin/echo" | od -An -c | tr -d ' \n')
  has pieces 'urlencodedcaf351&a\nb&caf351' "$got"
  is empty 'POST application/x-www-form-urlencoded ' "$(ww_fetch --session "$session" -d '' "$origin/echo")"
}

header_fields_are_written_as_for_curl() {
  printf 'X-A: b\r\n\ncontent-type: text/f\n' >"$work/fields"
  is from-file 'POST text/f x' "$(ww_fetch --session "$session" -H "@$work/fields" -d x "$origin/echo")"
  is left-out 'POST None x' "$(ww_fetch --session "$session" -H 'Content-Type:' -d x "$origin/echo")"
  is empty 'POST  x' "$(ww_fetch --session "$session" -H 'Content-Type;' -d x "$origin/echo")"
  code 2 ww_fetch -H 'Accept:' "$origin/echo"
  code 2 ww_fetch -H ': x' "$origin/echo"
  code 26 ww_fetch -H "@$work/nothing" "$origin/echo"
}

a_redirect_is_a_result_unless_L() {
  got=$(ww_fetch -i --session "$session" "$origin/moved" | tr -d '\r')
  has status 'HTTP/1.1 302' "$got"
  has body 'over there' "$got"
  is with-L plain "$(ww_fetch -L --session "$session" "$origin/moved")"
  is with-location plain "$(ww_fetch --location --session "$session" "$origin/moved")"
  is clustered plain "$(ww_fetch -sfLXGET -o- --session "$session" "$origin/moved")"
}

silent_says_nothing_but_usage() {
  code 22 ww_fetch -sf --session "$session" "$origin/missing"
  is silent '' "$said"
  code 22 ww_fetch -sSf --session "$session" "$origin/missing"
  is shown 'watchword: the server answered 404' "$said"
  code 7 ww_fetch -s --session "$session" http://127.0.0.1:1/
  is silent '' "$said"
  code 2 ww_fetch -s --session "$session" ftp://127.0.0.1/
  has said 'watchword: ' "$said"
}

netrc_answers_without_a_question() {
  host=${origin#http://} host=${host%:*}
  printf 'machine %s login reader password "%s"\n' "$host" "$password" >"$work/netrc"
  chmod 644 "$work/netrc"
  code 1 ww_fetch -f --netrc-file "$work/netrc" "$origin/staff/a"
  has said 'can be read by other users' "$said"
  chmod 600 "$work/netrc"
  is file 'for staff' "$(ww_fetch -f --netrc-file "$work/netrc" "$origin/staff/a")"
  askpass nothing
  is before-asking 'for staff' "$(ww_fetch -f --netrc-file "$work/netrc" "$origin/staff/a")"
  is no-prompt '' "$(cat "$work/prompts" 2>/dev/null)"
  mv "$work/netrc" "$work/.netrc"
  is home 'for staff' "$(HOME=$work ww_fetch -fn "$origin/staff/a")"
  code 26 ww_fetch --netrc-file "$work/nowhere" "$origin/staff/a"
  printf 'machine %s login\n' "$host" >"$work/.netrc"
  code 2 ww_fetch --netrc-file "$work/.netrc" "$origin/staff/a"
  has said 'line 1' "$said"
  printf 'machine %s port 1\nlogin reader password "%s"\n' "$host" "$password" >"$work/.netrc"
  code 0 ww_fetch --netrc-file "$work/.netrc" "$origin/staff/a"
  has warned 'warning: netrc: line 1' "$said"
  unset WATCHWORD_ASKPASS
}

a_checksum_is_checked() {
  sum=$(printf plain | sha256sum | cut -d' ' -f1)
  is right plain "$(ww_fetch --session "$session" --checksum "sha-256=$sum" "$origin/plain")"
  code 1 ww_fetch --session "$session" --checksum "sha-256=$(printf other | sha256sum | cut -d' ' -f1)" "$origin/plain"
  has said digest "$said"
  code 2 ww_fetch --checksum "sha-512=$sum" "$origin/plain"
  code 2 ww_fetch --checksum "md5=00" "$origin/plain"
}

a_reader_that_leaves_ends_it_quietly() {
  said=$({ ww_fetch --session "$session" "$origin/large"; echo "code $?" >&2; } 2>&1 >/dev/full | cat)
  has unwritable 'code 23' "$said"
  said=$({ { ww_fetch --session "$session" "$origin/large"; echo "code $?" >&2; } | head -c 1 >/dev/null; } 2>&1)
  is said 'code 141' "$said"
}

the_head_comes_first_with_i_and_alone_with_I() {
  got=$(ww_fetch -i --session "$session" "$origin/plain" | tr -d '\r')
  has status 'HTTP/1.1 200' "$got"
  has field 'Content-Type: text/plain' "$got"
  is last-line plain "$(printf '%s\n' "$got" | tail -n 1)"
  got=$(ww_fetch -sI --session "$session" "$origin/plain")
  has status 'HTTP/1.1 200' "$got"
  case $got in *plain?*plain*) is body none "$got" ;; esac
}

a_status_of_400_and_above_is_a_result_unless_f() {
  is body 'no such page' "$(ww_fetch --session "$session" "$origin/missing")"
  code 0 ww_fetch --session "$session" "$origin/missing"
  code 22 ww_fetch -f --session "$session" -o "$work/never" "$origin/missing"
  is said 'watchword: the server answered 404' "$said"
  [ ! -e "$work/never" ] || is file absent present
}

without_a_delegate_the_401_ends_the_fetch() {
  # setsid: no terminal either
  fetch() { setsid "$shell" -c '. "$1/../watchword.sh"; shift; ww_fetch "$@"' - "$here" --session "$session" "$@" "$origin/staff/a"; }
  is body '' "$(fetch)"
  code 3 fetch
  code 3 fetch -o "$work/never"
  [ ! -e "$work/never" ] || is file absent present
  # The page of another URL hides nothing.
  code 3 setsid "$shell" -c '. "$1/../watchword.sh"; ww_fetch --session "$2" "$3/staff/a" "$3/plain"' - "$here" "$session" "$origin"
  is page 'who are you?' "$(fetch --deliver-401)"
  code 3 fetch --deliver-401
  code 3 setsid "$shell" -c '. "$1/../watchword.sh"; ww_fetch -sSfL --session "$2" "$3/staff/a"' - "$here" "$session" "$origin"
}

a_login_page_is_no_data() {
  forms="{\"forms\":[{\"page\":\"$origin/login\",\"fields\":{\"user\":\"user\",\"password\":\"word\"},\"success\":{}}]}"
  ww_call session/open "{\"name\":\"$session\",\"configuration\":$forms}" >/dev/null
  fetch() { setsid "$shell" -c '. "$1/../watchword.sh"; shift; ww_fetch "$@"' - "$here" --session "$session" "$@" "$origin/login"; }
  is body '' "$(fetch)"
  code 3 fetch
  is said "watchword: the response is the server's login page" "$said"
  code 3 fetch -f
  code 3 fetch -o "$work/never"
  [ ! -e "$work/never" ] || is file absent present
  has page '<form' "$(fetch --deliver-401)"
  code 3 fetch --deliver-401
}

askpass_answers_once_for_the_session() {
  askpass "$password"
  is body 'for staff' "$(ww_fetch -u reader --session "$session" "$origin/staff/a")"
  has prompt "$origin (basic, realm \"staff\", over cleartext): Password for reader: " "$(cat "$work/prompts")"
  is again 'for staff' "$(ww_fetch --session "$session" "$origin/staff/b")"
  is prompts 1 "$(wc -l <"$work/prompts" | tr -d ' ')"
}

a_wrong_answer_twice_ends_in_the_401() {
  askpass sentinel-wrong
  code 3 ww_fetch -f -u reader --session "$session" "$origin/staff/a"
  is prompts 2 "$(wc -l <"$work/prompts" | tr -d ' ')"
  has second-prompt ', refused before): Password for reader: ' "$(tail -n 1 "$work/prompts")"
}

an_answer_that_fails_cancels() {
  export WATCHWORD_ASKPASS=/bin/false
  code 3 ww_fetch -u reader --session "$session" "$origin/staff/a"
}

an_unusable_credential_is_asked_for_again_and_then_cancelled() {
  askpass 'no:user'
  code 3 ww_fetch --session "$session" "$origin/staff/a"
}

a_token_is_asked_for() {
  askpass sentinel-token
  is body 'for holders of a token' "$(ww_fetch --session "$session" "$origin/api/a")"
  has prompt "$origin (bearer, realm \"api\", over cleartext): Token: " "$(cat "$work/prompts")"
}

a_user_who_is_named_has_a_password_and_no_token() {
  askpass "$password"
  is body 'for staff' "$(ww_fetch -u reader --session "$session" "$origin/both/a")"
  is prompt "$origin (basic, realm \"staff\", over cleartext): Password for reader: " "$(cat "$work/prompts")"
  code 3 ww_fetch -f -u reader --session "$session" "$origin/api/a"
  is prompts 1 "$(wc -l <"$work/prompts" | tr -d ' ')"
}

what_is_not_utf8_is_refused_before_anything_is_sent() {
  octets=$(printf 'caf\351')
  code 2 ww_fetch -u "$octets" --session "$session" "$origin/staff/a"
  has said 'the value of -u is not UTF-8' "$said"
  code 2 ww_fetch -o "$work/$octets" --session "$session" "$origin/plain"
  is no-file '' "$(find "$work" -name 'caf*')"
  code 2 ww_fetch --session "$session" "$origin/$octets"
  code 2 ww_fetch -H "$octets: x" --session "$session" "$origin/plain"
  printf 'X-A: %s\n' "$octets" >"$work/fields"
  code 2 ww_fetch -H "@$work/fields" --session "$session" "$origin/plain"
  has said 'fields is not UTF-8' "$said"
  (umask 077; printf 'machine 127.0.0.1 login %s password x\n' "$octets" >"$work/netrc-octets")
  code 2 ww_fetch --netrc-file "$work/netrc-octets" "$origin/plain"
  has said 'line 1: not UTF-8' "$said"
  askpass "$octets"
  code 3 ww_fetch -f --session "$session" "$origin/staff/a"
  has said 'the answer of the askpass program is not UTF-8' "$said"
  is asked-once 1 "$(wc -l <"$work/prompts" | tr -d ' ')"
}

octets_go_as_they_are_where_they_can() {
  octets=$(printf 'caf\351')
  # The origin reads ISO 8859-1 and writes UTF-8.
  has field "GET $(printf 'caf\303\251') " "$(ww_fetch -H "Content-Type: 	$octets" --session "$session" "$origin/echo")"
  askpass "$octets"
  is body 'for latin' "$(ww_fetch -u reader --session "$session" "$origin/latin/a")"
  (umask 077; printf 'machine 127.0.0.1 login reader password %s\n' "$octets" >"$work/netrc-octets")
  is netrc 'for latin' "$(ww_fetch --netrc-file "$work/netrc-octets" "$origin/latin/a")"
}

a_code_is_shown_and_the_fetch_goes_on() {
  askpass 'not asked for'
  ww_fetch --session "$session" "$origin/plain" >/dev/null
  printf '{"session":"%s","protectionSpace":{"protocol":"http","host":"127.0.0.1","port":%s,"authenticationMethod":"bearer"},"credential":{"source":"builds"}}' \
    "$session" "$port" | ww_call credential/set - >/dev/null || exit 1
  is body 'for holders of a token' "$(ww_fetch --session "$session" "$origin/api/a" 2>"$work/said")"
  has shown "$origin needs a token of the source builds" "$(cat "$work/said")"
  has shown 'open https://id.example/activate and enter WDJB-MJHT' "$(cat "$work/said")"
  is prompts '' "$(cat "$work/prompts")"
}

a_person_answers_at_the_terminal_without_echo() {
  got=$(python3 "$here/support/terminal.py" 'User' reader 'Password' "$password" -- \
    "$shell" -c '. "$1/../watchword.sh"; ww_fetch --session "$2" "$3/staff/a"' - "$here" "$session" "$origin")
  is code 0 $?
  has body 'for staff' "$got"
  case $got in *"$password"*) is echo none "$got" ;; esac
}

a_person_refused_is_asked_again() {
  got=$(python3 "$here/support/terminal.py" 'Password' sentinel-wrong 'refused' '' 'Password' "$password" -- \
    "$shell" -c '. "$1/../watchword.sh"; ww_fetch -u reader --session "$2" "$3/staff/a"' - "$here" "$session" "$origin")
  is code 0 $?
  has default 'User [reader]: ' "$got"
  has body 'for staff' "$got"
}

realm_is_shown_escaped_and_behind_the_origin() {
  askpass sentinel-wrong
  code 3 ww_fetch -f -u reader --session "$session" "$origin/evil/a"
  has prompt "$origin (basic, realm \"a" "$(head -n 1 "$work/prompts")"
  is characters '' "$(head -n 1 "$work/prompts" | tr -d ' -~')"
}

an_error_is_told_with_its_exit_code() {
  code 7 ww_fetch --session "$session" http://127.0.0.1:1/
  has said 'watchword: ' "$said"
  code 2 ww_fetch --session "$session" ftp://127.0.0.1/
  has place 'params.url' "$said"
}

what_came_of_a_body_is_written_before_an_error_ends_it() {
  # Holds back everything until long after the error has come.
  # shellcheck disable=SC2317  # ww_fetch calls it
  base64() {
    cat >"$work/held"
    for _ in $(seq 300); do "$shell" -c :; done
    command base64 "$@" <"$work/held"
  }
  # Not in a substitution, which would wait for every process.
  ww_fetch --session "$session" -o "$work/cut" "$origin/cut" 2>"$work/said"
  is code 56 $?
  is size 2097152 "$(wc -c <"$work/cut" | tr -d ' ')"
  has said 'watchword: the connection' "$(cat "$work/said")"
}

a_busy_server_is_asked_again() {
  is body 'after 3' "$(ww_fetch --session "$session" --retry 2 "$origin/busy/2/a" 2>"$work/said")"
  is said 'hint: the server answered 503: trying again in 0 s, 2 times at most
hint: the server answered 503: trying again in 0 s, 1 times at most' "$(cat "$work/said")"
  is too-often busy "$(ww_fetch --session "$session" -s --retry 1 "$origin/busy/2/b")"
  is the-next-time 'after 3' "$(ww_fetch --session "$session" "$origin/busy/2/b")"
  code 22 ww_fetch --session "$session" -f --retry 1 -o "$work/kept" "$origin/busy/2/c"
  has said 'the server answered 503' "$said"
  is nothing-written no "$([ -e "$work/kept" ] && echo yes || echo no)"
  is at-once 'plain' "$(ww_fetch --session "$session" --retry 5 "$origin/plain" 2>"$work/said")"
  is nothing-said '' "$(cat "$work/said")"
}

what_does_not_pass_is_not_tried_again() {
  code 56 ww_fetch --session "$session" --retry 3 --retry-delay 0 -x http://127.0.0.1:1 "$origin/plain"
  case $said in *again*) is said 'no retry' "$said" ;; esac
  is missing 'no such page' "$(ww_fetch --session "$session" --retry 3 "$origin/missing")"
  ww_fetch --session "$session" --retry 1 --retry-delay 0 "$origin/cut" >"$work/cut" 2>"$work/said"
  is code 56 $?
  case $(cat "$work/said") in *again*) is said 'no retry' "$(cat "$work/said")" ;; esac
  code 2 ww_fetch --retry often "$origin/plain"
  code 2 ww_fetch --retry 1 --retry-delay soon "$origin/plain"
}

a_body_may_be_too_large() {
  code 63 ww_fetch --session "$session" --max-filesize 1M -o "$work/bounded" "$origin/large"
  has said 'larger than the fetch allows' "$said"
  is nothing-written no "$([ -e "$work/bounded" ] && echo yes || echo no)"
  code 0 ww_fetch --session "$session" --max-filesize 2m -o "$work/bounded" "$origin/large"
  is size 2097152 "$(wc -c <"$work/bounded" | tr -d ' ')"
  code 2 ww_fetch --max-filesize 1T "$origin/large"
}

wrong_usage_is_2() {
  code 2 ww_fetch
  code 2 ww_fetch --no-such-option "$origin/plain"
  code 2 ww_fetch -o
  code 2 ww_fetch -F nonsense "$origin/plain"
  code 2 ww_fetch -F a=1 -d b=2 "$origin/plain"
  code 2 ww_fetch -F 'a=@/dev/null;colour=red' "$origin/plain"
  code 2 ww_fetch -D - "$origin/plain"
  code 2 ww_fetch -H nonsense "$origin/plain"
  code 2 ww_fetch -m soon "$origin/plain"
  code 2 ww_fetch -u "reader:$password" "$origin/plain"
  code 2 ww_fetch -u '' "$origin/plain"
  code 2 ww_fetch -I -d x "$origin/plain"
  code 2 ww_fetch -m -1 "$origin/plain"
  for url in "http://reader:$password@127.0.0.1/" "reader:$password@127.0.0.1" "http:/reader:$password@127.0.0.1/" "HTTP:///a:$password@h?x=://y"; do
    code 2 ww_fetch "$url"
    is said 'watchword: a password in the URL is readable by every process' "$said"
    code 2 ww_fetch "$origin/plain" "$url"
    is nothing-was-fetched 'watchword: a password in the URL is readable by every process' "$said"
    code 2 ww_explain "$url"
  done
}

a_url_may_have_another_in_it_and_lack_its_scheme() {
  is body plain "$(ww_fetch -m 0 --session "$session" "${origin#http://}/plain?next=http://u:p@x")"
}

several_urls_are_fetched_in_their_order() {
  is bodies "$(printf 'plain\nhello\nplain')" "$(ww_fetch --session "$session" "$origin/plain" "$origin/visit" -- "$origin/plain")"
  code 0 ww_fetch --session "$session" -o "$work/first" "$origin/plain" -o "$work/second" "$origin/visit" "$origin/empty"
  is written-elsewhere '' "$said"
  is first plain "$(cat "$work/first")"
  is second hello "$(cat "$work/second")"
  code 22 ww_fetch --session "$session" -f "$origin/plain" "$origin/missing"
  code 0 ww_fetch --session "$session" -f "$origin/missing" "$origin/plain"
}

heads_go_to_a_file() {
  code 0 ww_fetch --session "$session" -o "$work/body" -D "$work/heads" "$origin/plain" "$origin/missing"
  is heads "$(printf 'HTTP/1.1 200\nHTTP/1.1 404')" "$(tr -d '\r' <"$work/heads" | grep '^HTTP')"
  has fields 'Content-Type: text/plain' "$(cat "$work/heads")"
  code 23 ww_fetch -D "$work/no/such/directory" "$origin/plain"
  is said "watchword: $work/no/such/directory cannot be written" "$said"
}

cookies_go_to_a_file() {
  code 0 ww_fetch --session "$session" -c "$work/jar" "$origin/visit"
  tab=$(printf '\t')
  has for-the-session "#HttpOnly_127.0.0.1${tab}FALSE${tab}/${tab}FALSE${tab}0${tab}seen${tab}1" "$(cat "$work/jar")"
  soon=$(($(date +%s) + 86400))
  until=$(grep until "$work/jar" | cut -f5)
  is kept-for-a-day true "$([ "$((soon - until))" -ge -60 ] && [ "$((soon - until))" -le 600 ] && echo true)"
  is mode 600 "$(stat -c %a "$work/jar")"
  is nothing-beside-it "$work/jar" "$(echo "$work"/jar*)"
  # Nothing takes the place of a pipe or a device: scripts name /dev/null to have cookies and no file.
  mkfifo "$work/pipe"
  cat "$work/pipe" >"$work/read" &
  code 0 ww_fetch --session "$session" -c "$work/pipe" "$origin/visit"
  wait "$!"
  has in-the-pipe seen "$(cat "$work/read")"
  is still-a-pipe "$work/pipe" "$(find "$work/pipe" -type p)"
}

a_jar_or_heads_that_cannot_be_written_lose_no_body() {
  mkdir "$work/folder"
  for name in "$work/no/such/directory" "$work/folder"; do
    code 23 ww_fetch --session "$session" -o "$work/whole" -c "$name" "$origin/large"
    is said "watchword: $name cannot be written" "$said"
    is size 2097152 "$(wc -c <"$work/whole" | tr -d ' ')"
    rm "$work/whole"
  done
  is nothing-left "$work/folder" "$(find "$work" -path "$work/folder*")"
  code 23 ww_fetch --session "$session" -o "$work/whole" -D /dev/full "$origin/large"
  has said '/dev/full cannot be written' "$said"
  is size 2097152 "$(wc -c <"$work/whole" | tr -d ' ')"
  (cd "$work" && code 0 ww_fetch --session "$session" -c -jar -D -heads "$origin/visit" && [ -s ./-jar ] && [ -s ./-heads ]) ||
    is dashes names options
}

a_form_has_parts() {
  printf 'a\0\377\r\n' >"$work/data"
  code 0 ww_fetch --session "$session" -o "$work/form" -F 'a=1; 2' -F "b=@$work/data" -F "c=<$work/data;type=text/x" \
    -F 'd"e=x;filename=y;type=text/z' "$origin/echo"
  python3 - "$work/form" <<'END' || is form right wrong
import email.parser, sys
method, kind, rest = open(sys.argv[1], "rb").read().split(b" ", 2)
boundary, body = rest.split(b" ", 1) if b";" in kind else sys.exit("no boundary")
head = b"Content-Type: " + kind + b" " + boundary + b"\r\n\r\n"
parts = email.parser.BytesParser().parsebytes(head + body).get_payload()
found = [(p.get_param("name", header="content-disposition"), p.get_filename(), p["Content-Type"],
          p.get_payload(decode=True)) for p in parts]
data = b"a\x00\xff\r\n"
assert method == b"POST", method
assert found == [("a", None, None, b"1; 2"), ("b", "data", "application/octet-stream", data),
                 ("c", None, "text/x", data), ("d%22e", "y", "text/z", b"x")], found
END
}

only_the_methods_that_are_named_are_used() {
  askpass "$password"
  code 3 ww_fetch --negotiate "$origin/staff/page"
  is not-asked '' "$(cat "$work/prompts")"
  code 0 ww_fetch --session "$session" --ntlm --negotiate "$origin/plain"
  is disabled '["basic","bearer","digest"]' \
    "$(ww_call session/describe "{\"session\":\"$session\"}" | jq -c .configuration.methods.disabled)"
}

no_daemon_is_5() {
  WATCHWORD_SOCKET=$work/nothing
  code 5 ww_fetch "$origin/plain"
  has hint 'hint: start watchwordd' "$said"
}

an_output_that_cannot_be_written_is_23() {
  code 23 ww_fetch --session "$session" -o "$work/no/such/directory" "$origin/plain"
}

try_all a_body_goes_to_standard_output a_body_goes_to_a_file_byte_by_byte an_empty_body_makes_an_empty_file \
  data_makes_a_form_post data_comes_from_a_file data_keeps_its_bytes header_fields_are_written_as_for_curl \
  a_redirect_is_a_result_unless_L silent_says_nothing_but_usage a_reader_that_leaves_ends_it_quietly \
  a_url_may_have_another_in_it_and_lack_its_scheme the_head_comes_first_with_i_and_alone_with_I \
  a_status_of_400_and_above_is_a_result_unless_f without_a_delegate_the_401_ends_the_fetch askpass_answers_once_for_the_session \
  a_wrong_answer_twice_ends_in_the_401 an_answer_that_fails_cancels \
  an_unusable_credential_is_asked_for_again_and_then_cancelled a_token_is_asked_for a_user_who_is_named_has_a_password_and_no_token what_is_not_utf8_is_refused_before_anything_is_sent octets_go_as_they_are_where_they_can \
  a_code_is_shown_and_the_fetch_goes_on a_person_answers_at_the_terminal_without_echo a_person_refused_is_asked_again \
  realm_is_shown_escaped_and_behind_the_origin an_error_is_told_with_its_exit_code \
  what_came_of_a_body_is_written_before_an_error_ends_it wrong_usage_is_2 no_daemon_is_5 \
  an_output_that_cannot_be_written_is_23 netrc_answers_without_a_question a_checksum_is_checked \
  several_urls_are_fetched_in_their_order heads_go_to_a_file \
  cookies_go_to_a_file a_jar_or_heads_that_cannot_be_written_lose_no_body a_form_has_parts only_the_methods_that_are_named_are_used a_proxy_is_the_fetchs_own a_busy_server_is_asked_again what_does_not_pass_is_not_tried_again a_body_may_be_too_large
