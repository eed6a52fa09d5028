# Erasure of personal data: the request for each user, then the steps that follow it in docs/personal-data.md, 'A request for
# erasure'. erased_files.sh has the last one.

# How long a request is repeated that fails for now, and how long the documents may be behind without progress.
ERASE_SECONDS=60

verb_erase() {
  local id
  (($# > 0)) || [[ -n $OPTION_FILES ]] || refuse_arguments erase "Give the ids of users, or --files."
  for id in "$@"; do check_user "$id"; done
  load_settings
  [[ -z $OPTION_FILES ]] || need_own_servers
  need_running commands projector
  need_psql
  if [[ -n $OPTION_FILES ]]; then need_space_for_files; fi
  confirm_erasure "$*"
  if [[ -n $OPTION_FILES ]]; then
    open_state
    # Another command may have changed the scale during the question.
    load_settings
  fi
  on_interrupt "What is erased stays erased, and the same command does the rest. ./apexshop up starts what is stopped."
  ERASED='' REMAINING=()
  for id in "$@"; do erase_user "$id"; done
  if [[ -n $ERASED ]]; then
    erase_copies
  elif (($# == 0)); then
    # The tables that a rebuild has kept have the old bytes of their rows too.
    (rebuild_drop) || fail "No file was changed; the reason is above." \
      "If a rebuild runs, wait until it has ended. Then give the same command again."
  fi
  [[ -z $OPTION_FILES ]] || find_kept_data
  # Before the files: they would have to be copied again.
  ((${#REMAINING[@]} == 0)) || fail "Not all is erased. Do this, then give the same command again:" "${REMAINING[@]}"
  if [[ -n $OPTION_FILES ]]; then
    erase_files
  elif [[ $ENGINE == native ]] && ! in_cluster; then
    say "The files of PostgreSQL and RabbitMQ still have old bytes: ./apexshop erase --files"
  else
    say "The files of the servers still have old bytes: docs/personal-data.md, 'The files of other servers'."
  fi
  say "Backups and archives from before have the data: docs/personal-data.md, 'A request for erasure'."
}

check_user() {
  [[ $1 =~ ^[1-9][0-9]{0,9}$ ]] && (($1 <= 2147483647)) ||
    refuse_arguments erase "'$1' is not the id of a user, such as 17."
}

confirm_erasure() {
  local question=''
  [[ -z $1 ]] || question="Erase the personal data of the users ${1// /, } permanently? "
  question+="Drop the documents from before a rebuild? "
  [[ -z $OPTION_FILES ]] || question+="Lock and copy tables, and empty RabbitMQ and Redis, while requests wait? "
  confirm "${question% }"
}

# erase_user ID: adds it to ERASED, or what an operator has to do to REMAINING. Other refusals end by themselves.
erase_user() {
  local answer status code began
  began=$(now_ms)
  while true; do
    answer=$(operator_curl -m 600 -X POST "$COMMANDS_URL/users/$1/erase" -w '\n%{http_code}') || answer=$'\n000'
    status=${answer##*$'\n'}
    if [[ $status == 204 ]]; then
      ERASED+="${ERASED:+,}$1"
      return
    fi
    answer=$(flat_json <<<"${answer%$'\n'*}")
    code=$(flat_value code <<<"$answer")
    case $status$code in
      000* | 429* | 5* | 409version.overtaken) ;;
      409user.has_open_orders)
        REMAINING+=("users/$1: deliver or cancel these orders:$(awk '$1 ~ /\.ids\.[0-9]+$/ { printf " %s", $2 }' <<<"$answer")")
        return
        ;;
      *)
        REMAINING+=("users/$1: $(flat_value detail <<<"$answer") ($status $code)")
        return
        ;;
    esac
    (($(now_ms) - began < ERASE_SECONDS * 1000)) ||
      fail "users/$1 could not be erased for $ERASE_SECONDS s ($status $code)." "./apexshop status" \
        "Give the same command again: a repeated erasure changes nothing."
    sleep 1
  done
}

# The documents and what is beside them: parked events, dead letters, and the tables from before a rebuild.
erase_copies() {
  local what parked named others
  say "Erased in the tables and the event log: users ${ERASED//,/, }"
  await_erased
  parked=$(parked_of_erased)
  for what in $parked; do
    (dlq_heal "$what") || REMAINING+=(
      "The document of $what was not healed, and its parked events have the person. Remove the cause shown above.")
  done
  # Two statements: one with both assignments has the status of the second query only.
  named=$(letters_of_erased true)
  others=$(letters_of_erased false)
  for what in $named; do dlq_discard "$what"; done
  for what in $others; do
    REMAINING+=("Dead letter $what may have a person: ./apexshop dlq show $what, then dlq replay or discard $what")
  done
  rebuild_drop
}

# A line for each document that is older than its row or has none any more, without those that wait for a heal, and for
# each customer whose name is not in all documents yet, with what changes while documents are written.
documents_behind() {
  sql apexshop -c "
    SELECT d.resource, d.id, 0 FROM (
      SELECT 'users' AS resource, s.id FROM shop.users s LEFT JOIN read.users r ON r.id = s.id
        WHERE s.id IN ($ERASED) AND coalesce(r.version, 0) < s.version
      UNION ALL SELECT 'users', r.id FROM read.users r LEFT JOIN shop.users s ON s.id = r.id
        WHERE r.id IN ($ERASED) AND NOT r.is_deleted AND s.id IS NULL
      UNION ALL SELECT 'orders', s.id FROM shop.orders s LEFT JOIN read.orders r ON r.id = s.id
        WHERE s.user_id IN ($ERASED) AND coalesce(r.version, 0) < s.version
      UNION ALL SELECT 'orders', r.id FROM read.orders r LEFT JOIN shop.orders s ON s.id = r.id
        WHERE r.customer_id IN ($ERASED) AND NOT r.is_deleted AND s.id IS NULL
      ) AS d LEFT JOIN read.parked_events p ON p.resource = d.resource AND p.aggregate_id = d.id
      WHERE p.position IS NULL
    UNION ALL SELECT 'names', n.key, (SELECT max(c.revision) FROM read.changes c WHERE c.kind = n.kind)
      FROM read.pending_names n WHERE n.member IN ('customer', 'user') AND n.key IN ($ERASED)"
}

await_erased() {
  local behind before='' began moved
  began=$(now_ms)
  moved=$began
  while true; do
    behind=$(documents_behind)
    [[ -n $behind ]] || return 0
    [[ $behind == "$before" ]] || moved=$(now_ms)
    before=$behind
    # Changes of other documents look like progress, so there is a limit for the whole, too.
    (($(now_ms) - moved < ERASE_SECONDS * 1000 && $(now_ms) - began < 20 * ERASE_SECONDS * 1000)) ||
      fail "$(wc -l <<<"$behind") documents or names of customers are not up to date." \
        "./apexshop status shows the positions, ./apexshop logs projector commands shows the errors."
    sleep 0.2
  done
}

# The parked events of the users, and of their orders, also of deleted ones.
parked_of_erased() {
  sql apexshop -c "
    SELECT DISTINCT resource || '/' || aggregate_id FROM read.parked_events
    WHERE resource = 'users' AND aggregate_id IN ($ERASED) OR resource = 'orders'
      AND (aggregate_id IN (SELECT id FROM shop.orders WHERE user_id IN ($ERASED))
        OR (convert_from(event, 'UTF8')::json -> 'data' ->> 'userId')::integer IN ($ERASED))"
}

# letters_of_erased true|false: the dead letters that name one of the users or one of their orders, or all others. The
# event log has the events of a message, so that discarding it loses none.
letters_of_erased() {
  sql apexshop -c "
    SELECT id FROM read.dead_letters WHERE $1 = EXISTS (
      SELECT FROM regexp_matches(encode(body, 'escape'),
        '\"(users/|orders/|userId\": *)([0-9]{1,9})[^0-9]', 'g') AS named
      WHERE named[1] <> 'orders/' AND named[2]::integer IN ($ERASED)
        OR named[1] = 'orders/' AND EXISTS (SELECT FROM shop.events
          WHERE resource = 'orders' AND aggregate_id = named[2]::integer
            AND (data ->> 'userId')::integer IN ($ERASED))) ORDER BY id"
}
