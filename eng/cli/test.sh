# Every test, on private servers: other ports, temporary data, nothing shared with a running shop. The benchmarks use
# such servers too.

# Free ports after a random one, so that clones that test at the same time do not choose the same.
choose_test_ports() {
  local name port=$((22000 + (RANDOM * 32768 + RANDOM) % 9000))
  for name in $SERVER_PORTS; do
    while port_is_open "$port"; do port=$((port + 1)); done
    export "$name=$port"
    port=$((port + 1))
  done
}

stop_test_servers() {
  local name
  end_engine
  if [[ $ENGINE == docker ]]; then
    compose down -v >/dev/null 2>&1 || true
  else
    # The data is temporary, so no clean shutdown is needed.
    signal postgres QUIT
    if in_cluster; then
      for name in $MACHINES; do signal_machine "$name" KILL; done
    fi
    for name in rabbitmq redis epmd; do signal "$name" KILL; done
    for name in $SERVERS $(epmds); do await_end "$name" "$(title "$name")" 20; done
    remove_networks
  fi
  if [[ -d $STATE/results ]]; then
    rm -rf "$TEST_HOME/last"
    mv "$STATE/results" "$TEST_HOME/last"
  fi
  remove_state "$STATE"
}

# run_has_ended FOLDER: whether the owner of a test run has ended. A folder whose removal was killed has perhaps no
# owner, and nothing holds its lock.
run_has_ended() {
  if [[ -f $1/owner ]]; then
    ! is_alive "$1/owner"
  else
    [[ -f $1/lock ]] && command -v flock >/dev/null && (exec 7>>"$1/lock" && flock -n 7)
  fi
}

# Removes the servers of test runs that were killed. Engines first: their mounts keep a folder from being removed.
remove_old_runs() {
  local run
  remove_old_engines
  for run in "$TEST_HOME"/run-*/; do
    [[ -d $run ]] && run_has_ended "${run%/}" || continue
    (STATE=${run%/} && ENGINE=$(saved_value engine SERVERS) && load_cluster && set_scale "$(saved_value scale SCALE)" && stop_report_shop)
  done
}

# start_private_servers SERVER_OPTIONS INITDB_OPTIONS: options of PostgreSQL; the servers are removed when this shell ends.
start_private_servers() {
  need_own_state
  TEST_HOME=$STATE/test
  mkdir -p "$TEST_HOME"
  chmod 711 "$STATE" "$TEST_HOME"
  remove_old_runs
  STATE=$TEST_HOME/run-$$
  export APEXSHOP_STATE=$STATE
  open_state
  echo "$$ $(identity $$)" >"$STATE/owner"
  choose_test_ports
  load_settings
  trap stop_test_servers EXIT
  trap 'exit 130' INT TERM HUP
  # Docker only on request: some tests start and kill a private broker, so the programs must be installed anyway.
  APEXSHOP_SERVERS=${APEXSHOP_SERVERS:-native}
  choose_cluster
  choose_engine
  need_tools
  save_settings
  make_secrets
  POSTGRES_EXTRA=$1
  INITDB_EXTRA=$2
  start_servers
  export APEXSHOP_TEST_POSTGRES="Host=127.0.0.1;Port=$APEXSHOP_PG_PORT;Username=postgres;Password=$POSTGRES_PASSWORD;Database=postgres"
  export APEXSHOP_TEST_RABBITMQ=$RABBITMQ_URL
  export APEXSHOP_TEST_REDIS="127.0.0.1:$APEXSHOP_REDIS_PORT,password=$REDIS_PASSWORD"
}

# The only difference from production: these rows need not survive a power cut, and hundreds of databases are created
# and dropped.
start_test_servers() {
  start_private_servers '-c fsync=off -c full_page_writes=off' --no-sync
  need_test_tools
}

# counter TRX NAME: a counter of the result file; a suite that crashed has no file.
counter() { { grep -o '<Counters [^>]*' "$1" 2>/dev/null || true; } | sed -n "s/.* $2=\"\([0-9]*\)\".*/\1/p"; }

# The console output without the lines that only repeat the summary.
show_failures() {
  grep -v -e '^Test run for' -e '^A total of' -e '^Data collector' -e '^Results File' -e '^ *$' -e '^\[xUnit' "$1" |
    sed -n 1,120p | cut -c1-400 | sed 's/^/    /'
}

