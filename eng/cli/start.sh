# start, stop, restart: one process or server, or the gateway of a cluster.

# The processes and servers of this shop.
all_names() { if in_cluster; then echo "$PROCESSES $SERVERS gateway"; else echo "$PROCESSES $SERVERS"; fi; }

# known_name VERB NAME: opens the shop and refuses a name that it does not have.
known_name() {
  load_settings
  [[ " $(all_names) " == *" $2 "* ]] || refuse_arguments "$1" "There is no '$2' here; names: $(all_names)"
  [[ -n $ENGINE ]] || fail "No shop was started here yet." "./apexshop up"
  open_state
  await_stopping "$2"
}

stop_one() {
  if is_server "$1"; then
    stop_server "$1"
  else
    signal "$1" TERM
    await_end "$1" "$(title "$1")" 40
  fi
}

start_one() {
  # They end with a restart of this machine.
  make_networks
  if is_server "$1"; then
    start_server "$1"
  elif [[ $1 == gateway ]]; then
    check_gateway_ports
    fail_on_taken_ports
    start_gateway
  else
    need_dotnet
    in_cluster || check_port "$(port_setting "$1")" "$(title "$1")" "$(process_port "$1")"
    fail_on_taken_ports
    start_process "$1"
    await "$1" "$(title "$1")" 60 is_ready "$1"
  fi
}

verb_start() {
  known_name start "$1"
  if server_is_up "$1"; then
    say "$(title "$1") is already running."
  else
    start_one "$1"
    say "$(title "$1") was started."
  fi
}

verb_stop() {
  known_name stop "$1"
  if server_is_up "$1"; then
    stop_one "$1"
    say "$(title "$1") was stopped; ./apexshop start $1 starts it again."
  else
    say "$(title "$1") is not running."
  fi
}

# prepare_restart NAME: does before the stop what may fail, so that the server or process is not left stopped.
prepare_restart() {
  local data
  if ! is_server "$1" && [[ $1 != gateway ]]; then
    need_dotnet
    [[ -d $STATE/$(role_of "$1")/app ]] || fail "$(title "$1") was not stopped, because it is not built." "./apexshop up"
  fi
  [[ $ENGINE == native ]] && is_server "$1" && server_is_up "$1" || return 0
  need_tools
  data=$STATE/$1/data/
  [[ -d $data ]] || data=$STATE/$1
  (($(free_space_of "$data") > 16)) || fail "The disk of $data has less than 16 MB left; $(title "$1") was not stopped."
  [[ $1 != postgres ]] || in_cluster || write_postgres_settings "$(postgres_data)"
}

verb_restart() {
  known_name restart "$1"
  prepare_restart "$1"
  stop_one "$1"
  start_one "$1"
  say "$(title "$1") was restarted."
}
