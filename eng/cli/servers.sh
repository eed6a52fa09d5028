# The servers, in Docker or as processes of this user.

server_port() {
  case $(role_of "$1") in
    postgres) echo APEXSHOP_PG_PORT ;;
    rabbitmq) echo APEXSHOP_RABBITMQ_PORT ;;
    redis) echo APEXSHOP_REDIS_PORT ;;
    etcd) echo ETCD_PORT ;;
    sentinel) echo SENTINEL_PORT ;;
    balancer) echo BALANCED_REDIS_PORT ;;
  esac
}

title() {
  case $1 in
    postgres) echo PostgreSQL ;;
    rabbitmq) echo RabbitMQ ;;
    redis) echo Redis ;;
    epmd) echo "Erlang's port mapper" ;;
    etcd) echo etcd ;;
    sentinel) echo "Redis Sentinel" ;;
    balancer) echo "Load balancer" ;;
    gateway) echo Gateway ;;
    commands) echo Commands.Api ;;
    queries) echo Queries.Api ;;
    projector) echo Projector ;;
    *-*) echo "$(title "$(role_of "$1")") $(number_of "$1")" ;;
  esac
}

postgres_responds() {
  if in_cluster && [[ -n ${1:-} ]]; then patroni_responds "$1"; else sql postgres -c 'SELECT 1'; fi
}

is_process() { [[ " $PROCESSES " == *" $1 "* ]]; }

is_server() { [[ " $SERVERS " == *" $1 "* ]]; }

server_is_up() {
  if [[ $ENGINE == docker ]] && is_server "$1"; then container_is_up "$1"; else is_running "$1"; fi
}

responds() { "$(role_of "$1")_responds" "$1"; }

server_responds() { server_is_up "$1" && responds "$1" >/dev/null 2>&1; }

server_limit() { if [[ $1 == rabbitmq* ]] || in_cluster; then echo 120; else echo 60; fi; }

# Only the ports of servers that do not run yet must be free.
check_server_ports() {
  local name
  if in_cluster; then
    # A shared port mapper listens on 127.0.0.1 too.
    has_networks || is_running epmd || check_port APEXSHOP_EPMD_PORT "Erlang's port mapper"
    return 0
  fi
  for name in $SERVERS; do server_is_up "$name" || check_port "$(server_port "$name")" "$(title "$name")"; done
  [[ $ENGINE == native ]] || return 0
  is_running rabbitmq || check_port APEXSHOP_RABBITMQ_DIST_PORT "RabbitMQ's node port"
  is_running epmd || check_port APEXSHOP_EPMD_PORT "Erlang's port mapper"
}

# For servers that write files readable to all by themselves: Redis and Sentinel their settings with the password,
# RabbitMQ messages with personal data.
make_private_folder() {
  mkdir -p "$1"
  chmod 700 "$1"
}

# launch_server NAME
launch_server() { if in_cluster; then start_member "$1"; else "start_$1" "$1"; fi; }

await_server() {
  [[ $1 != postgres ]] || in_cluster || await_recovery
  await "$1" "$(title "$1")" "$(server_limit "$1")" responds "$1"
  [[ $1 != rabbitmq ]] || read_definitions
}

# All are started before the first one is awaited: RabbitMQ alone takes some seconds.
start_servers() {
  launch_servers
  await_servers
}

# Sets STARTED, the servers that did not run yet.
launch_servers() {
  local name
  STARTED='' SERVERS_BEGAN=$(now_ms)
  if [[ $ENGINE == docker ]]; then
    start_containers
    return
  fi
  if in_cluster; then start_consensus; fi
  for name in $SERVERS; do
    if ! is_running "$name"; then
      STARTED+=" $name"
      # Never as part of an && or || list: bash ignores -e in every command that is called from one.
      launch_server "$name"
    fi
  done
}

# Prints once how long the servers took.
await_servers() {
  local name
  [[ -n ${STARTED+set} && $ENGINE != docker ]] || return 0
  for name in $SERVERS; do await_server "$name"; done
  if in_cluster; then await_primary; fi
  if [[ -z $STARTED ]]; then
    say "PostgreSQL, RabbitMQ and Redis are already running."
  else
    say "Servers are ready:$STARTED, after $(seconds $(($(now_ms) - SERVERS_BEGAN))) s"
  fi
  unset STARTED
}

# PostgreSQL, and the balancers through which a cluster's processes reach it, are ready before the other servers.
await_database() {
  local name
  [[ $ENGINE != docker ]] || return 0
  for name in $(members postgres) $(members balancer); do await_server "$name"; done
  if in_cluster; then await_primary; fi
}

# PostgreSQL's fast shutdown is SIGINT; the others shut down cleanly at SIGTERM.
stop_servers() {
  local name
  if [[ $ENGINE == docker ]]; then
    # Without this file no container was started.
    [[ ! -f $STATE/compose.env ]] || step "Stopping the containers" "$STATE/log/compose.log" compose stop
    return
  fi
  if in_cluster; then
    stop_cluster
    return
  fi
  signal postgres INT
  signal rabbitmq TERM
  signal redis TERM
  for name in $SERVERS; do await_end "$name" "$(title "$name")" 60; done
  stop_epmds
}

stop_epmds() {
  local name
  for name in $(epmds); do
    signal "$name" TERM
    await_end "$name" "$(title epmd)" 10
  done
}

stop_server() {
  if [[ $ENGINE == docker ]]; then
    step "Stopping $1" "$STATE/log/compose.log" compose stop "$1"
    return
  fi
  if [[ $1 == postgres ]] && ! in_cluster; then signal "$1" INT; else signal "$1" TERM; fi
  await_end "$1" "$(title "$1")" 60
}

start_server() {
  if [[ $ENGINE == docker ]]; then
    step "Starting $1" "$STATE/log/compose.log" compose up -d --wait "$1"
    return
  fi
  need_tools
  launch_server "$1"
  await_server "$1"
}
