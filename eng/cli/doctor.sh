# Checks the machine and changes nothing.

check_line() { printf '  %-9s %-14s %s\n' "$1" "$2" "$3"; }

doctor_dotnet() {
  local message
  if message=$(need_dotnet 2>&1); then
    need_dotnet
    check_line ok '.NET SDK' "$DOTNET_VERSION"
  else
    check_line MISSING '.NET SDK' "${message#*apexshop: }"
    return 1
  fi
}

doctor_servers() {
  local missing package
  if [[ ${APEXSHOP_SERVERS:-$ENGINE} != native ]] && docker_is_available; then
    check_line ok Docker "an engine is available: the three servers run in it"
    command -v curl >/dev/null && return
    check_line MISSING curl "with it ./apexshop asks the processes whether they are ready"
    return 1
  fi
  if [[ ${APEXSHOP_SERVERS:-$ENGINE} == docker ]]; then
    check_line MISSING Docker "the servers run in it, and no engine is available"
    return 1
  fi
  check_line 'not used' Docker "no engine is available (or native was chosen); the servers run as your processes"
  ! find_postgres || check_line ok PostgreSQL "$PG_VERSION in $PG_BIN"
  ! find_redis || check_line ok Redis "$REDIS_BIN"
  ! find_rabbitmq || check_line ok RabbitMQ "$RABBITMQ_BIN"
  ! has_pgbackrest || check_line ok pgBackRest "$(command -v pgbackrest), for continuous archiving"
  missing=$(missing_packages)
  for package in $missing; do
    if can_install; then
      check_line missing "$package" "./apexshop up installs it (apt-get)"
    else
      check_line MISSING "$package" "apt-get install --no-install-recommends $package, as root; or start Docker"
    fi
  done
  [[ -z $missing ]] || can_install
}

doctor_browser() {
  if find_chromium; then
    check_line ok Chromium "$CHROMIUM, for the browser tests"
  else
    check_line missing Chromium "only the browser tests need it; ./apexshop test installs it if possible"
  fi
}

doctor_prometheus() {
  if has_prometheus; then
    check_line ok Prometheus "$(command -v prometheus), for the tests of the alerts"
  else
    check_line missing Prometheus "only the tests of the alerts need it; ./apexshop test installs it if possible"
  fi
}

doctor_samples() {
  if has_npm && has_python_module pika; then
    check_line ok Samples "node, npm and pika, for the tests of the samples and of the npm package"
  else
    check_line missing Samples "only the tests of the samples and of the npm package need node, npm and pika; ./apexshop test installs them if possible"
  fi
}

doctor_cluster() {
  if cluster_is_installed; then
    check_line ok Cluster "etcd, Patroni, sentinels and HAProxy, for ./apexshop up --cluster"
  else
    check_line missing Cluster "only a cluster needs $CLUSTER_PACKAGES; ./apexshop up --cluster installs them as root"
  fi
}

doctor_ports() {
  local name bad=0
  for name in $SERVER_PORTS $PROCESS_PORTS; do
    if ! port_is_open "${!name}"; then
      check_line ok "port ${!name}" "free ($name)"
    elif anything_runs; then
      check_line ok "port ${!name}" "in use while the shop runs ($name)"
    else
      check_line TAKEN "port ${!name}" "by $(port_owner "${!name}"); choose another port with $name="
      bad=1
    fi
  done
  return "$bad"
}

doctor_space() {
  local free
  free=$(free_space)
  if ((free >= 3000)); then
    check_line ok disk "$free MB free"
  else
    check_line LOW disk "$free MB free; at least 3000 are recommended"
    return 1
  fi
}

verb_doctor() {
  local bad=0
  load_settings
  say "This machine"
  doctor_dotnet || bad=1
  doctor_servers || bad=1
  doctor_browser
  doctor_prometheus
  doctor_samples
  doctor_cluster
  doctor_ports || bad=1
  doctor_space || bad=1
  if ((bad)); then say "A requirement is missing; the lines in capitals show which."; else say "All requirements are met: ./apexshop up"; fi
  return "$bad"
}
