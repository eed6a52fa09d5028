# What the servers' files still have after an erasure: rows that were replaced, samples of values, changes in the WAL,
# and messages that were consumed.

# What has personal data (docs/personal-data.md), and the samples of values that ANALYZE has taken.
ERASED_TABLES="shop.users shop.orders shop.reviews shop.events shop.outbox read.users read.orders read.reviews
  read.pending_names read.parked_events read.dead_letters pg_catalog.pg_statistic"

# How long PostgreSQL may take to end its old WAL files; those that are not archived yet stay.
WAL_SECONDS=120

# How long a transaction may go on that began before, such as that of a stream.
TRANSACTION_SECONDS=300

# Refused before anything is erased: only the files of native servers, one of each kind, can be rewritten here.
need_own_servers() {
  [[ -n $ENGINE ]] || fail "No shop was started here yet." "./apexshop up"
  [[ $ENGINE == native ]] && ! in_cluster || fail \
    "--files is for native servers, one of each kind; nothing was erased." \
    "./apexshop erase USER... works without it. For a cluster, containers and servers of your own:" \
    "docs/personal-data.md, 'The files of other servers'."
}

# Refused before anything is erased: a copy of a table has its indexes too, is written beside the table and to the WAL,
# and PostgreSQL stops when the disk is full.
need_space_for_files() {
  local sizes size wal free data
  sizes=$(sql apexshop -F ' ' -c "
    SELECT size, least(size, 2 * pg_size_bytes(current_setting('max_wal_size')) / 1048576)
    FROM (SELECT max(pg_total_relation_size(name::regclass)) / 1048576 + 1 AS size
      FROM regexp_split_to_table('$ERASED_TABLES', '\s+') AS name) AS largest") ||
    fail "Nothing was erased: the sizes of the tables cannot be read." "./apexshop status"
  read -r size wal <<<"$sizes"
  data=$(postgres_data)
  free=$(free_space_of "$data")
  ((free >= size + wal + SPARE_SPACE)) ||
    fail "Nothing was erased: --files needs $((size + wal + SPARE_SPACE)) MB on the disk of PostgreSQL's data" \
      "($size for a copy of the largest table, $wal for its changes in the WAL, $SPARE_SPACE that stay free)," \
      "but the disk of $data has only $free MB left. Make space, and start again." \
      "./apexshop erase USER... works without --files."
}

# Adds the whole databases that restores have left to REMAINING.
find_kept_data() {
  local data folder
  data=$(readlink -f "$STATE/postgres/data") || return 0
  for folder in "$data".{before,new,deleted} "$data".kept-*; do
    [[ ! -d $folder ]] || REMAINING+=(
      "A restore has left the database in $folder: delete it, or move it to another place and treat it as a backup")
  done
}

erase_files() {
  local table
  server_responds postgres && server_responds rabbitmq ||
    fail "PostgreSQL or RabbitMQ is not running." "./apexshop up"
  need_tools
  say "Requests wait while a table is copied; it is locked for as long as its line takes."
  for table in $ERASED_TABLES; do
    step "Copying $table" "$STATE/log/erase.log" copy_table "$table"
  done
  trap recycle_wal EXIT
  step "Removing the old WAL files" "$STATE/log/erase.log" end_old_wal
  trap - EXIT
  recycle_wal
  empty_rabbitmq
  restart_redis
  await_shop
}

# First its samples, because ANALYZE keeps those of a table that is empty now. A copy has each row that a transaction may
# still read, of any table, so those from before end first.
copy_table() {
  local now
  sql apexshop -c "DELETE FROM pg_statistic WHERE starelid = '$1'::regclass
    OR starelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = '$1'::regclass)"
  now=$(sql apexshop -c "SELECT pg_current_xact_id()::xid")
  await_transactions "$now" || return
  sql apexshop -c "VACUUM (FULL, ANALYZE) $1"
}

# await_transactions XID: waits until no transaction reads what it read before this one.
await_transactions() {
  local began left
  began=$(now_ms)
  while true; do
    left=$(sql apexshop -c "SELECT coalesce(application_name, '') || ', process ' || pid || ', since ' || xact_start
      FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND greatest(age(backend_xmin), age(backend_xid)) > age('$1'::xid)") || return
    [[ -n $left ]] || return 0
    (($(now_ms) - began < TRANSACTION_SECONDS * 1000)) || {
      say "These transactions may still read old rows: $left" "Wait until they have ended, then give the command again."
      return 1
    }
    sleep 0.5
  done
}

# Usually PostgreSQL writes new changes into old files, whose other bytes stay.
recycle_wal() { sql postgres -c 'ALTER SYSTEM RESET wal_recycle' -c 'SELECT pg_reload_conf()' >/dev/null; }

# ./apexshop erase --files that was killed may have left it off.
continue_recycling() {
  [[ $ENGINE == native ]] && ! in_cluster || return 0
  ! grep -qs '^wal_recycle' "$(postgres_data)/postgresql.auto.conf" || recycle_wal
}

# A file that is in use is ended by zeros, also one that was recycled before; a checkpoint then removes it. A session
# that begins with the setting began after the checkpointer was signalled to read it, so after one more checkpoint no
# file is recycled.
end_old_wal() {
  local began last left
  began=$(now_ms)
  sql postgres -c 'ALTER SYSTEM SET wal_recycle = off' -c 'SELECT pg_reload_conf()'
  until [[ $(sql postgres -c 'SHOW wal_recycle') == off ]]; do
    (($(now_ms) - began < WAL_SECONDS * 1000)) || {
      say "PostgreSQL has not taken the setting wal_recycle = off. Was it started with another one?"
      return 1
    }
    sleep 0.1
  done
  sql postgres -c CHECKPOINT
  last=$(sql postgres -c "SELECT max(substr(name, 9)) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}\$'")
  sql postgres -c "DO \$\$ BEGIN
    WHILE substr(pg_walfile_name(pg_current_wal_insert_lsn()), 9) <= '$last' LOOP
      PERFORM pg_logical_emit_message(false, 'apexshop', 'erase');
      PERFORM pg_switch_wal();
    END LOOP; END \$\$"
  while true; do
    sql postgres -c CHECKPOINT
    left=$(old_wal_files "$last")
    [[ $left != 0 ]] || return 0
    (($(now_ms) - began < WAL_SECONDS * 1000)) || {
      say "PostgreSQL keeps $left old files of its WAL. Are they archived? ./apexshop status"
      return 1
    }
    sleep 1
  done
}

# old_wal_files LAST: the number of those up to this one.
old_wal_files() {
  sql postgres -c "SELECT count(*) FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}\$' AND substr(name, 9) <= '$1'"
}

# A quorum queue keeps consumed messages in its files until some thousands of others follow. All are in the event log,
# from which a consumer reads what it misses, so the node starts without them.
empty_rabbitmq() {
  delete_messages
  say "RabbitMQ was started without its messages; what was not delivered is read from the event log."
}

# It keeps its data in memory only.
restart_redis() {
  stop_server redis
  start_server redis
  say "Redis was started without its data."
}

await_shop() {
  local name
  for name in $PROCESSES; do ! is_running "$name" || await "$name" "$(title "$name")" 60 is_ready "$name"; done
}
