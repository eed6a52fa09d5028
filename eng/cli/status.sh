# The state of the shop, for people and with --json for programs. It fails when something needs an operator.

# problem TEXT: something that needs an operator.
problem() { PROBLEMS+=("$1"); }

# free_space: of the disk with the data, in MB; where the folder does not exist yet, of the one with the program.
free_space() { if [[ -d $STATE ]]; then free_space_of "$STATE"; else free_space_of "$ROOT"; fi; }

# The name of a device or a share may have spaces: the columns are counted from the one with the percents.
free_space_of() { df -Pm "$1" | sed -En '2s/.* ([0-9]+) +[0-9]+% .*/\1/p'; }

# MB; below 200 RabbitMQ accepts no events (disk_free_limit).
LEAST_SPACE=300

read_space() {
  local free data
  free=$(free_space)
  ((free >= LEAST_SPACE)) ||
    problem "The disk of the state folder has $free MB left; without space RabbitMQ and PostgreSQL stop"
  # A link may lead to another disk.
  for data in "$STATE"/postgres*/data/; do
    [[ -L ${data%/} && -d $data ]] || continue
    free=$(free_space_of "$data")
    ((free >= LEAST_SPACE)) || problem "The disk of $data has $free MB left; without space RabbitMQ and PostgreSQL stop"
  done
}

# Adds a line to TEXT, and an object to JSON.
read_server() {
  local name=$1 port state=ready pid='-'
  port=$(server_port "$name")
  if ! server_is_up "$name"; then
    state=stopped
    problem "$(title "$name") is stopped; ./apexshop start $name starts it"
  elif ! server_responds "$name"; then
    state=unavailable
    problem "$(title "$name") is unavailable; ./apexshop logs $name shows why"
  fi
  if [[ $ENGINE == docker ]]; then pid=docker; elif is_running "$name"; then pid=$(pid_of "$name"); fi
  TEXT+=$(printf '  %-11s pid %-8s %-16s %s' "$name" "$pid" "$(address_of "$name"):${!port}" "$state")$'\n'
  JSON+=",{\"name\":\"$name\",\"state\":\"$state\",\"port\":${!port}}"
}

# read_health NAME: sets state and checks. The response is {"status":"ready","checks":{"postgres":"ok"}}. A dependency
# may just have started, so the process is asked again before one counts as unavailable.
read_health() {
  local turn response shape='"status":"([^"]*)","checks":(\{[^}]*\})'
  for turn in 1 2 3; do
    response=$(shop_curl -s -m 5 "$(process_url "$1")/health/ready") || true
    [[ ! $response =~ $shape ]] || state=${BASH_REMATCH[1]} checks=${BASH_REMATCH[2]}
    [[ $state == ready && $checks == *:\"unavailable\"* && $turn != 3 ]] || break
    sleep 1
  done
}

# read_dependencies NAME CHECKS: those without which a process is ready and does only a part of its work.
read_dependencies() {
  local check
  for check in $(grep -o '"[^"]*":"unavailable"' <<<"$2" | cut -d'"' -f2); do
    if [[ $check == documentsOfThisLog ]]; then
      problem "The documents are not of this event log; ./apexshop rebuild status shows whether they are being rebuilt"
    else
      problem "$(title "$1"): $check is unavailable; ./apexshop logs $1 shows why"
    fi
  done
}

read_process() {
  local name=$1 state=stopped pid='-' checks='{}' shown
  if is_running "$name"; then
    pid=$(pid_of "$name") state=unavailable
    read_health "$name"
  fi
  case $state in
    ready) read_dependencies "$name" "$checks" ;;
    stopped) problem "$(title "$name") is stopped; ./apexshop start $name starts it" ;;
    *) problem "$(title "$name") is $state; ./apexshop logs $name shows why" ;;
  esac
  shown=${checks//[\"\{\}]/} && shown=${shown//:/ } && shown=${shown//,/, }
  TEXT+=$(printf '  %-11s pid %-8s %-22s %s' "$name" "$pid" "$(process_url "$name")" "$state${shown:+: $shown}")$'\n'
  JSON+=",{\"name\":\"$name\",\"state\":\"$state\",\"url\":\"$(process_url "$name")\",\"checks\":$checks}"
}

# Adds the gateway of a cluster, in front of the processes.
read_gateway() {
  local state=ready pid='-'
  in_cluster || return 0
  if ! is_running gateway; then
    state=stopped
    problem "The gateway is stopped, so no client reaches the shop; ./apexshop start gateway starts it"
  else
    pid=$(pid_of gateway)
    gateway_is_ready >/dev/null || {
      state=unavailable
      problem "No ready process answers through the gateway; ./apexshop logs gateway"
    }
  fi
  TEXT+=$(printf '  %-11s pid %-8s %-22s %s' gateway "$pid" "$QUERIES_URL" "$state")$'\n'
  JSON+=",{\"name\":\"gateway\",\"state\":\"$state\",\"url\":\"$QUERIES_URL\",\"checks\":{}}"
}

# limited_sql DATABASE ARGUMENT...: as `sql`, with time limits: a restore and an erasure of files lock tables.
limited_sql() { sql "$1" -c "SET lock_timeout = '5s'" -c "SET statement_timeout = '30s'" "${@:2}"; }

