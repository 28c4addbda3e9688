#!/bin/sh
# shellcheck disable=SC2016,SC2030,SC2031,SC2034,SC2154  # what another shell or harness.sh expands, reads or sets
# Where secrets may not be, and whom the client does not talk to.
# shellcheck source=/dev/null
. "$(dirname "$0")/support/harness.sh"

# Makes $work/bin/NAME note the arguments and environment it was started with, for every program that the library starts.
observe() {
  mkdir -p "$work/bin"
  for program in jq socat nc base64 tr rm stty mktemp mkfifo sed ls id cat; do
    real=$(command -v "$program") || continue
    printf '#!/bin/sh\n{ printf "%%s\\n" "$0" "$@"; env; } >>"%s/observed"\nexec %s "$@"\n' "$work" "$real" >"$work/bin/$program"
    chmod 700 "$work/bin/$program"
  done
  : >"$work/observed"
}

the_locale_of_the_caller_is_for_the_askpass_program_only() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\nprintf "%%s\\n" "$LC_ALL" >>"%s"\nexec "%s" "$@"\n' "$work/of-jq" "$(command -v jq)" >"$work/bin/jq"
  printf '#!/bin/sh\nprintf "%%s\\n" "${LC_ALL-unset}" >>"%s"\nprintf reader\n' "$work/of-askpass" >"$work/locale-askpass"
  chmod 755 "$work/bin/jq" "$work/locale-askpass"
  (
    export WATCHWORD_ASKPASS="$work/locale-askpass" PATH="$work/bin:$PATH"
    export LC_ALL=C.UTF-8
    ww_fetch "$origin/staff/a" >/dev/null 2>&1
    unset LC_ALL
    ww_fetch "$origin/staff/a" >/dev/null 2>&1
  )
  is others C "$(sort -u "$work/of-jq")"
  is asked 'C.UTF-8 unset' "$(sort -u "$work/of-askpass" | tr '\n' ' ' | sed 's/ $//')"
}

# Every variable that the library gives a value.
variables() {
  {
    grep -oE '(^|[ ;(])[a-z][a-z_]*=' "$here/../watchword.sh" | tr -d ' ;(='
    sed -n 's/.*IFS= read -r \([a-z_]*\).*/\1/p' "$here/../watchword.sh"
  } | sort -u
}

no_secret_in_arguments_or_environment() {
  observe
  askpass "$password"
  all=$(variables)
  has variables ww_secret "$all"
  got=$(
    PATH=$work/bin:$PATH
    # A caller that exports whatever is assigned, traces whatever runs and has a variable of every name already.
    set -a
    for name in $all; do eval "$name=x"; done
    set -x
    ww_fetch -u reader -H 'X-Key: sentinel-key' -d 'key=sentinel-data' --session "$session" "$origin/staff/a" 2>"$work/trace"
  )
  is body 'for staff' "$got"
  has observed "$work/bin/jq" "$(cat "$work/observed")"
  is leaks 0 "$(grep -c 'sentinel-Zk41' "$work/observed")"
  is trace 0 "$(grep -c 'sentinel-Zk41' "$work/trace")"
  is data 0 "$(grep -c 'sentinel-data\|sentinel-key' "$work/observed")"
}

no_secret_of_a_netrc_file_in_arguments_or_environment() {
  observe
  (umask 077 && printf 'machine 127.0.0.1 login reader password %s\n' "$password" >"$work/netrc")
  all=$(variables)
  got=$(
    PATH=$work/bin:$PATH
    set -a
    for name in $all; do eval "$name=x"; done
    ww_fetch --netrc-file "$work/netrc" "$origin/staff/a"
  )
  is body 'for staff' "$got"
  is leaks 0 "$(grep -c 'sentinel-Zk41' "$work/observed")"
}

nothing_of_the_caller_is_changed() {
  export WATCHWORD_ASKPASS=/bin/false
  set -eu
  IFS=: user=mine url=mine line=mine
  trap 'echo mine' USR1
  exec 3>"$work/three"
  ww_fetch --session "$session" -o "$work/out" "$origin/plain"
  ww_fetch -u reader --session "$session" "$origin/staff/a" 2>/dev/null || refused=$?
  is refused 3 "$refused"
  is IFS : "$IFS"
  trap >"$work/traps"
  is variables minemineminemine "$user$url$line$(grep -o mine "$work/traps")"
  echo still >&3
  is descriptor still "$(cat "$work/three")"
}

nothing_is_left_behind() {
  mkdir "$work/tmp"
  is body plain "$(TMPDIR=$work/tmp ww_fetch --session "$session" "$origin/plain")"
  is files '' "$(ls -A "$work/tmp")"
}

socket_of_another_uid_is_refused() {
  [ "$(id -u)" = 0 ] || return 0 # only root can make such a socket
  mkdir -m 700 "$work/theirs"
  chown 12345 "$work/theirs"
  python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])' "$work/theirs/socket"
  chmod 600 "$work/theirs/socket"
  WATCHWORD_SOCKET=$work/theirs/socket
  code 5 ww_call ping
  chown 0 "$work/theirs"
  chmod 777 "$work/theirs"
  code 5 ww_call ping
  has said 'others may write there' "$said"
}

