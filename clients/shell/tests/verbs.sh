#!/bin/sh
# shellcheck disable=SC2016,SC2034,SC2154  # what another shell or harness.sh expands, reads or sets
# The smaller verbs, and an answer from somewhere else.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

call_prints_the_result() {
  is ping '{}' "$(ww_call ping)"
  is parameters "$session" "$(ww_call session/open "{\"name\":\"$session\"}" | jq -r .session)"
  is standard-input "$session" "$(printf '{"name":"%s"}' "$session" | ww_call session/open - | jq -r .session)"
  code 1 ww_call no/such
  code 2 ww_call ping '{'
  code 2 ww_call ping '{} {}'
  code 2 ww_call ping '{"id":18446744073709551616}'
  code 2 ww_call
}

credentials_and_explain_tell_who_would_be_sent() {
  code 0 ww_fetch --session "$session" "$origin/plain"
  has before 'credential none' "$(ww_explain --session "$session" "$origin/staff/b")"
  askpass "$password"
  is body 'for staff' "$(ww_fetch -u reader --session "$session" "$origin/staff/a")"
  has credentials "$(printf 'reader\t%s basic "staff"\tforSession' "$origin")" "$(ww_credentials --session "$session")"
  is as-json reader "$(ww_credentials --json --session "$session" | jq -r '.credentials[].user')"
  has after 'credential reader, basic, realm "staff", sent unasked' "$(ww_explain --session "$session" "$origin/staff/b")"
  case $(ww_credentials --json --session "$session") in *sentinel*) is secret none shown ;; esac
}

explain_takes_the_proxy_of_a_fetch() {
  url=$origin/plain
  code 0 ww_call session/open "{\"name\":\"$session\"}"
  has none 'proxy none' "$(ww_explain --session "$session" "$url")"
  has named 'proxy http://127.0.0.1:3128, all of the task' "$(ww_explain -x 127.0.0.1:3128 --session "$session" "$url")"
  has attached 'proxy socks5://127.0.0.1:1, all of the task' "$(ww_explain -xsocks5://127.0.0.1:1 "$url")"
  has excepted 'exception 127.0.0.0/8' "$(ww_explain --proxy http://127.0.0.1:3128 --noproxy '10.0.0.0/8, 127.0.0.0/8' "$url")"
  has user 'http://127.0.0.1:3128' "$(ww_explain --json -x joe@127.0.0.1:3128 "$url" | jq -r .proxy)"
  has none 'proxy none' "$(ww_explain -x '' "$url")"
  code 2 ww_explain --proxy-user joe "$url"
  code 2 ww_explain -x "http://joe:$password@127.0.0.1:3128" "$url"
  code 2 ww_explain -x
}

what_a_verb_does_not_take_is_refused() {
  askpass 'sentinel-locks it'
  for verb in lock unlock forget; do
    for extra in now --json --session -x; do
      code 2 "ww_$verb" "$extra" more
      has said 'watchword: ' "$said"
    done
  done
  is prompts '' "$(cat "$work/prompts")"
  case $(ww_status) in *'agent is locked'*) is unlocked yes no ;; esac
  for verb in status sessions credentials challenges trust identities; do
    code 2 "ww_$verb" extra
    code 2 "ww_$verb" --cancel
  done
  code 2 ww_sessions --session x
  code 2 ww_explain -u reader "$origin/plain"
  code 2 ww_answer --json c1
  code 2 ww_explain "$origin/plain" "$origin/plain"
}

an_address_is_in_brackets() {
  code 0 ww_call session/open "{\"name\":\"$session\"}"
  code 0 ww_call credential/set - <<END
{"session":"$session","protectionSpace":{"protocol":"https","host":"::1","port":8443,"realm":"staff","authenticationMethod":"basic"},
 "credential":{"user":"reader","password":"$password"}}
END
  has credentials "$(printf 'reader\thttps://[::1]:8443 basic "staff"')" "$(ww_credentials --session "$session")"
  has status 'reader at https://[::1]:8443 basic "staff"' "$(ww_status)"
}

status_and_sessions_are_for_people_and_programs() {
  is body plain "$(ww_fetch --session "$session" "$origin/plain")"
  has sessions "$session" "$(ww_sessions)"
  has status "session $session" "$(ww_status)"
  is pid number "$(ww_status --json | jq -r '.pid | type')"
}

the_agent_is_locked_and_unlocked() {
  askpass 'sentinel-locks it'
  code 0 ww_lock
  is listed '{"credentials":[]}' "$(ww_call credential/list)"
  has status 'the agent is locked' "$(ww_status)"
  code 1 ww_lock
  is body plain "$(ww_fetch --session "$session" "$origin/plain")"
  code 0 ww_lock
  code 0 ww_unlock
  code 0 ww_forget
  case $(ww_status) in *'agent is locked'*) is unlocked yes no ;; esac
}

a_challenge_is_answered_from_another_shell() {
  # Its askpass waits for an answer that never comes: another delegate is quicker.
  mkfifo "$work/never"
  cat >"$work/patient" <<END
#!/bin/sh
echo asked >"$work/asked"
read -r _ <"$work/never"
END
  chmod 700 "$work/patient"
  mkfifo "$work/asked"
  # What a caller has set of the way there is told.
  code 0 ww_call session/open "{\"name\":\"$session\",\"configuration\":{\"addresses\":{\"resolve\":{\"${origin#http://}\":\"127.0.0.1\"}}}}"
  has explain 'way addresses of the session' "$(ww_explain --session "$session" "$origin/staff/a")"
  (
    WATCHWORD_ASKPASS=$work/patient
    export WATCHWORD_ASKPASS
    ww_fetch -u reader --session "$session" -o "$work/answered" "$origin/staff/a"
  ) &
  waiting=$!
  read -r _ <"$work/asked"
  list=$(ww_challenges)
  has list "$origin" "$list"
  has way 'addresses of the session' "$list"
  askpass "$password"
  code 0 ww_answer -u reader "$(printf '%s' "$list" | cut -f1)"
  code 1 ww_answer no-such-challenge
  code 2 ww_answer --cancel --reject no-such-challenge
  echo >"$work/never"
  wait "$waiting"
  is code 0 $?
  is body 'for staff' "$(cat "$work/answered")"
  rm -f "$work/never" "$work/asked"
}

try_all call_prints_the_result credentials_and_explain_tell_who_would_be_sent \
  explain_takes_the_proxy_of_a_fetch what_a_verb_does_not_take_is_refused an_address_is_in_brackets \
  status_and_sessions_are_for_people_and_programs the_agent_is_locked_and_unlocked a_challenge_is_answered_from_another_shell