# A cluster in which a replica does not follow loses its protection, though all its servers run.
read_replicas() {
  local count expected names
  in_cluster && database_runs || return 0
  names=$(members postgres)
  expected=$(($(wc -l <<<"$names") - 1))
  # When it cannot be read, the events cannot be read either, which is a problem of its own.
  count=$(limited_sql postgres -c "SELECT count(*) FROM pg_stat_replication
    WHERE state = 'streaming' AND application_name <> 'pg_basebackup'" 2>/dev/null) || return 0
  ((count >= expected)) ||
    problem "Replicas that follow the primary PostgreSQL: $count of $expected; ./apexshop logs ${names//$'\n'/ }"
}

# A line for each number: kind, name, and one or two numbers. Of many rows 100,000 are counted.
read_numbers() {
  limited_sql apexshop -F ' ' -c "
    SELECT 'outbox', 'waiting', count(*), 0 FROM (SELECT FROM shop.outbox LIMIT 100000) AS waiting
    UNION ALL SELECT 'log', name, position, 0 FROM shop.log_positions WHERE name IN ('head', 'published')
    UNION ALL SELECT 'parked', 'aggregates', count(DISTINCT (resource, aggregate_id)), 0
      FROM (SELECT resource, aggregate_id FROM read.parked_events LIMIT 100000) AS parked
    UNION ALL SELECT 'dead', 'letters', count(*), 0 FROM read.dead_letters
    UNION ALL SELECT 'resource', c.resource, l.position, c.position FROM read.checkpoints c
      JOIN shop.log_positions l ON l.name = c.resource ORDER BY 1, 2"
}

# Sets TEXT and JSON to the state of the events.
read_events() {
  local numbers kind name number projected resources=''
  TEXT='' JSON=''
  if ! database_runs || ! numbers=$(read_numbers 2>/dev/null) || [[ -z $numbers ]]; then
    problem "The tables cannot be read, or another command locks them; ./apexshop logs postgres shows why"
    TEXT=$'  unknown: the tables cannot be read\n' JSON=',"events":null'
    return
  fi
  while read -r kind name number projected; do
    case $kind in
      outbox | log)
        TEXT+=$(printf '  %-10s %12s %s' "$kind" "$number" "$name")$'\n'
        JSON+=",\"${name/waiting/outbox}\":$number"
        ;;
      resource)
        TEXT+=$(printf '  %-10s %12s last event, projected to %s' "$name" "$number" "$projected")
        ((number <= projected)) || TEXT+='  (behind)'
        # After a restore, until the documents are rebuilt.
        ((number >= projected)) || TEXT+='  (ahead of the log)'
        TEXT+=$'\n'
        resources+=",\"$name\":{\"last\":$number,\"projected\":$projected}"
        ;;
      parked) read_waiting parkedAggregates "$number" "Parked aggregates" ;;
      dead) read_waiting deadLetters "$number" "Dead letters" ;;
    esac
  done <<<"$numbers"
  JSON=",\"events\":{${JSON#,},\"resources\":{${resources#,}}}"
}

# read_waiting MEMBER NUMBER TEXT: events or messages that need an operator.
read_waiting() {
  JSON+=",\"$1\":$2"
  (($2 == 0)) || problem "$3: $(thousands "$2"); ./apexshop dlq lists them"
}

verb_status() {
  local name servers_json processes_json events_json TEXT='' JSON='' PROBLEMS=() all=''
  load_settings
  [[ -n $ENGINE ]] || fail "No shop was started here yet." "./apexshop up"
  find_postgres || true
  # The data of containers is in volumes.
  [[ $ENGINE == docker ]] || read_space
  for name in $SERVERS; do read_server "$name"; done
  read_replicas
  all+="Servers ($ENGINE)"$'\n'$TEXT servers_json=${JSON#,} TEXT='' JSON=''
  for name in $PROCESSES; do read_process "$name"; done
  read_gateway
  all+=$'Processes\n'$TEXT processes_json=${JSON#,}
  read_events
  all+=$'Events\n'$TEXT events_json=$JSON
  read_archive
  all+=$'Archive\n'$TEXT
  [[ ! -f $STATE/timelines.new ]] || problem "A restore runs, or was interrupted; then ./apexshop up puts the data back"
  if [[ -n $OPTION_JSON ]]; then
    printf '{"engine":"%s","ok":%s,"servers":[%s],"processes":[%s]%s,"problems":[%s]}\n' "$ENGINE" \
      "$( ((${#PROBLEMS[@]})) && echo false || echo true)" "$servers_json" "$processes_json" "$events_json$JSON" "$(problems_json)"
  else
    printf '%s' "$all"
    if ((${#PROBLEMS[@]})); then printf 'Problems\n' && printf '  %s\n' "${PROBLEMS[@]}"; else say "No problems."; fi
  fi
  ((${#PROBLEMS[@]} == 0))
}

# The texts are those of this file: none has a character that JSON escapes.
problems_json() {
  local one all=''
  for one in ${PROBLEMS[@]+"${PROBLEMS[@]}"}; do all+=",\"$one\""; done
  printf '%s' "${all#,}"
}