# Where no uid is mapped, every socket seems to be our own.
socket_of_an_unknown_uid_is_refused() {
  code 5 unshare --user "$shell" -c '. "$1/../watchword.sh"; ww_call ping' - "$here"
  has said 'another user' "$said"
}

any_socket_path_will_do() {
  odd="$work/a b'(c[d{e,f:g!h\\i\"j"
  mkdir -m 700 "$odd"
  ln "$WATCHWORD_SOCKET" "$odd/socket"
  WATCHWORD_SOCKET=$odd/socket
  is ping '{}' "$(ww_call ping)"
  is with-netcat '{}' "$(only_netcat && PATH=$work/nc ww_call ping)"
}

only_netcat() {
  rm -rf "$work/nc"
  mkdir "$work/nc"
  for program in jq nc base64 tr rm mktemp mkfifo sed ls id cat mv od sleep; do ln -s "$(command -v "$program")" "$work/nc/$program"; done
}

a_shell_without_printf_of_its_own_is_refused() {
  case $shell in bash) ;; *) return 0 ;; esac # it can forget its own
  code 1 bash -c 'enable -n printf; . "$1/../watchword.sh"; ww_call ping' - "$here"
  has said 'printf' "$said"
}

netcat_does_as_well_as_socat() {
  only_netcat
  is body plain "$(PATH=$work/nc ww_fetch --session "$session" "$origin/plain")"
  is size 2097152 "$(PATH=$work/nc ww_fetch --session "$session" "$origin/large" | wc -c | tr -d ' ')"
}

# Runs $1 in a shell of its own, before the file is sourced, and then $2.
in_a_shell_with() {
  cat >"$work/script" <<END
$1
. "$here/../watchword.sh"
$2
END
  "$shell" "$work/script"
}

aliases_of_the_caller_have_no_effect() {
  got=$(in_a_shell_with '
    [ -z "${BASH_VERSION-}" ] || shopt -s expand_aliases
    alias jq="jq -C" base64=false cat=false tr=false ls="ls --color=always" printf=false read=false exit="exit 9" mine="echo it is"' '
    ww_call ping
    ww_fetch "'"$origin"'/plain"
    alias jq | grep -o "jq -C"
    eval "mine mine"')
  is output "{}${WW__LINE}plain${WW__LINE}jq -C${WW__LINE}it is mine" "$got"
}

functions_of_the_caller_have_no_effect() {
  got=$(in_a_shell_with '
    jq() { echo mine; }
    base64() { return 1; }
    cat() { return 1; }
    printf() { return 1; }
    read() { return 1; }
    IFS=e' 'ww_call ping; ww_fetch "'"$origin"'/plain"; jq')
  is output "{}${WW__LINE}plain${WW__LINE}mine" "$got"
}

options_of_the_caller_have_no_effect() {
  echo old >"$work/out"
  got=$(in_a_shell_with 'set -Ceuf; IFS=e; (set -o pipefail) 2>/dev/null && set -o pipefail' '
    ww_fetch -o "'"$work"'/out" -D "'"$work"'/heads" "'"$origin"'/plain"
    ww_fetch -o "'"$work"'/out" -D "'"$work"'/heads" "'"$origin"'/plain"
    ww_status >/dev/null
    case $- in *C*) echo kept ;; esac')
  is output kept "$got"
  is body plain "$(cat "$work/out")"
}

a_program_that_is_missing_is_named() {
  only_netcat
  rm "$work/nc/jq"
  PATH=$work/nc code 1 ww_call ping
  is said 'watchword: jq is needed, and is not in PATH' "$said"
  only_netcat
  rm "$work/nc/nc"
  PATH=$work/nc code 1 ww_fetch "$origin/plain"
  has said 'socat' "$said"
}

# Too many levels make the whole text unreadable, its id with it.
an_error_without_an_id_ends_the_call() {
  code 1 ww_call explain "{\"url\":\"http://a/\",\"deep\":$(printf '%070d' 0 | tr 0 '[')$(printf '%070d' 0 | tr 0 ']')}"
  has said 'nested deeper' "$said"
}

try_all the_locale_of_the_caller_is_for_the_askpass_program_only no_secret_in_arguments_or_environment no_secret_of_a_netrc_file_in_arguments_or_environment nothing_of_the_caller_is_changed nothing_is_left_behind \
  socket_of_another_uid_is_refused socket_of_an_unknown_uid_is_refused any_socket_path_will_do a_shell_without_printf_of_its_own_is_refused netcat_does_as_well_as_socat \
  aliases_of_the_caller_have_no_effect functions_of_the_caller_have_no_effect options_of_the_caller_have_no_effect \
  a_program_that_is_missing_is_named an_error_without_an_id_ends_the_call
