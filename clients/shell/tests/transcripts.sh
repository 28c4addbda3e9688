#!/bin/sh
# The requests of the protocol's transcripts through ww_call: what is sent, what is printed, the exit code.
# shellcheck disable=SC2154  # what harness.sh sets
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/watchword-test.XXXXXX")
mkfifo "$work/ready"
export WATCHWORD_SOCKET="$work/socket"
(umask 077 && exec python3 "$here/support/transcripts.py" serve "$shell" "$WATCHWORD_SOCKET") >"$work/ready" &
daemon_process=$!
read -r _ <"$work/ready"

tab=$(printf '\t')
count=0
python3 "$here/support/transcripts.py" list "$shell" >"$work/calls" || failures=1
while IFS=$tab read -r name method params expected_code expected; do
  got=$(printf '%s' "$params" | ww_call "$method" - 2>"$work/said")
  code=$?
  [ "$expected_code" = 0 ] || expected=''
  if [ "$code" != "$expected_code" ] || [ "$got" != "$expected" ]; then
    printf 'not ok %s: %s %s\n  expected %s <%s>\n  got      %s <%s> %s\n' \
      "$name" "$method" "$params" "$expected_code" "$expected" "$code" "$got" "$(cat "$work/said")"
    failures=$((failures + 1))
  fi
  count=$((count + 1))
done <"$work/calls"
kill "$daemon_process"
wait "$daemon_process" 2>/dev/null
rm -rf "$work"
printf '%s requests of the transcripts (%s), %s differences\n' "$count" "$shell" "$failures"
[ "$failures" -eq 0 ]
