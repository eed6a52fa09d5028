# Seeding, and waiting until the documents contain every event.

log_head() { sql apexshop -c "SELECT position FROM shop.log_positions WHERE name = 'head'"; }

# All events that are not in the documents yet: outbox rows without a position, and the events after each resource's
# checkpoint.
events_waiting() {
  sql apexshop -c "
    SELECT (SELECT count(*) FROM shop.outbox) + (SELECT count(*) FROM shop.events e
      JOIN read.checkpoints c ON c.resource = e.resource
      WHERE e.position > (SELECT min(position) FROM read.checkpoints) AND e.position > c.position)"
}

PROJECTED="NOT EXISTS (SELECT FROM shop.log_positions l JOIN read.checkpoints c ON c.resource = l.name
    WHERE c.position < l.position) AND NOT EXISTS (SELECT FROM shop.outbox)"

# Polls inside the server for up to two seconds: starting a client for each poll would take the time that is measured.
all_projected() {
  [[ $(sql apexshop \
    -c "DO 'BEGIN FOR turn IN 1..100 LOOP EXIT WHEN $PROJECTED; PERFORM pg_sleep(0.02); END LOOP; END'" \
    -c "SELECT $PROJECTED") == t ]]
}

# Fails when no event was projected for a minute.
await_projection() {
  local left before=-1 moved
  moved=$(now_ms)
  until all_projected; do
    left=$(events_waiting)
    if [[ $left != "$before" ]]; then
      before=$left moved=$(now_ms)
      note "  $(thousands "$left") events are not projected yet"
    fi
    (($(now_ms) - moved < 60000)) || fail "No event was projected for 60 s, and $left are waiting." \
      "./apexshop status shows the positions, ./apexshop logs projector commands shows the errors."
  done
}

# The server sends its progress as JSON lines. On a terminal the numbers are updated, in a log file only complete steps
# are printed. A line that is not progress is an error and printed unchanged.
show_progress() {
  local line kind count total shape='"kind":"([^"]+)","done":([0-9]+),"total":([0-9]+)'
  while IFS='' read -r line || [[ -n $line ]]; do
    if [[ -n ${OPTION_JSON:-} ]] || ! [[ $line =~ $shape ]]; then
      say "$line"
      continue
    fi
    kind=${BASH_REMATCH[1]} count=${BASH_REMATCH[2]} total=${BASH_REMATCH[3]}
    if [[ $kind == total ]]; then
      continue
    elif ((count == total)); then
      [[ ! -t 1 ]] || printf '\r'
      printf '  %-12s %9s rows%20s\n' "$kind" "$(thousands "$total")" ''
    elif [[ -t 1 ]]; then
      printf '\r  %-12s %9s of %s rows' "$kind" "$(thousands "$count")" "$(thousands "$total")"
    fi
  done
}

# seed_shop SCALE: prints the rate from the request to the last document.
seed_shop() {
  local began before after took events
  before=$(log_head)
  began=$(now_ms)
  note "Seeding ..."
  operator_curl -N --fail-with-body -X POST "$COMMANDS_URL/admin/seed" -H 'Content-Type: application/json' \
    -d "{\"scale\":$1}" | show_progress ||
    fail "Seeding failed; the reason is above, more is in $STATE/commands/log"
  await_projection
  took=$(($(now_ms) - began))
  after=$(log_head)
  events=$((after - before))
  if [[ -n ${OPTION_JSON:-} ]]; then
    say "{\"kind\":\"projected\",\"events\":$events,\"seconds\":$(seconds "$took")}"
  elif ((events == 0)); then
    say "Nothing to seed: all rows exist already."
  else
    say "Seeded and projected $(thousands "$events") events in $(seconds "$took") s:" \
      "$(thousands $((events * 1000 / (took + 1)))) events/s"
  fi
}

CUSTOMER_EMAIL=customer@example.com

# A customer of the sample shop who can sign in to the storefront: the password of those in the seed is not stored.
add_customer() {
  local status
  status=$(printf '{"email":"%s","password":"%s","firstName":"Sam","lastName":"Sample"}' \
    "$CUSTOMER_EMAIL" "$CUSTOMER_PASSWORD" | operator_curl -o /dev/null -w '%{http_code}' -X POST \
    "$COMMANDS_URL/users" -H 'Content-Type: application/json' -d @-) || true
  # 409: an `up` before was interrupted after this request.
  [[ $status == 201 || $status == 409 ]] ||
    fail "The sample customer was not added ($status)." "./apexshop up tries again; more is in $STATE/commands/log"
  touch "$STATE/customer"
}

verb_seed() {
  local scale=${1:-1}
  [[ $scale =~ ^[1-9][0-9]{0,2}$ ]] && ((scale <= 100)) ||
    refuse_arguments seed "'$scale' is not a scale; give a whole number from 1 to 100, 1 is the sample shop."
  load_settings
  need_running commands
  need_psql
  on_interrupt "Rows that were written stay and are projected; ./apexshop seed $scale adds the others."
  seed_shop "$scale"
}
