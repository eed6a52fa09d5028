# Addresses, state and logs of the shop.

write_env_file() {
  (
    umask 077
    cat >"$STATE/env" <<FACTS
COMMANDS_URL=$COMMANDS_URL
QUERIES_URL=$QUERIES_URL
PROJECTOR_URL=$PROJECTOR_URL
COMMANDS_URLS=$(urls_of commands)
QUERIES_URLS=$(urls_of queries)
PROJECTOR_URLS=$(urls_of projector)
ADMIN_KEY=$ADMIN_KEY
WRITE_DB=postgresql://commands:$COMMANDS_PASSWORD@127.0.0.1:$APEXSHOP_PG_PORT/apexshop
READ_DB=postgresql://queries:$QUERIES_PASSWORD@127.0.0.1:$APEXSHOP_PG_PORT/apexshop
RABBITMQ_URL=$RABBITMQ_URL
REDIS_URL=redis://default:$REDIS_PASSWORD@127.0.0.1:$APEXSHOP_REDIS_PORT
FACTS
  )
}

# addresses_of ROLE: the addresses of all processes of a kind.
addresses_of() { urls_of "$1" | tr ',' ' '; }

print_addresses() {
  cat <<FACTS

The shop is running.
  commands    $(addresses_of commands)   (to browse: $COMMANDS_URL/docs)
  queries     $(addresses_of queries)   (to browse: $QUERIES_URL/docs)
  storefront  $QUERIES_URL/
  projector   $(addresses_of projector)   (to see: $PROJECTOR_URL/health/ready)
  key         $ADMIN_KEY   (development, every scope)
  for scripts $STATE/env

Try it: create a product, read the first page, read the new product from the query API.
  id=\$(curl -sS -w '\n' $COMMANDS_URL/products -H 'Authorization: Bearer $ADMIN_KEY' -H 'Content-Type: application/json' -d '{"name":"Walnut desk","description":"Two drawers","price":249.90,"stock":12,"categoryId":1}' | tee /dev/stderr | sed 's/.*"id":\([0-9]*\).*/\1/')
  curl -sS -w '\n' '$QUERIES_URL/products/cursor?pageSize=2'
  curl -sS -w '\n' $QUERIES_URL/products/\$id

./apexshop status shows its state, ./apexshop down stops it, ./apexshop test runs the tests.
FACTS
}

server_line() {
  local name=$1 port state pid='-'
  port=$(server_port "$name")
  if ! server_is_up "$name"; then
    state=stopped
  elif server_responds "$name"; then
    state=ready
  else
    state=unavailable
  fi
  if [[ $ENGINE == docker ]]; then pid=docker; elif is_running "$name"; then pid=$(pid_of "$name"); fi
  printf '  %-11s pid %-8s 127.0.0.1:%-6s %s\n' "$name" "$pid" "${!port}" "$state"
  [[ $state == ready ]]
}

process_line() {
  local name=$1 state=stopped pid='-' ready=1
  if is_running "$name"; then
    pid=$(pid_of "$name")
    # {"status":"ready","checks":{"postgres":"ok"}} becomes "ready: postgres ok".
    state=$(curl -s -m 5 "$(process_url "$name")/health/ready" |
      sed 's/.*"status":"\([^"]*\)","checks":{\([^}]*\)}.*/\1: \2/; s/":"/ /g; s/"//g; s/,/, /g') || state=unavailable
    ! is_ready "$name" || ready=0
  fi
  printf '  %-11s pid %-8s %-22s %s\n' "$name" "$pid" "$(process_url "$name")" "$state"
  return "$ready"
}

pipeline_lines() {
  sql apexshop -F ' ' -c "
    SELECT 'outbox', count(*), 'waiting' FROM shop.outbox
    UNION ALL SELECT 'log', position, name FROM shop.log_positions WHERE name IN ('head', 'published')" |
    awk '{ printf "  %-10s %12s %s\n", $1, $2, $3 }'
  sql apexshop -F ' ' -c "
    SELECT c.resource, l.position, c.position FROM read.checkpoints c
    JOIN shop.log_positions l ON l.name = c.resource ORDER BY 1" |
    awk '{ printf "  %-10s %12s last event, projected to %s%s\n", $1, $2, $3, ($2 == $3 ? "" : "  (behind)") }'
}

# Succeeds only when all parts are available and up to date, so that scripts can use it.
verb_status() {
  local name bad=0
  load_settings
  [[ -n $ENGINE ]] || fail "No shop was started here yet." "./apexshop up"
  find_postgres || true
  say "Servers ($ENGINE)"
  for name in $SERVERS; do server_line "$name" || bad=1; done
  say "Processes"
  for name in $PROCESSES; do process_line "$name" || bad=1; done
  say "Events"
  if ! pipeline_lines 2>/dev/null; then
    say "  unknown: the tables cannot be read"
    bad=1
  fi
  return "$bad"
}

verb_logs() {
  local name files=()
  load_settings
  # shellcheck disable=SC2086
  [[ $# -gt 0 ]] || set -- $PROCESSES
  for name in "$@"; do
    [[ -f $STATE/$name/log ]] || fail "There is no log of '$name'. Names: $PROCESSES $SERVERS"
    files+=("$STATE/$name/log")
  done
  exec tail -n 40 -F "${files[@]}"
}
