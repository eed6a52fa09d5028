# Load on the running shop, and the report of all measurements.

describe_commit() {
  local commit
  commit=$(git -C "$ROOT" rev-parse --short=12 HEAD 2>/dev/null) || { echo unknown && return; }
  [[ -z $(git -C "$ROOT" status --porcelain 2>/dev/null) ]] || commit+=' with changes'
  echo "$commit"
}

# Sets RUN to the options for the runner.
load_options() { RUN=(${OPTION_RATE:+--rate "$OPTION_RATE"} ${OPTION_SECONDS:+--seconds "$OPTION_SECONDS"}); }

build_load() { step "Building the load runner" "$STATE/log/build.log" build_release "$ROOT/load/Load"; }

# load_shop FOLDER ARGUMENT...: runs the load on the processes of this state folder.
load_shop() {
  export COMMANDS_URL QUERIES_URL ADMIN_KEY APEXSHOP_COMMIT
  APEXSHOP_COMMIT=$(describe_commit)
  run_load load --report "$@"
}

verb_load() {
  load_settings
  need_dotnet
  need_running commands projector queries
  build_load
  load_options
  load_shop "$STATE/load/$(date +%Y%m%d-%H%M%S)" "$@" ${RUN[@]+"${RUN[@]}"}
}

# Ten ports for each kind, since the processes of a kind have the ports after its first one.
choose_process_ports() {
  local name port=$((APEXSHOP_REDIS_PORT + 1))
  for name in $PROCESS_PORTS; do
    while port_is_open "$port" || port_is_open "$((port + 1))"; do port=$((port + 2)); done
    export "$name=$port"
    port=$((port + 10))
  done
  load_settings
}

stop_report_shop() {
  stop_processes
  stop_test_servers
}

# The measurements that need a whole shop: a private one with fresh data, whose commits are flushed as in production.
report_shop() {
  local folder=$1 status=0
  start_private_servers '' --no-sync
  choose_process_ports
  save_settings
  trap stop_report_shop EXIT
  run_processes
  seed_shop 1
  load_options
  load_shop "$folder" all ${RUN[@]+"${RUN[@]}"} || status=1
  say "bench visibility:"
  verb_bench visibility 2>&1 | tee "$folder/bench-visibility.txt" || status=1
  say "bench visibility busy:"
  verb_bench visibility busy 2>&1 | tee "$folder/bench-visibility busy.txt" || status=1
  return "$status"
}

# Every benchmark that starts private servers. An interrupted one ends the whole report.
report_benches() {
  local area one status=0
  for area in $(compgen -A function bench_ | sed 's/^bench_//'); do
    [[ $area != visibility ]] || continue
    say "bench $area:"
    one=0
    "$ROOT/apexshop" bench "$area" 2>&1 | tee "$1/bench-$area.txt" || one=$?
    ((one < 128)) || return "$one"
    ((one == 0)) || status=1
  done
  return "$status"
}

verb_report() {
  local folder=$STATE/report status benches=0
  load_settings
  need_own_state
  need_dotnet
  mkdir -p "$STATE/log"
  rm -rf "$folder"
  mkdir -p "$folder"
  build_load
  attempt report_shop "$folder"
  status=$STATUS
  ((status < 128)) || return "$status"
  report_benches "$folder" || benches=$?
  ((benches < 128)) || return "$benches"
  run_load page "$folder"
  ((status == 0 && benches == 0))
}
