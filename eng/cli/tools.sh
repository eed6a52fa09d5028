# The programs that the machine needs, and their installation.

need_dotnet() {
  local wanted here
  [[ -n $(command -v dotnet) || ! -x $HOME/.dotnet/dotnet ]] || export DOTNET_ROOT=$HOME/.dotnet PATH=$HOME/.dotnet:$PATH
  wanted=$(sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' "$ROOT/global.json")
  command -v dotnet >/dev/null || fail "There is no .NET SDK on this machine (no 'dotnet' on the PATH)." \
    "Get version $wanted or a later ${wanted%??}xx:  https://dot.net/download" \
    "or:  curl -sSL https://dot.net/v1/dotnet-install.sh | bash -s -- --jsonfile global.json"
  if ! here=$(cd "$ROOT" && dotnet --version 2>/dev/null); then
    fail "global.json needs .NET SDK $wanted or a later ${wanted%??}xx; installed are only:" \
      "$(dotnet --list-sdks | tr '\n' ' ')" \
      "Get it:  https://dot.net/download" \
      "or:  curl -sSL https://dot.net/v1/dotnet-install.sh | bash -s -- --jsonfile global.json"
  fi
  DOTNET_VERSION=$here
}

# within SECONDS COMMAND...: without a limit if there is no `timeout`. In the foreground: a process group of its own
# would not get Ctrl-C. The limit then ends only the command itself, so it must not leave children.
within() {
  if command -v timeout >/dev/null; then timeout --foreground "$@"; else "${@:2}"; fi
}

docker_is_available() {
  command -v docker >/dev/null && within 15 docker info >/dev/null 2>&1 && within 15 docker compose version >/dev/null 2>&1
}

has_pgbackrest() { command -v pgbackrest >/dev/null; }

# add_packages NAMES: for what only some tests or verbs need. A failure is printed and does not end the verb.
add_packages() { ! can_install || attempt install_packages "$1"; }

# If it cannot be installed, the tests of a restore to a point in time fail, and all others run.
add_pgbackrest() { has_pgbackrest || add_packages pgbackrest; }

# Only continuous archiving needs it.
need_pgbackrest() {
  add_pgbackrest
  has_pgbackrest || fail "pgbackrest, which archives the changes, is missing and cannot be installed from here." \
    "Debian/Ubuntu, as root:  apt-get install -y --no-install-recommends pgbackrest" "elsewhere: https://pgbackrest.org"
}

# Prints the names of the missing Debian packages; sets the paths of the others.
missing_packages() {
  local missing='' made=''
  [[ ! -r $STATE/postgres/version ]] || made=-$(<"$STATE/postgres/version")
  command -v curl >/dev/null || missing+=' curl'
  find_postgres || missing+=" postgresql$made"
  find_redis || missing+=' redis-server'
  find_rabbitmq || missing+=' rabbitmq-server'
  has_pgbackrest || [[ $(saved_value archive ARCHIVING) != on ]] || missing+=' pgbackrest'
  echo "${missing# }"
}

# Whether the servers run in Docker or natively is decided once, because their data is there: Docker if an engine is
# available.
choose_engine() {
  local before=$ENGINE
  ENGINE=${APEXSHOP_SERVERS:-$before}
  if [[ -z $ENGINE ]]; then
    if docker_is_available; then ENGINE=docker; else ENGINE=native; fi
  fi
  [[ $ENGINE == docker || $ENGINE == native ]] || fail "APEXSHOP_SERVERS is '$ENGINE'; it can be docker or native."
  [[ -z $before || $before == "$ENGINE" ]] || fail "This shop's data was created with APEXSHOP_SERVERS=$before." \
    "Remove the setting, or start with new data: ./apexshop clean"
  [[ $ENGINE == native ]] || docker_is_available || fail "The servers run in Docker, and no engine is available. Start it," \
    "or start with new data without it:  ./apexshop clean && APEXSHOP_SERVERS=native ./apexshop up"
  # RabbitMQ measures the disk of its folder by a command that cannot have the apostrophe in its path; a shell runs
  # the command of the archive, and Redis reads its folder between quotation marks.
  [[ $ENGINE == docker || $STATE != *[\'\"\$\`\\]* ]] ||
    fail "With native servers the path of the state folder may have none of ' \" \$ \` \\: $STATE"
}

# Finds the programs of the servers, and installs missing ones if possible.
need_tools() {
  local missing
  if [[ $ENGINE == docker ]]; then
    command -v curl >/dev/null || fail "curl is missing; install it with your system's package manager."
    return
  fi
  missing=$(missing_packages)
  [[ -z $missing ]] || install_packages "$missing"
  need_postgres_of_data
  missing=$(missing_packages)
  [[ -z $missing ]] || fail "Still missing after the installation: $missing" \
    "PostgreSQL must be 15 or newer: https://www.postgresql.org/download" "or install Docker: https://docs.docker.com/engine/install"
  find_postgres && find_redis && find_rabbitmq
}

# Debian's packages are only visible to Debian's own interpreter, even if another one is first on the PATH.
has_python_module() {
  local python=/usr/bin/python3
  [[ -x $python ]] || python=python3
  "$python" -c "import $1" 2>/dev/null
}

# The tests also need an independent decoder of MessagePack.
need_test_tools() {
  has_python_module msgpack || install_packages python3-msgpack
  has_python_module msgpack || fail "The tests decode MessagePack with python3-msgpack, which is still missing after the installation."
}

# Sets CHROMIUM, the browser of the browser tests: the one without windows if there are two, which takes a third less time.
find_chromium() {
  local name
  for name in "${APEXSHOP_CHROMIUM:-chromium-headless-shell}" chromium chromium-browser google-chrome-stable google-chrome; do
    CHROMIUM=$(command -v "$name") && return
  done
  return 1
}

# If it cannot be installed, the suites that need it report that, and all others run. Ubuntu's package is a snap, which
# does not work in a container.
need_chromium() {
  find_chromium || grep -qsx 'ID=ubuntu' /etc/os-release || add_packages chromium-headless-shell
}

has_prometheus() { command -v prometheus >/dev/null && command -v promtool >/dev/null; }

# As for Chromium: without it the tests of the alerts fail, and all others run.
need_prometheus() { has_prometheus || add_packages prometheus; }

has_npm() { command -v node >/dev/null && command -v npm >/dev/null; }

# What the samples and clients in other languages need. As for Chromium: without it their tests fail, and all others run.
need_sample_tools() {
  local missing='' folder
  has_npm || missing+=' nodejs npm'
  has_python_module pika || missing+=' python3-pika'
  [[ -z $missing ]] || add_packages "${missing# }"
  for folder in "$ROOT/samples/stock-watcher-node" "$ROOT/clients/npm"; do
    # npm writes this file at the end.
    if [[ -f $folder/node_modules/.package-lock.json ]] || ! has_npm; then continue; fi
    # Again when the download breaks off.
    npm_ci "$folder" || npm_ci "$folder" || true
  done
}

npm_ci() { npm ci --prefix "$1" --no-audit --no-fund >>"$STATE/log/npm.log" 2>&1 </dev/null; }

can_install() { command -v apt-get >/dev/null && { ((EUID == 0)) || command -v sudo >/dev/null; }; }

cannot_install() {
  fail "Missing on this machine: $1" "$2" "Use one of these:" \
    "a Docker engine that this user may use (https://docs.docker.com/engine/install), or" \
    "Debian/Ubuntu:  apt-get install -y --no-install-recommends $1" \
    "elsewhere: PostgreSQL 15 or newer, Redis 7 and RabbitMQ 3.10 or newer on the PATH."
}

install_packages() {
  local sudo=''
  command -v apt-get >/dev/null || cannot_install "$1" "This system has no apt-get to install it."
  if ((EUID != 0)); then
    command -v sudo >/dev/null || cannot_install "$1" "Installing needs root, and there is no sudo."
    sudo=sudo
    sudo -n true 2>/dev/null || [[ -t 0 ]] || cannot_install "$1" "Installing needs root, and sudo needs a password."
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
  ((${offered:-0} >= 15)) || cannot_install postgresql "This system's packages have PostgreSQL ${offered:-(none)}; the shop needs 15."
}

POLICY=/usr/sbin/policy-rc.d
POLICY_MARK='# Made by ./apexshop; it is removed at the end of the installation.'

# Debian starts a service when it installs it; policy-rc.d prevents that. On systems with systemd the units that become
# enabled, also those of dependencies, are disabled, so that no new service listens after the next boot. A subshell,
# because its trap runs after Ctrl-C too.
apt_install() (
  sudo=$1 enabled='' made=''
  shift
  # Without this list every unit would be a new one.
  ! has_systemd || enabled=$(enabled_units) || exit
  trap end_installation EXIT
  # The system's own one stays; one with the mark is of an installation that was killed.
  if [[ ! -e $POLICY ]] || grep -qxF "$POLICY_MARK" "$POLICY"; then
    made=yes
    printf '#!/bin/sh\n%s\nexit 101\n' "$POLICY_MARK" | $sudo tee "$POLICY" >/dev/null
    $sudo chmod 755 "$POLICY"
  fi
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "$@"
)

end_installation() {
  local new
  [[ -z $made ]] || $sudo rm -f "$POLICY" || true
  has_systemd || return 0
  new=$(enabled_units | LC_ALL=C comm -13 <(echo "$enabled") -)
  # shellcheck disable=SC2086
  [[ -z $new ]] || $sudo systemctl disable --now $new || true
}

has_systemd() { [[ -d /run/systemd/system ]]; }

enabled_units() {
  systemctl list-unit-files --type=service,socket --state=enabled --no-legend --no-pager |
    awk '{ print $1 }' | LC_ALL=C sort
}
