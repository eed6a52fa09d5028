# The three servers, in Docker or as processes of this user.

server_port() {
  case $1 in
    postgres) echo APEXSHOP_PG_PORT ;;
    rabbitmq) echo APEXSHOP_RABBITMQ_PORT ;;
    redis) echo APEXSHOP_REDIS_PORT ;;
  esac
}

title() {
  case $1 in
    postgres) echo PostgreSQL ;;
    rabbitmq) echo RabbitMQ ;;
    redis) echo Redis ;;
    epmd) echo "Erlang's port mapper" ;;
    commands) echo Commands.Api ;;
    queries) echo Queries.Api ;;
    projector) echo Projector ;;
    *-*) echo "$(title "$(role_of "$1")") $(number_of "$1")" ;;
  esac
}

postgres_responds() { sql postgres -c 'SELECT 1'; }

is_server() { [[ " $SERVERS " == *" $1 "* ]]; }

server_is_up() {
  if [[ $ENGINE == docker ]] && is_server "$1"; then container_is_up "$1"; else is_running "$1"; fi
}

server_responds() { server_is_up "$1" && "$1_responds" >/dev/null 2>&1; }

server_limit() { if [[ $1 == rabbitmq ]]; then echo 120; else echo 60; fi; }

# Only the ports of servers that do not run yet must be free.
check_server_ports() {
  local name
  for name in $SERVERS; do server_is_up "$name" || check_port "$(server_port "$name")" "$(title "$name")"; done
  [[ $ENGINE == native ]] || return 0
  is_running rabbitmq || check_port APEXSHOP_RABBITMQ_DIST_PORT "RabbitMQ's node port"
  is_running epmd || check_port APEXSHOP_EPMD_PORT "Erlang's port mapper"
}

# All are started before the first one is awaited: RabbitMQ alone takes some seconds.
start_servers() {
  local name began started=''
  if [[ $ENGINE == docker ]]; then
    start_containers
    return
  fi
  began=$(now_ms)
  for name in $SERVERS; do
    if ! is_running "$name"; then
      started+=" $name"
      # Never as part of an && or || list: bash ignores -e in every command that is called from one.
      "start_$name"
    fi
  done
  for name in $SERVERS; do
    await "$name" "$(title "$name")" "$(server_limit "$name")" "$name"_responds
  done
  if [[ -z $started ]]; then
    say "PostgreSQL, RabbitMQ and Redis are already running."
  else
    say "Servers are ready:$started, after $(seconds $(($(now_ms) - began))) s"
  fi
}

# PostgreSQL's fast shutdown is SIGINT; the others shut down cleanly at SIGTERM.
stop_servers() {
  local name
  if [[ $ENGINE == docker ]]; then
    step "Stopping the containers" "$STATE/log/compose.log" compose stop
    return
  fi
  signal postgres INT
  signal rabbitmq TERM
  signal redis TERM
  for name in $SERVERS; do await_end "$name" "$(title "$name")" 60; done
  signal epmd TERM
  await_end epmd "$(title epmd)" 10
}

stop_server() {
  if [[ $ENGINE == docker ]]; then
    step "Stopping $1" "$STATE/log/compose.log" compose stop "$1"
    return
  fi
  if [[ $1 == postgres ]]; then signal "$1" INT; else signal "$1" TERM; fi
  await_end "$1" "$(title "$1")" 60
}

start_server() {
  if [[ $ENGINE == docker ]]; then
    step "Starting $1" "$STATE/log/compose.log" compose up -d --wait "$1"
    return
  fi
  need_tools
  "start_$1"
  await "$1" "$(title "$1")" "$(server_limit "$1")" "$1_responds"
}
