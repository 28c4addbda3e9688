#!/bin/sh
# shellcheck disable=SC2034,SC2154  # what harness.sh or the library reads or sets
# Uploads, and the heads that -D, -i and -I write. With the real daemon only.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

statuses() { tr -d '\r' <"$1" | grep '^HTTP'; }

heads_before_the_result_are_written() {
  askpass "$password"
  code 0 ww_fetch --session "$session" -u reader -o "$work/body" -D "$work/heads" "$origin/staff/page"
  is answered "$(printf 'HTTP/1.1 401\nHTTP/1.1 200')" "$(statuses "$work/heads")"
  has challenge 'WWW-Authenticate: Basic realm="staff"' "$(cat "$work/heads")"
  code 0 ww_fetch --session "$session" -L -D "$work/heads" -i -o "$work/body" "$origin/moved"
  is followed "$(printf 'HTTP/1.1 302\nHTTP/1.1 200')" "$(statuses "$work/heads")"
  is before-the-body "$(cat "$work/heads"; printf 'plain')" "$(cat "$work/body")"
  ww_fetch --session "$session" -L -I "$origin/moved" >"$work/body"
  is only-heads "$(grep -v ^Date: "$work/heads")" "$(grep -v ^Date: "$work/body")"
}

heads_of_refusals_that_stay_are_written() {
  code 3 ww_fetch --session "$session" -f -i -o "$work/body" "$origin/staff/other"
  is refused 'HTTP/1.1 401' "$(statuses "$work/body")"
  is no-body '' "$(grep 'who are you' "$work/body")"
  code 22 ww_fetch --session "$session" -f -I -o "$work/body" "$origin/missing"
  is missing 'HTTP/1.1 404' "$(statuses "$work/body")"
  code 0 ww_fetch --session "$session" -i -o "$work/body" --retry 2 -D "$work/heads" "$origin/busy/1/$session"
  is last-try 'HTTP/1.1 200' "$(statuses "$work/body")"
  is every-try "$(printf 'HTTP/1.1 503\nHTTP/1.1 200')" "$(statuses "$work/heads")"
}

a_file_is_uploaded() {
  printf 'a\0\377' >"$work/up load"
  for url in /folder/ /folder/name; do
    code 0 ww_fetch --session "$session" -o "$work/got" -T "$work/up load" "$origin$url"
    case $url in */) url=/folder/up%20load ;; esac
    is put "PUT $url None a??" "$(tr '\0\377' '??' <"$work/got")"
  done
  is piped 'POST None piped' "$(printf piped | ww_fetch --session "$session" -XPOST -T- "$origin/echo")"
  code 2 ww_fetch -T "$work/up load" -d x "$origin/echo"
  code 2 ww_fetch -T "$work/up load" "$origin/echo" "$origin/echo"
  code 26 ww_fetch -T "$work/nothing" "$origin/echo"
}

a_form_keeps_the_callers_type() {
  code 0 ww_fetch --session "$session" -o "$work/form" -H 'content-type: multipart/mixed' -F a=b "$origin/echo"
  boundary=$(sed -n '1s/^POST multipart\/mixed; boundary=\([^ ]*\) .*/\1/p' "$work/form")
  has boundary "--$boundary--" "$(cat "$work/form")"
}

tickets_go_to_the_origin_only() {
  code 2 ww_fetch -u : "$origin/plain"
  code 0 ww_fetch --session "$session" --negotiate -u : "$origin/plain"
  is origins "[\"$origin\"]" \
    "$(ww_call session/describe "{\"session\":\"$session\"}" | jq -c .configuration.methods.negotiate.ambientOrigins)"
}

no_limit_is_0() {
  is body plain "$(ww_fetch --session "$session" --max-filesize 0 "$origin/plain")"
}

try_all heads_before_the_result_are_written heads_of_refusals_that_stay_are_written \
  a_file_is_uploaded a_form_keeps_the_callers_type tickets_go_to_the_origin_only no_limit_is_0
