# What the machine must have, and how it gets there.

need_dotnet() {
  local wanted here
  [[ -n $(command -v dotnet) || ! -x $HOME/.dotnet/dotnet ]] || export DOTNET_ROOT=$HOME/.dotnet PATH=$HOME/.dotnet:$PATH
  wanted=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$ROOT/global.json")
  command -v dotnet >/dev/null || fail "There is no .NET SDK on this machine (no 'dotnet' on the PATH)." \
    "Get version $wanted or a later ${wanted%??}xx:  https://dot.net/download" \
    "or:  curl -sSL https://dot.net/v1/dotnet-install.sh | bash -s -- --jsonfile global.json"
  if ! here=$(cd "$ROOT" && dotnet --version 2>/dev/null); then
    fail "global.json asks for .NET SDK $wanted or a later ${wanted%??}xx; none of these is:" \
      "$(dotnet --list-sdks | tr '\n' ' ')" \
      "Get it:  https://dot.net/download" \
      "or:  curl -sSL https://dot.net/v1/dotnet-install.sh | bash -s -- --jsonfile global.json"
  fi
  DOTNET_VERSION=$here
}

# within SECONDS COMMAND...: where there is no `timeout`, without a limit.
within() {
  if command -v timeout >/dev/null; then timeout "$@"; else "${@:2}"; fi
}

docker_answers() {
  command -v docker >/dev/null && within 15 docker info >/dev/null 2>&1 && within 15 docker compose version >/dev/null 2>&1
}

# Names of the Debian packages that are missing; the rest is found.
missing_packages() {
  local missing=''
  command -v curl >/dev/null || missing+=' curl'
  find_postgres || missing+=' postgresql'
  find_redis || missing+=' redis-server'
  find_rabbitmq || missing+=' rabbitmq-server'
  echo "${missing# }"
}

# Where the servers run is decided once, as their data lies there: Docker if an engine answers, else this system.
choose_engine() {
  local before=$ENGINE
  ENGINE=${APEXSHOP_SERVERS:-$before}
  if [[ -z $ENGINE ]]; then
    if docker_answers; then ENGINE=docker; else ENGINE=native; fi
  fi
  [[ $ENGINE == docker || $ENGINE == native ]] || fail "APEXSHOP_SERVERS is '$ENGINE'; it can be docker or native."
  [[ -z $before || $before == "$ENGINE" ]] || fail "This shop's data was made with APEXSHOP_SERVERS=$before." \
    "Leave the setting away, or begin anew: ./apexshop clean"
  [[ $ENGINE == native ]] || docker_answers || fail "The servers are to run in Docker, and no engine answers. Start it," \
    "or begin anew without it:  ./apexshop clean && APEXSHOP_SERVERS=native ./apexshop up"
}

# Finds the programs the servers need, and installs what is missing where that is possible.
need_tools() {
  local missing
  if [[ $ENGINE == docker ]]; then
    command -v curl >/dev/null || fail "curl is missing; install it with your system's package manager."
    return
  fi
  missing=$(missing_packages)
  [[ -z $missing ]] || install_packages "$missing"
  missing=$(missing_packages)
  [[ -z $missing ]] || fail "Still missing after the installation: $missing" \
    "PostgreSQL must be 15 or newer: https://www.postgresql.org/download" "or install Docker: https://docs.docker.com/engine/install"
  find_postgres && find_redis && find_rabbitmq
}

# What the tests need besides: a decoder of MessagePack that nobody here wrote. Debian's packages are seen by Debian's
# own interpreter, whatever stands before it on the PATH.
has_msgpack() {
  local python=/usr/bin/python3
  [[ -x $python ]] || python=python3
  "$python" -c 'import msgpack' 2>/dev/null
}

need_test_tools() {
  has_msgpack || install_packages python3-msgpack
  has_msgpack || fail "The tests decode MessagePack with python3-msgpack, which is still missing after the installation."
}

# The browser of the storefront's tests: CHROMIUM.
find_chromium() {
  local name
  for name in "${APEXSHOP_CHROMIUM:-chromium}" chromium-browser google-chrome-stable google-chrome; do
    CHROMIUM=$(command -v "$name") && return
  done
  return 1
}

# Where it cannot be installed the suite itself says what it wants: all others run without it. Ubuntu's package is a
# snap, which needs more of a system than a container has.
need_chromium() {
  if ! find_chromium && can_install && ! grep -qsx 'ID=ubuntu' /etc/os-release; then install_packages chromium; fi
}

can_install() { command -v apt-get >/dev/null && { ((EUID == 0)) || command -v sudo >/dev/null; }; }

cannot_install() {
  fail "Missing on this machine: $1" "$2" "Any of these will do:" \
    "a Docker engine that this user may use (https://docs.docker.com/engine/install), or" \
    "Debian/Ubuntu:  apt-get install -y --no-install-recommends $1" \
    "elsewhere: PostgreSQL 15 or newer, Redis 7 and RabbitMQ 3.10 or newer on the PATH."
}

install_packages() {
  local sudo=''
  command -v apt-get >/dev/null || cannot_install "$1" "There is no apt-get here to install it with."
  if ((EUID != 0)); then
    command -v sudo >/dev/null || cannot_install "$1" "Installing needs root, and there is no sudo."
    sudo=sudo
    sudo -n true 2>/dev/null || [[ -t 0 ]] || cannot_install "$1" "Installing needs root, and sudo asks for a password."
  fi
  say "Missing here: $1. Installing from this system's packages (apt-get${sudo:+ with sudo})."
  say "The system's own services are not started: the shop runs private servers as your processes."
  [[ -z $sudo ]] || sudo -v
  step "Reading the package lists" "$STATE/log/apt-update.log" $sudo apt-get update -q
  [[ $1 != *postgresql* ]] || need_postgres_candidate
  # shellcheck disable=SC2086
  step "Installing $1" "$STATE/log/apt-install.log" apt_install "$sudo" $1
}

need_postgres_candidate() {
  local offered
  offered=$(LC_ALL=C apt-cache policy postgresql | sed -n 's/ *Candidate: *\([0-9]*\).*/\1/p')
  ((${offered:-0} >= 15)) || cannot_install postgresql "This system's packages offer PostgreSQL ${offered:-nothing}; the shop needs 15."
}

# Debian starts a service when it installs it; policy-rc.d is its way to say no. On systems with systemd the units
# are also disabled, so that nothing new listens after the next boot.
apt_install() {
  local sudo=$1 policy=/usr/sbin/policy-rc.d made='' status=0 package
  shift
  if [[ ! -e $policy ]]; then
    printf '#!/bin/sh\nexit 101\n' | $sudo tee "$policy" >/dev/null
    $sudo chmod 755 "$policy"
    made=yes
  fi
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "$@" || status=$?
  [[ -z $made ]] || $sudo rm -f "$policy"
  if [[ -d /run/systemd/system ]]; then
    for package in "$@"; do
      [[ $package == curl ]] || $sudo systemctl disable --now "$package" || true
    done
  fi
  return "$status"
}
