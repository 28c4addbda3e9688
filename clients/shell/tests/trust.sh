#!/bin/sh
# shellcheck disable=SC2034,SC2154  # what harness.sh or the library reads or sets
# Untrusted and self-signed certificates: asked about at a terminal, refused without one.
# With the real daemon only.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

# Starts an origin with a certificate of its own; its URL in $secure.
begin_secure() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=dev \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$work/dev.key" -out "$work/dev.pem" 2>/dev/null
  mkfifo "$work/secure-ready"
  python3 "$here/support/origin.py" "$work/dev.pem" "$work/dev.key" >"$work/secure-ready" &
  secure_process=$!
  trap 'kill "$secure_process"; rm -f "$work/secure-ready"' EXIT
  read -r port <"$work/secure-ready"
  secure=https://127.0.0.1:$port
}

# At a terminal of its own: PROMPT ANSWER... -- COMMAND...
at_terminal() { python3 "$here/support/terminal.py" "$@"; }

library() { printf '. %s/../watchword.sh; %s' "$here" "$1"; }

without_a_terminal_the_server_is_refused() {
  begin_secure
  code 4 setsid -w "$shell" -c "$(library "ww_fetch --session $session $secure/plain")"
  has reason 'is self-signed' "$said"
  askpass "$password"
  code 4 ww_fetch --session "$session" "$secure/plain"
}

a_person_accepts_it_for_the_session() {
  begin_secure
  shown=$(at_terminal 'no: ' session -- "$shell" -c "$(library "ww_fetch --session $session $secure/plain")")
  is code 0 $?
  has origin "$secure is not trusted" "$shown"
  has reason 'its certificate is self-signed' "$shown"
  has key 'key      sha256/' "$shown"
  has body plain "$shown"
  is next plain "$(ww_fetch --session "$session" "$secure/plain")"
  list=$(ww_trust --session "$session")
  has list "$secure" "$list"
  has excused 'its certificate is self-signed' "$list"
  is removed 'removed 1' "$(ww_trust --session "$session" --remove "$(printf '%s' "$list" | cut -f1)")"
  code 1 ww_trust --session "$session" --remove nothing
  is none '' "$(ww_trust --session "$session")"
}

a_person_accepts_it_for_ever() {
  begin_secure
  at_terminal 'no: ' always -- "$shell" -c "$(library "ww_fetch --session $session $secure/plain")" >/dev/null
  is 'code after always' 0 $?
  is elsewhere plain "$(ww_fetch --session "$session-other" "$secure/plain")"
  list=$(ww_trust --session "$session-other")
  has persistence permanent "$list"
  is removed 'removed 1' "$(ww_trust --session "$session" --remove "$(printf '%s' "$list" | cut -f1)")"
  is none '' "$(ww_trust --session "$session-other")"
  code 4 setsid -w "$shell" -c "$(library "ww_fetch --session $session-other $secure/plain")"
}

what_cannot_be_kept_is_asked_about_again() {
  begin_secure
  rm -rf "$work/state"
  printf 'in the way' >"$work/state"
  shown=$(at_terminal 'no: ' always 'no: ' once -- "$shell" -c "$(library "ww_fetch --session $session $secure/plain")")
  is code 0 $?
  has reason 'was removed' "$shown"
  rm "$work/state"
}

only_a_whole_word_accepts() {
  begin_secure
  for word in y no ''; do
    at_terminal 'no: ' "$word" -- "$shell" -c "$(library "ww_fetch --session $session $secure/plain")" >/dev/null
    is "code after $word" 4 $?
  done
  at_terminal 'no: ' once -- "$shell" -c "$(library "ww_fetch --session $session $secure/plain")" >/dev/null
  is 'code after once' 0 $?
  is none '' "$(ww_trust --session "$session")"
}

it_is_answered_from_another_shell() {
  begin_secure
  # A caller that asks and waits for the daemon's word only.
  mkfifo "$work/never"
  {
    printf '{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"name":"%s","delegate":{"tasks":["serverTrust"]}}}\n' "$session"
    printf '{"jsonrpc":"2.0","id":2,"method":"fetch","params":{"session":"%s","url":"%s/plain"}}\n' "$session" "$secure"
    cat "$work/never"
  } | socat - "UNIX-CONNECT:$WATCHWORD_SOCKET" >"$work/got" &
  until list=$(ww_challenges --session "$session") && [ -n "$list" ]; do :; done
  code 2 ww_answer --trust everything "$(printf '%s' "$list" | cut -f1)"
  code 2 ww_answer --trust certificate --cancel "$(printf '%s' "$list" | cut -f1)"
  code 0 ww_answer --session "$session" --trust certificate "$(printf '%s' "$list" | cut -f1)"
  until got=$(grep '"id":2' "$work/got"); do :; done
  is status 200 "$(printf '%s' "$got" | jq .result.status)"
  : >"$work/never"
  wait "$!"
  rm -f "$work/never" "$work/got"
}

try_all without_a_terminal_the_server_is_refused a_person_accepts_it_for_the_session \
  a_person_accepts_it_for_ever what_cannot_be_kept_is_asked_about_again only_a_whole_word_accepts \
  it_is_answered_from_another_shell
