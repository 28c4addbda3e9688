#!/bin/sh
# The library for the player of the protocol's transcripts: run.py --client COMMAND --hears task/didReceiveChallenge.
# A line of standard input is a request of a transcript, which is sent as the library sends requests. A line of
# standard output is a message of the daemon as the library has read it: a reply with the id of its line, or a challenge.
# shellcheck disable=SC2154  # what the library sets
# shellcheck source=/dev/null
. "$(dirname "$0")/../../watchword.sh"
ww__guard
ww__connect

# The requests' ids, one a line: the library numbers them from 1.
: >"$ww_directory/ids"
while IFS= read -r line <&4; do
  case $line in
  "reply "*)
    line=${line#reply }
    number=${line%% *} line=${line#* }
    if [ "$number" = null ]; then id=null; else id=$(sed -n "${number}p" "$ww_directory/ids"); fi
    printf '{"jsonrpc":"2.0","id":%s,"%s":%s}\n' "$id" "${line%% *}" "${line#* }" ;;
  "challenge "*)
    printf '{"jsonrpc":"2.0","method":"task/didReceiveChallenge","params":%s}\n' "${line#challenge }" ;;
  esac
done &
exec >/dev/null

number=0
jq -r --unbuffered '"\(.method) \(.id | tojson)", (.params // {} | tojson)' | while read -r method id; do
  IFS= read -r params
  printf '%s\n' "$id" >>"$ww_directory/ids"
  number=$((number + 1))
  ww__send "$number" "$method" "$params"
done
