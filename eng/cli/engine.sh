# The Docker engine of the tests of the containers: the one of this user, or a private one with stand-ins of the public
# images, which ends with the run.

# Compose 2.24 is the first that understands !override.
has_compose() {
  local version
  version=$(within 15 docker compose version --short 2>/dev/null) || return 1
  version=${version#v}
  ((${version%%.*} > 2)) || { [[ $version == 2.* ]] && version=${version#2.} && ((${version%%.*} >= 24)); }
}

has_engine_programs() { command -v dockerd >/dev/null && command -v mmdebstrap >/dev/null; }

can_run_engine() { ((EUID == 0)) && grep -qsx 'VERSION_CODENAME=bookworm' /etc/os-release; }

NO_ENGINE=3

# Returns $NO_ENGINE if there is none and none can be installed.
need_engine() {
  if docker_is_available && has_compose; then return; fi
  can_run_engine || return $NO_ENGINE
  has_engine_programs || add_packages "docker.io mmdebstrap"
  has_engine_programs || return $NO_ENGINE
  if ! has_compose; then
    export DOCKER_CONFIG=$TEST_HOME/compose
    has_compose || (step "Downloading Docker Compose" "$STATE/log/compose.log" download_compose) || return $NO_ENGINE
  fi
  start_engine
}

# Debian 12 has Compose 1; the program of Debian 13 needs no other package of it. The lists are kept apart from those of
# this system.
download_compose() {
  local folder=$DOCKER_CONFIG
  local apt=(-o "Dir::Etc::sourceparts=$folder/sources" -o Dir::Etc::sourcelist=/dev/null
    -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root)
  mkdir -p "$folder/sources" "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/cli-plugins"
  sed 's/^Suites:.*/Suites: trixie/; /^$/,$d' /etc/apt/sources.list.d/debian.sources >"$folder/sources/trixie.sources"
  # Joined, because bash ignores -e in a function that is called from a condition.
  apt-get "${apt[@]}" update -q && cd "$folder" && apt-get "${apt[@]}" download -q docker-compose &&
    dpkg -x docker-compose_*.deb unpacked && mv unpacked/usr/libexec/docker/cli-plugins/docker-compose cli-plugins/ &&
    rm -rf unpacked sources lists cache docker-compose_*.deb
}

engine_responds() { docker info; }

# The path of a socket is short, that of the state folder perhaps not.
start_engine() {
  local run
  run=$(mktemp -d /tmp/apexshop-engine.XXXXXX) || fail "A folder in /tmp for the Docker engine cannot be made."
  export DOCKER_HOST=unix://$run/docker.sock
  # Joined, because bash ignores -e in a function that is called from a condition. Without these files a later run could
  # not remove what this engine leaves.
  {
    mkdir -p "$STATE/docker" && echo "$DOCKER_HOST" >"$STATE/docker/host" &&
      echo "$STATE/docker/data" >"$run/data" && echo "$$ $(identity $$)" >"$run/owner"
  } 2>/dev/null || {
    rm -rf "$run"
    fail "The Docker engine was not started: $run or $STATE/docker cannot be written; is a disk full?"
  }
  launch docker dockerd -H "$DOCKER_HOST" --data-root "$STATE/docker/data" --exec-root "$run/exec" -p "$run/pid"
  await docker "The Docker engine" 60 engine_responds
  # A mirror of the public images may be reached even here.
  if within 60 docker pull -q redis:7 >/dev/null 2>&1; then return; fi
  step "Building stand-ins of the public images" "$STATE/log/stand-ins.log" \
    "$ROOT/tests/Containers.Tests/StandIns/build.sh" "$TEST_HOME/stand-ins"
}

# Of the engine of DOCKER_HOST. Networks that stay would take the packets of the next engine's networks.
remove_containers() {
  docker ps -aq | xargs -r docker rm -fv >/dev/null 2>&1 || true
  docker network prune -f >/dev/null 2>&1 || true
}

# use_engine: what need_engine has started in a subshell.
use_engine() {
  is_running docker || return 0
  export DOCKER_HOST
  DOCKER_HOST=$(<"$STATE/docker/host")
  has_compose || export DOCKER_CONFIG=$TEST_HOME/compose
}

# end_engine: sets STATUS. A failure is printed and does not end the verb.
end_engine() {
  STATUS=0
  is_running docker || return 0
  attempt stop_engine
  unset DOCKER_HOST DOCKER_CONFIG
}

stop_engine() {
  use_engine
  # Never the engine of this user.
  [[ $DOCKER_HOST == unix:///tmp/apexshop-engine.* ]] ||
    fail "$STATE/docker/host does not name the engine of a test run."
  remove_containers
  signal docker TERM
  await_end docker "The Docker engine" 60
  rm -rf "$(dirname "${DOCKER_HOST#unix://}")"
}

# is_engine_folder FOLDER: whether this user's start_engine has made it. In /tmp everyone can make one of such a name,
# and its content would name what is unmounted and killed.
is_engine_folder() { [[ $1 =~ ^/tmp/apexshop-engine\.[A-Za-z0-9]{6}$ && -d $1 && ! -L $1 && -O $1 ]]; }

# Removes the engines of runs that were killed, and what engines that were killed have left. Those runs may be of other
# checkouts.
remove_old_engines() {
  local run data
  for run in /tmp/apexshop-engine.*; do
    is_engine_folder "$run" && ! is_alive "$run/owner" || continue
    (export DOCKER_HOST=unix://$run/docker.sock && ! within 15 docker info >/dev/null 2>&1 || remove_containers)
    # The first process of a container is a child of the program that watches it; its end is that of all the others.
    pgrep -f -- "$run/" | xargs -rn1 pkill -KILL -P || true
    pkill -KILL -f -- "$run/" || true
    unmount_all "$run"
    data=''
    [[ ! -f $run/data ]] || data=$(<"$run/data")
    # The file is empty when the disk was full.
    [[ ! $data =~ ^/.*/run-[0-9]+/docker/data$ ]] || unmount_all "$data"
    rm -rf "$run"
    # While another engine runs, it is not known whose networks there are.
    pgrep -x dockerd >/dev/null || remove_bridges
  done
}

# unmount_all FOLDER: what is mounted in it.
unmount_all() {
  awk -v "folder=$1/" 'index($2 "/", folder) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount -l
}

# The networks of containers, and the rules for their packets.
remove_bridges() {
  local bridge rule
  for bridge in $(ip -o link show type bridge | sed -nE 's/^[0-9]+: (br-[0-9a-f]{12}):.*/\1/p'); do
    ip -o link show master "$bridge" | sed -E 's/^[0-9]+: ([^@:]+).*/\1/' | xargs -rn1 ip link delete
    ip link delete "$bridge"
    iptables -t nat -S | sed -n "s/^-A \(.* $bridge .*\)/\1/p" | while read -ra rule; do
      iptables -t nat -D "${rule[@]}"
    done
  done
}

# Whether the time that a run may take, if it is limited, suffices for this suite too: it takes half as long as all others.
has_time_for_containers() { [[ -z ${APEXSHOP_TEST_MINUTES:-} ]] || ((SECONDS * 3 / 2 < APEXSHOP_TEST_MINUTES * 60)); }

# Without an engine the suite does not run; one that does not start, or does not end, is a failure. All other suites run.
run_container_suite() {
  if ! has_time_for_containers; then
    say "  $1 skipped: $((SECONDS / 60)) of $APEXSHOP_TEST_MINUTES minutes have passed. ./apexshop test containers runs it."
    SKIPPED=$((SKIPPED + 1))
    return
  fi
  attempt need_engine
  if ((STATUS == NO_ENGINE)); then
    say "  $1 skipped: it needs a Docker engine with Compose 2.24 or newer, or Debian 12 and root."
    SKIPPED=$((SKIPPED + 1))
  elif ((STATUS)); then
    say "  $1 failed: the Docker engine was not started."
    FAILED=$((FAILED + 1))
  else
    use_engine
    run_suite "$@"
  fi
  end_engine
  ((STATUS == 0)) || { say "  $1 failed: the Docker engine was not removed." && FAILED=$((FAILED + 1)); }
}
