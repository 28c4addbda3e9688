#!/bin/sh
# shellcheck disable=SC2034,SC2154  # what harness.sh or the library reads or sets
# Client certificates: added from files, listed, removed. With the real daemon only.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

# A client's certificate and its key, plain and locked with $password, which is in a PKCS#12 file, too.
mint() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=alice \
    -addext extendedKeyUsage=clientAuth -keyout "$work/alice.key" -out "$work/alice.pem" 2>/dev/null
  openssl pkcs8 -topk8 -in "$work/alice.key" -passout "pass:$password" -out "$work/alice.locked"
  openssl pkcs12 -export -in "$work/alice.pem" -inkey "$work/alice.key" -passout "pass:$password" -out "$work/alice.p12"
}

one_is_added_listed_and_removed() {
  mint
  added=$(ww_identities --session default --cert "$work/alice.pem" --key "$work/alice.key")
  list=$(ww_identities)
  is listed "$added" "$(printf '%s' "$list" | cut -f1)"
  is subject CN=alice "$(printf '%s' "$list" | cut -f2)"
  is removed 'removed 1' "$(ww_identities --remove "$added")"
  code 1 ww_identities --remove "$added"
  is none '' "$(ww_identities)"
}

what_is_beside_the_blocks_does_not_count() {
  mint
  { printf '\357\273\277' && cat "$work/alice.pem" && printf 'friendlyName: J\374rgen\n' && cat "$work/alice.key"; } >"$work/names.pem"
  code 0 ww_identities --cert "$work/names.pem"
}

the_passphrase_is_asked_for() {
  mint
  cat "$work/alice.pem" "$work/alice.locked" >"$work/both.pem"
  askpass "$password"
  code 0 ww_identities --cert "$work/both.pem"
  code 0 ww_identities --cert "$work/alice.p12"
  askpass wrong
  code 1 ww_identities --cert "$work/both.pem"
  has reason 'the passphrase is wrong' "$said"
}

what_cannot_be_read_is_a_failure_and_a_key_alone_wrong_usage() {
  code 26 ww_identities --cert "$work/nothing.pem"
  code 2 ww_identities --key "$work/nothing.key"
}

try_all one_is_added_listed_and_removed the_passphrase_is_asked_for what_cannot_be_read_is_a_failure_and_a_key_alone_wrong_usage
