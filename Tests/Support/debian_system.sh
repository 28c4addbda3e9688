# shellcheck shell=bash
# Makes a Debian in a folder with debootstrap, which reaches its packages as this machine does. For Tests/bare and
# Tests/packages, which have the functions say and fail.

# How this machine's apt reaches Debian: "URI suite component", a line for each.
host_sources() {
  # shellcheck disable=SC2016  # apt replaces these
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}

# shellcheck source=/dev/null
host_release() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}"); }

make_system() { # RELEASE FOLDER PACKAGES, these separated by commas
  local release=$1 folder=$2 sources mirror
  sources=$(host_sources)
  mirror=$(awk -v release="$(host_release)" '$2 == release && $3 == "main" { print $1; exit }' <<<"$sources")
  [ -n "$mirror" ] || fail "apt does not say where Debian is: apt-get update"
  say "$release from debootstrap"
  debootstrap --variant=minbase --include="$3" "$release" "$folder" "$mirror" >"$folder.log" 2>&1 ||
    { tail -n 20 "$folder.log" >&2; fail "debootstrap failed"; }
  rm -f "$folder.log"
  sed "s/\\b$(host_release)\\b/$release/; s/^/deb /" <<<"$sources" >"$folder/etc/apt/sources.list"
  apt-config dump --no-empty | grep -E '^Acquire::(Check-|Retries|http)' >"$folder/etc/apt/apt.conf.d/90host" || true
  cp /etc/apt/auth.conf.d/* "$folder/etc/apt/auth.conf.d/" 2>/dev/null || true
  cp /usr/local/share/ca-certificates/*.crt "$folder/usr/local/share/ca-certificates/" 2>/dev/null || true
  printf '[global]\n%s\n' "$(host_pip)" >"$folder/etc/pip.conf"
  printf '127.0.0.1 localhost bare\n::1 localhost\n' >"$folder/etc/hosts"
}

# The settings of this machine's pip that say where packages are.
host_pip() {
  python3 -m pip config list 2>/dev/null |
    sed -nE "s/^[^ =]*\\.(index-url|extra-index-url|trusted-host|proxy|cert)='(.*)'\$/\\1 = \\2/p" | awk '!seen[$1]++'
}
