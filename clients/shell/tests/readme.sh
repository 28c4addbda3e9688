#!/bin/sh
# shellcheck disable=SC2016,SC2034,SC2154  # what another shell or harness.sh expands, reads or sets
# The README's session, as a reader pastes it.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

the_session_of_the_readme_works_when_pasted() {
  mkfifo "$work/demo"
  python3 "$here/../../python/demo/protected_origin.py" >"$work/demo" &
  demo=$!
  read -r demo_port <"$work/demo"
  cat >"$work/person" <<'END'
#!/bin/sh
case $1 in *'User: ') echo reader ;; *'Password for reader: ') echo 'open sesame' ;; *) exit 1 ;; esac
END
  chmod 700 "$work/person"
  sed -n '/^```sh$/,/^```$/p' "$here/../README.md" | sed -n '/^\. clients/,/^```$/p' | grep -v '^```' |
    sed "s/127.0.0.1:8401/127.0.0.1:$demo_port/" >"$work/pasted"
  got=$(cd "$here/../../.." && WATCHWORD_ASKPASS=$work/person "$shell" "$work/pasted" 2>&1)
  kill "$demo"
  is lines "$(printf 'basic: welcome, reader\nbasic: welcome, reader')" "$(printf '%s\n' "$got" | head -n 2)"
  has credential "$(printf 'reader\thttp://127.0.0.1:%s basic "basic demo"' "$demo_port")" "$got"
}

try_all the_session_of_the_readme_works_when_pasted
