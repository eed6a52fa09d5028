# What may happen to a machine of a cluster: ./apexshop cluster.

verb_cluster() {
  load_settings
  in_cluster || fail "This shop has no cluster." "A new one: APEXSHOP_STATE=FOLDER APEXSHOP_PORT_BASE=7000 ./apexshop up --cluster"
  case $1 in
    list) list_machines ;;
    primary) primary_machine ;;
    *)
      [[ " $MACHINES " == *" $2 "* ]] || refuse_arguments cluster "There is no machine '$2'; there are: $MACHINES"
      open_state
      "$1_machine" "$2"
      ;;
  esac
}

# on_machine NUMBER: the names of the servers and processes there, without a port mapper that all machines share.
on_machine() {
  local name mappers=''
  ! has_networks || mappers=$(epmds)
  for name in $SERVERS $mappers $PROCESSES; do [[ $(machine_of "$name") != "$1" ]] || echo "$name"; done
}

# processes_of NAME: its pid. Those of PostgreSQL are no children of Patroni.
processes_of() {
  local data=$STATE/$1/data/server postmaster
  ! is_running "$1" || pid_of "$1"
  [[ $1 == postgres* && -r $data/postmaster.pid ]] || return 0
  read -r postmaster <"$data/postmaster.pid"
  # The file of a server that was killed stays, and its pid is used again.
  [[ /proc/$postmaster/cwd -ef $data ]] || return 0
  echo "$postmaster"
  ps -o pid= --ppid "$postmaster" || true
}

# signal_machine NUMBER SIGNAL
signal_machine() {
  local name
  {
    for name in $(on_machine "$1"); do processes_of "$name"; done
    ! networks_exist || ip netns pids "$(machine_network "$1")"
  } | sort -u | xargs -r kill -s "$2" 2>/dev/null || true
}

kill_machine() {
  local name
  signal_machine "$1" KILL
  for name in $(on_machine "$1"); do await_end "$name" "$(title "$name")" 20; done
  say "Everything on machine $1 was killed; ./apexshop cluster start $1"
}

freeze_machine() {
  # Twice: a process may have started another one meanwhile.
  signal_machine "$1" STOP
  signal_machine "$1" STOP
  say "Everything on machine $1 hangs; ./apexshop cluster unfreeze $1"
}

unfreeze_machines() {
  local machine
  for machine in $MACHINES; do signal_machine "$machine" CONT; done
}

unfreeze_machine() {
  signal_machine "$1" CONT
  say "Machine $1 goes on."
}

need_networks() { has_networks || fail "The machines of this shop have no network of their own: root must start it."; }

cut_machine() {
  need_networks
  ip -n "$(switch_network)" link set "port$1" down
  say "Machine $1 is cut off from the others and from this one; ./apexshop cluster join $1"
}

join_machine() {
  need_networks
  ip -n "$(switch_network)" link set "port$1" up
  say "Machine $1 has its network again."
}

# In the order of a start: processes need their servers.
start_machine() {
  local name
  need_dotnet
  need_tools
  make_networks
  for name in $(on_machine "$1"); do
    is_server "$name" || continue
    is_running "$name" || launch_server "$name"
  done
  for name in $(on_machine "$1"); do ! is_server "$name" || await_server "$name"; done
  for name in $(on_machine "$1"); do
    ! is_process "$name" || is_running "$name" || start_process "$name"
  done
  for name in $(on_machine "$1"); do
    ! is_process "$name" || await "$name" "$(title "$name")" 60 is_ready "$name"
  done
  say "Machine $1 was started."
}

primary_machine() {
  local name
  name=$(primary_postgres)
  [[ -n $name ]] || fail "No PostgreSQL is the primary at the moment."
  machine_of "$name"
}

list_machines() {
  local machine name primary
  primary=$(primary_postgres)
  say "PostgreSQL ${primary:-(none)} and Redis on $(primary_redis) are the primaries."
  for machine in $MACHINES; do
    say "Machine $machine, $NETWORK.$machine$(network_state "$machine")"
    for name in $(on_machine "$machine"); do
      printf '  %-12s %s\n' "$name" "$(machine_state "$name")"
    done
  done
}

# network_state NUMBER: what differs from a machine with a network.
network_state() {
  if ! has_networks; then
    echo ', no network of its own'
  elif networks_exist && [[ $(ip -n "$(switch_network)" link show up) != *" port$1@"* ]]; then
    echo ', cut off'
  fi
}

# machine_state NAME: running, hangs or stopped.
machine_state() {
  if ! is_running "$1"; then
    echo stopped
  elif [[ $(ps -o state= -p "$(pid_of "$1")") == T ]]; then
    echo hangs
  else
    echo "running, pid $(pid_of "$1")"
  fi
}
