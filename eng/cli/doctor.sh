# Looks at the machine and changes nothing.

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
  if [[ ${APEXSHOP_SERVERS:-$ENGINE} != native ]] && docker_answers; then
    check_line ok Docker "an engine answers: the three servers run in it"
    return
  fi
  check_line 'not used' Docker "no engine answers (or native was chosen); the servers run as your processes"
  ! find_postgres || check_line ok PostgreSQL "$PG_VERSION in $PG_BIN"
  ! find_redis || check_line ok Redis "$REDIS_BIN"
  ! find_rabbitmq || check_line ok RabbitMQ "$RABBITMQ_BIN"
  missing=$(missing_packages)
  for package in $missing; do
    if can_install; then
      check_line 'to come' "$package" "./apexshop up installs it (apt-get)"
    else
      check_line MISSING "$package" "apt-get install --no-install-recommends $package, as root; or start Docker"
    fi
  done
  [[ -z $missing ]] || can_install
}

doctor_browser() {
  if find_chromium; then
    check_line ok Chromium "$CHROMIUM, for the storefront's tests"
  else
    check_line 'not here' Chromium "only the storefront's tests need it; ./apexshop test installs it where it can"
  fi
}

doctor_ports() {
  local name bad=0
  for name in $SERVER_PORTS $PROCESS_PORTS; do
    if ! answers "${!name}"; then
      check_line ok "port ${!name}" "free ($name)"
    elif anything_runs; then
      check_line ok "port ${!name}" "in use while the shop runs ($name)"
    else
      check_line TAKEN "port ${!name}" "by $(holder "${!name}"); choose another with $name="
      bad=1
    fi
  done
  return "$bad"
}

doctor_space() {
  local free
  free=$(df -Pm "$ROOT" | awk 'NR == 2 { print $4 }')
  if ((free >= 3000)); then
    check_line ok disk "$free MB free"
  else
    check_line LOW disk "$free MB free; 3000 are comfortable"
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
  doctor_ports || bad=1
  doctor_space || bad=1
  if ((bad)); then say "Something is missing; the lines in capitals say what."; else say "All is well: ./apexshop up"; fi
  return "$bad"
}
