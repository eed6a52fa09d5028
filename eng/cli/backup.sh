# Backup and restore of schema shop to a file: the tables and the event log, from which the documents are made again.
# base_backup.sh and point_in_time.sh have those of the whole server.

# The programs of the server's version.
dump_tables() {
  if [[ $ENGINE == docker ]]; then
    compose exec -T postgres pg_dump -U postgres -d apexshop -n shop -Fc
  else
    as_superuser "$PG_BIN/pg_dump" -h "$(postgres_host)" -p "$APEXSHOP_PG_PORT" -U postgres -d apexshop -n shop -Fc
  fi
}

need_postgres() {
  load_settings
  need_psql "No shop was started here yet."
  if in_cluster; then [[ -n $(primary_postgres) ]]; else server_responds postgres; fi ||
    fail "PostgreSQL is not running." "./apexshop up"
}

verb_backup() {
  case $SCOPE in
    'backup list') list_backups ;;
    'backup off') switch_archiving_off ;;
    'backup full') back_up_server full ;;
    *) if (($#)); then back_up_tables "$1"; else back_up_server ''; fi ;;
  esac
}

verb_restore() {
  local given=$#
  [[ -z $OPTION_TO ]] || given=$((given + 1))
  [[ -z $OPTION_LATEST ]] || given=$((given + 1))
  ((given == 1)) || refuse_arguments restore "Give one of: a FILE, --to TIME, --latest."
  if (($#)); then restore_file "$1"; else restore_point_in_time; fi
}

# An unfinished backup never has the name of a finished one, nor that of another unfinished one.
back_up_tables() {
  local file=$1 folder size
  [[ -n $file ]] || refuse_arguments backup "The name of the file is empty."
  folder=$(dirname "$file")
  [[ -d $folder && -w $folder ]] || fail "$folder is not a folder that can be written to."
  [[ ! -e $file ]] || fail "$file exists already; a backup is written to a new file."
  need_postgres
  name_unfinished "$folder"
  on_interrupt "There is no backup."
  # Only its owner can read what mktemp makes.
  PART=$(mktemp "$file.part.XXXXXX") || fail "The backup failed; the reason is above."
  trap 'rm -f "$PART"' EXIT
  dump_tables >"$PART" && sync "$PART" || fail "The backup failed; the reason is above."
  # `mv -n` never replaces a file: if $file exists by now, $PART stays. Some file systems do not support `ln`.
  mv -n "$PART" "$file" || true
  # Some file systems cannot sync a folder.
  sync "$folder" 2>/dev/null || true
  trap - EXIT
  [[ ! -e $PART ]] || fail "The backup is complete, but cannot have the name $file; another command may have made it." \
    "It is in $PART"
  size=$(wc -c <"$file")
  say "The tables and the event log are in $file ($(thousands "$((size))") bytes). It contains all users' data."
  say "Keep the keys too: $STATE/secrets"
}

# name_unfinished FOLDER: what backups that were killed have left in it; a running one has such a file too.
name_unfinished() {
  local left
  for left in "$1"/*.part.??????; do
    [[ ! -f $left ]] || say "Unfinished backup, if no other command writes it now: $left"
  done
}

# The new epoch prevents a comparison that began before the restore from confirming the documents.
DOUBT_DOCUMENTS="UPDATE read.projection_state SET origin = NULL,
  epoch = greatest(epoch + 1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)"

# The session of a restore that was killed goes on; when it is ended, its transaction is rolled back.
END_RESTORES="SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'apexshop restore'"

# How long a restore waits for a session that reads the tables, such as a backup: meanwhile Commands.Api is stopped.
LOCK_SECONDS=30

# backup_script FILE: the statements of a restore in one transaction, which a damaged file does not finish. Until the
# Projector has compared the documents with the log, queries with a Consistency-Token are refused.
backup_script() {
  local limit="SET lock_timeout = '${LOCK_SECONDS}s'"
  echo "$END_RESTORES; SET application_name = 'apexshop restore'; $limit; BEGIN; DROP SCHEMA shop CASCADE;"
  # The script of pg_restore resets the limit.
  postgres_script <"$1" && echo "$limit; $DOUBT_DOCUMENTS; COMMIT;"
}

# pg_restore without a database prints the statements.
postgres_script() {
  if [[ $ENGINE == docker ]]; then compose exec -T postgres pg_restore -f -; else "$PG_BIN/pg_restore" -f -; fi
}

restore_tables() { backup_script "$1" | sql apexshop -f - >/dev/null; }

# Reads the whole file, so that a damaged one is found before anything is stopped.
is_backup() {
  local tables
  tables=$(postgres_script <"$1" 2>/dev/null | grep -c '^CREATE TABLE shop\.events ') && ((tables == 1))
}

# Commands.Api must not write meanwhile. A restored shop gives ids again, so a token from before could be of another
# person's id: the key of tokens changes while no process has it, so that an interruption leaves none with the old one.
restore_file() {
  local file=$1 name apis restored
  [[ -r $file && -f $file ]] || fail "There is no file $file."
  need_postgres
  # Processes are started again on every machine, and the first one prepares the database.
  # shellcheck disable=SC2086
  ! in_cluster || all_run $SERVERS $PROCESSES || fail "A restore needs all machines of the cluster." \
    "./apexshop cluster  shows what is stopped, ./apexshop up starts it."
  is_backup "$file" ||
    fail "$file is not a complete backup of a shop." "./apexshop backup FILE writes one."
  confirm "Replace all tables and the event log by those of $file? Later changes are lost."
  need_dotnet
  open_state
  # Another command may have changed the scale, or stopped the shop, during the question.
  need_postgres
  apis="$(instances_of commands) $(instances_of queries)"
  on_interrupt "The tables are those of before, or all of the backup. ./apexshop up starts what was stopped."
  keep_without_samples
  for name in $apis; do signal "$name" TERM; done
  for name in $apis; do await_end "$name" "$(title "$name")" 40; done
  renew_token_keys
  for name in $(instances_of queries); do start_process "$name"; done
  attempt step "Restoring $file" "$STATE/log/restore.log" restore_tables "$file"
  restored=$STATUS
  attempt step "Preparing the database" "$STATE/log/database.log" prepare_database
  ((STATUS == 0)) ||
    fail "Commands.Api was not started, because its database could not be prepared." \
      "./apexshop up prepares it and starts what was stopped."
  for name in $(instances_of commands); do start_process "$name"; done
  for name in $apis; do await "$name" "$(title "$name")" 60 is_ready "$name"; done
  ((restored == 0)) || fail "Nothing was restored: the tables are those of before. Customers must log in again." \
    "The reason is above. If it is a lock timeout, another session, such as a backup, reads the tables:" \
    "wait until it has ended, then give the command again."
  say "Restored. Customers must log in again. If the documents contain later changes, the Projector detects that within" \
    "ten seconds and rebuilds them: ./apexshop rebuild status"
}