# run_suite NAME FILTER: adds to PASSED, FAILED and SKIPPED.
run_suite() {
  local name=$1 filter=$2 results=$STATE/results status=0 began total passed failed skipped note=''
  local log=$results/$1.log
  mkdir -p "$results"
  began=$(now_ms)
  printf '  %-24s' "$name"
  APEXSHOP_FAULT_REPORT=$results/$name.txt dotnet test "$ROOT/tests/$name" -c Release --no-build --nologo --results-directory "$results" \
    --logger "trx;LogFileName=$name.trx" --blame-hang-timeout 20m --blame-hang-dump-type none \
    ${filter:+--filter "FullyQualifiedName~$filter"} >"$log" 2>&1 9>&- </dev/null || status=$?
  total=$(counter "$results/$name.trx" total)
  passed=$(counter "$results/$name.trx" passed)
  failed=$(counter "$results/$name.trx" failed)
  skipped=$((${total:-0} - ${passed:-0} - ${failed:-0}))
  if ((status && ${failed:-0} == 0)); then
    failed=1
    note=', the suite did not finish'
  elif ((${total:-0} == 0)) && [[ -z $filter ]]; then
    failed=1
    note=', the suite ran no test'
  fi
  PASSED=$((PASSED + ${passed:-0})) FAILED=$((FAILED + ${failed:-0})) SKIPPED=$((SKIPPED + skipped))
  printf '%5d passed, %d failed%s%s  (%s s)\n' "${passed:-0}" "${failed:-0}" "$( ((skipped == 0)) || echo ", $skipped skipped")" \
    "$note" "$(seconds $(($(now_ms) - began)))"
  ((${failed:-0} == 0)) || show_failures "$log"
  # The figures that the tests of faults have written.
  [[ ! -s $results/$name.txt ]] || sed 's/^/    /' "$results/$name.txt"
}

# may_run SUITES WORD SUITE...: whether one of the last suites, or a test of it, is among those that run.
may_run() {
  local suite
  for suite in "${@:3}"; do
    [[ " ${1//$'\n'/ } " == *" $suite "* ]] || continue
    if [[ -z $2 ]] || grep -rqi --include='*.cs' -F -- "$2" "$ROOT/tests/$suite"; then return 0; fi
  done
  return 1
}

verb_test() {
  local word=${1:-} suite suites='' filter='' began
  need_dotnet
  if [[ $word == mutations ]]; then
    test_mutations "${@:2}"
    return
  fi
  for suite in "$ROOT"/tests/*.Tests; do suites+=" $(basename "$suite")"; done
  # The last one, so that the time of the others is known.
  suites="${suites/ Containers.Tests/} Containers.Tests"
  if [[ -n $word ]]; then
    # shellcheck disable=SC2086
    filter=$(printf '%s\n' $suites | grep -i -F -- "$word" || true)
    if [[ -n $filter ]]; then suites=$filter filter=''; else filter=$word; fi
  fi
  start_test_servers
  ! may_run "$suites" "$filter" Console.Tests Storefront.Tests || need_chromium
  ! may_run "$suites" "$filter" EndToEnd.Tests || need_prometheus
  ! may_run "$suites" "$filter" EndToEnd.Tests || add_pgbackrest
  ! may_run "$suites" "$filter" EndToEnd.Tests Client.Tests Storefront.Tests || need_sample_tools
  step "Building" "$TEST_HOME/build.log" build_release "$ROOT/ApexShop.sln"
  PASSED=0 FAILED=0 SKIPPED=0
  # Selected by name, the fault tests run with the high number of rounds.
  if [[ $word == faults ]]; then export APEXSHOP_FAULT_ROUNDS=${APEXSHOP_FAULT_ROUNDS:-20}; fi
  began=$(now_ms)
  for suite in $suites; do
    if [[ $suite != Containers.Tests ]]; then
      run_suite "$suite" "$filter"
    elif may_run "$suite" "$filter" "$suite"; then
      run_container_suite "$suite" "$filter"
    fi
  done
  ((PASSED + FAILED > 0)) || say "No test ran${word:+: none has '$word' in its name}."
  say "Logs and results: $TEST_HOME/last ($(seconds $(($(now_ms) - began))) s)"
  say "$PASSED passed, $FAILED failed$( ((SKIPPED == 0)) || echo ", $SKIPPED skipped")"
  ((PASSED > 0 && FAILED == 0))
}
