# shellcheck shell=sh disable=SC2034  # the tests read these
# Runs the tests of the file that sources it, in the shell that runs that file, with the daemon that WATCHWORDD names.
# `origin` is the URL of an origin that serves pages.py.

here=$(cd "$(dirname "$0")" && pwd)
shell=${SHELL_UNDER_TEST:-sh}
password=sentinel-Zk41
failures=0

# shellcheck source=/dev/null
. "$here/../watchword.sh"

begin() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/watchword-test.XXXXXX")
  chmod 700 "$work"
  mkfifo "$work/ready"
  python3 "$here/support/origin.py" >"$work/ready" &
  origin_process=$!
  read -r port <"$work/ready"
  origin=http://127.0.0.1:$port
  export WATCHWORD_SOCKET="$work/socket"
  cat >"$work/configuration.json" <<END
{"credentialSources": {"builds": {"kind": "oauth", "grant": "deviceCode", "clientIdentifier": "nightly",
  "tokenEndpoint": "$origin/token", "deviceEndpoint": "$origin/device"}}}
END
  # With the configuration of these tests only: one that a test starts does not read the developer's.
  export XDG_CONFIG_HOME="$work/config"
  "$WATCHWORDD" --socket "$WATCHWORD_SOCKET" --state-directory "$work/state" \
    --configuration "$work/configuration.json" >"$work/ready" &
  daemon_process=$!
  read -r _ <"$work/ready"
  askpass 'the wrong one'
  unset WATCHWORD_ASKPASS
}

end() {
  kill "$daemon_process" "$origin_process"
  wait "$daemon_process" "$origin_process" 2>/dev/null
  rm -rf "$work"
}

# Makes $work/askpass answer every prompt with $1, and note the prompts; WATCHWORD_ASKPASS is set to it.
askpass() {
  printf '%s' "$1" >"$work/answer"
  cat >"$work/askpass" <<END
#!/bin/sh
printf '%s\n' "\$1" >>"$work/prompts"
cat "$work/answer"
END
  chmod 700 "$work/askpass"
  : >"$work/prompts"
  export WATCHWORD_ASKPASS="$work/askpass"
}

# Runs every test named, each in a session of its own.
try_all() {
  [ -x "${WATCHWORDD:-}" ] || {
    echo 'WATCHWORDD must name a built watchwordd' >&2
    exit 2
  }
  begin
  for test in "$@"; do
    session=test-$test
    if report=$("$test" 2>&1); then
      printf 'ok %s (%s)\n' "$test" "$shell"
    else
      printf 'not ok %s (%s)\n%s\n' "$test" "$shell" "$report"
      failures=$((failures + 1))
    fi
  done
  end
  [ "$failures" -eq 0 ]
}

# is WHAT EXPECTED ACTUAL
is() {
  [ "$2" = "$3" ] || {
    printf '  %s: expected <%s>, got <%s>\n' "$1" "$2" "$3"
    exit 1
  }
}

# has WHAT PART ACTUAL
has() {
  case $3 in *"$2"*) ;; *)
    printf '  %s: no <%s> in <%s>\n' "$1" "$2" "$3"
    exit 1
    ;;
  esac
}

# code EXPECTED COMMAND...: runs it, keeps what it says in $said.
code() {
  expected=$1
  shift
  said=$("$@" 2>&1)
  is "exit code of $*" "$expected" "$?"
}
