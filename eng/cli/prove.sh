# Proving: clients and faults against a private shop, and checks of what the clients have seen.

# A run of so many seconds has no expiring orders.
PROVE_EXPIRY=2400
PROVE_SCALE=commands=2,projector=2,queries=2

run_prove() { dotnet "$ROOT/load/Prove/bin/Release/net10.0/ApexShop.Prove.dll" "$@"; }

# named_urls ROLE: name=address of every process of a kind, separated by commas.
named_urls() {
  local name all=''
  for name in $(instances_of "$1"); do all+=",$name=$(process_url "$name")"; done
  echo "${all#,}"
}

# What the program needs to break the shop; secrets in the environment, never in an argument.
export_prove() {
  export APEXSHOP_STATE=$STATE ADMIN_KEY PROVE_SCRIPT=$ROOT/apexshop PROVE_NAMES="$PROCESSES $SERVERS"
  export PROVE_COMMANDS PROVE_QUERIES PROVE_BROKER=$RABBITMQ_URL PROVE_REDIS_PASSWORD=$REDIS_PASSWORD PROVE_DATABASE
  export PROVE_REDIS PROVE_MACHINES='' PROVE_NETWORKS='' PROVE_RECEIVER
  PROVE_RECEIVER=$(gateway_address)
  PROVE_REDIS=$(redis_place balancer)
  if in_cluster; then PROVE_MACHINES=$MACHINES; fi
  # Only machines with networks can be cut off.
  if has_networks; then PROVE_NETWORKS=yes; fi
  PROVE_COMMANDS=$(named_urls commands)
  # Reads at the gateway reach several processes, so they have no guaranteed order without tokens.
  ! in_cluster || PROVE_COMMANDS+=",gateway=$COMMANDS_URL"
  PROVE_QUERIES=$(named_urls queries)
  PROVE_DATABASE="Host=$(postgres_hosts);Port=$APEXSHOP_PG_PORT;Username=postgres;Password=$POSTGRES_PASSWORD;Database=apexshop"
  ! in_cluster || PROVE_DATABASE+=";Target Session Attributes=primary;Timeout=3"
}

build_prove() { step "Building the checker" "$STATE/log/build.log" build_release "$ROOT/load/Prove"; }

# The logs of a shop are removed with it; those of a run that found something are kept next to its history.
keep_prove_logs() {
  local name
  for name in $PROCESSES $SERVERS gateway; do
    [[ ! -f $STATE/$name/log ]] || cp "$STATE/$name/log" "$1/$name.log"
    [[ ! -f $STATE/$name/log.1 ]] || cp "$STATE/$name/log.1" "$1/$name.log.1"
  done
}

# prove_shop FOLDER ARGUMENT...: a private shop with fresh data, of two processes of each kind or a cluster.
prove_shop() {
  local folder=$1 status=0
  shift
  start_private_servers '' --no-sync
  choose_process_ports
  if in_cluster; then set_scale "$CLUSTER_SCALE"; else set_scale "$PROVE_SCALE"; fi
  save_settings
  trap stop_report_shop EXIT
  # After an hour orders would expire while the shop is read at rest.
  [[ ${OPTION_SECONDS%%.*} -lt $PROVE_EXPIRY ]] || export Orders__PendingMinutes=0
  run_processes
  export_prove
  # Faults start processes by ./apexshop start, which locks the state folder itself.
  exec 9>&-
  run_prove --folder "$folder" "$@" || status=$?
  ((status == 0)) || keep_prove_logs "$folder"
  return "$status"
}

# The shop of this folder, without faults: others may use it too, so events without a request are expected.
prove_running() {
  is_running commands && is_running projector && is_running queries || fail "The shop is not running." "./apexshop up"
  mkdir -p "$1"
  export ADMIN_KEY PROVE_COMMANDS PROVE_QUERIES
  PROVE_COMMANDS=$(named_urls commands)
  PROVE_QUERIES=$(named_urls queries)
  run_prove --folder "$1" ${RUN[@]+"${RUN[@]}"} --faults none
}

# The processes over models of their servers: thousands of orders of everything that happens (docs/reliability.md).
simulate() {
  local tests=$ROOT/tests/Simulation.Tests
  [[ $1 =~ ^[0-9]+$ && $2 =~ ^[0-9]+$ ]] ||
    refuse_arguments "prove" "The number of schedules and the seed are numbers."
  step "Building the simulation" "$STATE/log/build.log" build_release "$tests"
  APEXSHOP_SCHEDULES=$1 APEXSHOP_SEED=$2 dotnet test "$tests" -c Release --no-build --nologo \
    --filter FullyQualifiedName~SimulationTests --logger 'console;verbosity=detailed'
}

verb_prove() {
  local folder
  load_settings
  need_dotnet
  mkdir -p "$STATE/log"
  if [[ -n $OPTION_SIMULATE ]]; then
    simulate "$OPTION_SIMULATE" "${OPTION_SEED:-1}"
    return
  fi
  build_prove
  prove_options
  # Before servers are started for a run that cannot begin.
  run_prove --validate ${RUN[@]+"${RUN[@]}"} || return 2
  folder=${OPTION_FOLDER:-$STATE/prove/$(date +%Y%m%d-%H%M%S)}
  if [[ $OPTION_FAULTS == help ]]; then
    run_prove --faults help
  elif [[ -n $OPTION_CHECK ]]; then
    [[ -f $OPTION_CHECK/header.json ]] || fail "There is no history in $OPTION_CHECK." \
      "Runs write theirs into $STATE/prove, a folder each."
    run_prove --check "$OPTION_CHECK"
  elif [[ -n $OPTION_SYNTHETIC ]]; then
    run_prove --synthetic "$OPTION_SYNTHETIC" --folder "$folder"
  elif [[ -n $OPTION_RUNNING ]]; then
    prove_running "$folder"
  else
    mkdir -p "$folder"
    attempt prove_shop "$folder" ${RUN[@]+"${RUN[@]}"}
    return "$STATUS"
  fi
}

# Sets RUN to the options for the program.
prove_options() {
  RUN=(${OPTION_SEED:+--seed "$OPTION_SEED"} ${OPTION_SECONDS:+--seconds "$OPTION_SECONDS"}
    ${OPTION_CLIENTS:+--clients "$OPTION_CLIENTS"} ${OPTION_FAULTS:+--faults "$OPTION_FAULTS"})
}
