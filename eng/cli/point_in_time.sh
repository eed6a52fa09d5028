# Restore of the whole server to a point in time. The backup is copied beside the data while the shop runs; then the
# folders are exchanged and PostgreSQL applies the archived changes. Until that has succeeded, the previous data is kept.

restore_point_in_time() {
  read_point_in_time
  need_archive_tools
  need_dotnet
  need_tools
  [[ -d $STATE/commands/app ]] || fail "This shop was never started." "./apexshop up --no-seed  and then again"
  open_state
  choose_archive
  [[ -n $BACKUPS_KEY ]] || fail "$STATE/secrets has no BACKUPS_KEY, with which backups are read." \
    "Copy the file of the shop that made them, and start again."
  check_repository
  # The data may be lost, and its folder with it.
  prepare_postgres_folder postgres
  write_archive_settings restore.conf
  archive_last_changes
  choose_backup
  need_space_for_copy
  confirm "Replace all data by that of $POINT_IN_TIME? Later changes are lost, and the shop is stopped meanwhile."
  on_interrupt "./apexshop up starts the shop with the data from before."
  copy_backup
  exchange_data
  attempt step "Applying the changes up to $POINT_IN_TIME" "$STATE/log/replay.log" await_promotion
  if ((STATUS)); then
    put_back_data
    attempt start_shop
    ((STATUS == 0)) || say "The shop was not started completely; ./apexshop up starts the rest."
    fail "Nothing was restored: the data is that from before. Customers must log in again." \
      "PostgreSQL's log of the attempt is $STATE/postgres/log.1"
  fi
  keep_timeline
  on_interrupt "The data is restored. ./apexshop up starts what is not running."
  attempt start_shop
  ((STATUS == 0)) ||
    fail "The data is restored: $POINT_IN_TIME. But the shop was not started completely; the reason is above." \
      "./apexshop up starts the rest. Customers must log in again." \
      "The data from before is kept in $(postgres_data).before"
  discard_data
  say "Restored: $POINT_IN_TIME. Customers must log in again. ./apexshop audit compares all documents with the tables."
}

# Sets AT in microseconds, TARGET as PostgreSQL reads it and POINT_IN_TIME as people do. A time without a zone is
# refused: the times in logs are UTC, that on a clock is not.
read_point_in_time() {
  local day='[0-9]{4}-[0-9]{2}-[0-9]{2}' time='[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?' shape
  shape="^${day}[ T]$time(Z|[+-][0-9]{2}(:?[0-9]{2})?)\$"
  AT=9000000000000000 TARGET='' POINT_IN_TIME='the last archived change'
  [[ -z $OPTION_LATEST ]] || return 0
  [[ $OPTION_TO =~ $shape ]] && AT=$(date -u -d "$OPTION_TO" +%s%6N 2>/dev/null) ||
    refuse_arguments restore "'$OPTION_TO' is not a time with a zone, such as 2026-11-22T15:04:05Z."
  TARGET=$(date -u -d "$OPTION_TO" '+%Y-%m-%d %H:%M:%S.%6N+00')
  POINT_IN_TIME="$(date -u -d "$OPTION_TO" '+%Y-%m-%d %H:%M:%S.%6N') UTC"
}

# This shop archives to the repository from which it is restored.
archives_here() {
  [[ $(saved_value archive ARCHIVING) == on && $(saved_value archive REPOSITORY) == "$REPOSITORY" ]] &&
    grep -qxF "repo1-path=$REPOSITORY" "$(archive_folder)/pgbackrest.conf" 2>/dev/null
}

# Every change since a backup is in the archive: there was a backup since archiving began.
archive_is_whole() { archives_here && [[ -n $(saved_value archive LAST_BACKUP) ]]; }

# Sets END, the time in microseconds before which changes are archived; nothing when PostgreSQL does not run. The
# transaction is the change after --to that the recovery needs to know that it has reached the time.
archive_last_changes() {
  END=''
  if ! archives_here || ! server_responds postgres; then return; fi
  END=$(sql postgres -c 'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM pg_current_xact_id()')
  attempt step "Archiving what was changed until now" "$STATE/log/archive.log" archive_tool pgbackrest.conf check
  ((STATUS == 0)) ||
    fail "Nothing was stopped or changed: the last changes cannot be archived, so a restore would lose them for ever." \
      "./apexshop status  and docs/operations.md, 'The archive', or ./apexshop stop postgres to restore without them."
}

# Sets BACKUP and TIMELINE.
choose_backup() {
  local current unbroken
  read_backups restore.conf
  [[ -n $BACKUPS ]] || fail "$REPOSITORY has no backup." "APEXSHOP_BACKUPS names another folder."
  [[ $BACKUPS_VERSION == "$PG_VERSION" ]] ||
    fail "The backups are of PostgreSQL $BACKUPS_VERSION; this shop has $PG_VERSION." \
      "Install postgresql-$BACKUPS_VERSION before the first ./apexshop up."
  current=$(current_timeline)
  TIMELINE=$current
  [[ -z $TARGET ]] || TIMELINE=$(timeline_at "$AT")
  BACKUP=$(best_backup "$AT" "$TIMELINE" <<<"$BACKUPS")
  if [[ -z $END || $TIMELINE != "$current" ]]; then
    END=$(archive_end "$TIMELINE")
    END=${END:-0}000000
  fi
  unbroken=$(unbroken_end "$(awk -F '\t' -v name="$BACKUP" '$1 == name { print $4 }' <<<"$BACKUPS")")
  ((END < unbroken)) || END=$unbroken
  [[ -n $BACKUP && ( -z $TARGET || $AT -lt $END ) ]] ||
    fail "$POINT_IN_TIME cannot be restored; nothing was stopped or changed." "$(range_of "$TIMELINE")" \
      "./apexshop restore --latest  restores the last archived change."
}

# MB that stay free for what the shop and the recovery write; RabbitMQ accepts no events below 200.
SPARE_SPACE=500

# space_of_changes: the MB of WAL that the recovery keeps at a time: 16 for each archived file from the end of the backup
# to the point in time, and at most twice max_wal_size: those that were applied are removed at a checkpoint only.
space_of_changes() {
  local first most
  first=$(awk -F '\t' -v name="$BACKUP" '$1 == name { print substr($4, 9) }' <<<"$BACKUPS")
  most=$(sed -n 's/^max_wal_size = \([0-9]*\)GB$/\1/p' "$ROOT/deploy/compose/postgres/postgresql.conf")
  archived_files | awk -v first="$first" -v at="$AT" -v most="$((most * 2048))" '
      substr($1, 9, 16) >= first && $2 * 1000000 <= at { mb += 16 }
      END { print mb < most ? mb + 0 : most }'
}

# The copy is beside the data, and PostgreSQL stops when the disk is full.
need_space_for_copy() {
  local folder size changes free
  folder=$(dirname "$(postgres_data)")
  size=$(awk -F '\t' -v name="$BACKUP" '$1 == name { printf "%.0f", $5 / 1048576 }' <<<"$BACKUPS")
  changes=$(space_of_changes)
  free=$(free_space_of "$folder")
  ((free >= size + changes + SPARE_SPACE)) ||
    fail "Nothing was stopped or changed: a restore needs $((size + changes + SPARE_SPACE)) MB beside the data" \
      "($size for the backup, $changes for the archived changes after it, $SPARE_SPACE that stay free)," \
      "but the disk of $folder has only $free MB left. Make space, and start again." \
      "Or move the data to a larger disk (./apexshop down), and make $STATE/postgres/data a link to it."
}

# The shop runs meanwhile. --set: the tool's own choice of a backup does not know which changes were undone.
copy_backup() {
  local data target=()
  data=$(postgres_data)
  ! mountpoint -q "$data" || fail "$data is a mount point; a restore exchanges this folder." \
    "Move the data into a folder on that disk, and make $STATE/postgres/data a link to it."
  take_backup_lock
  touch "$STATE/restoring"
  rm -rf "$data.new"
  (umask 077 && mkdir "$data.new")
  ((EUID != 0)) || chown postgres "$data.new"
  [[ -z $TARGET ]] || target=(--type=time --target="$TARGET" --target-action=promote)
  attempt step "Copying the backup $BACKUP" "$STATE/log/restore.log" archive_tool restore.conf restore --set="$BACKUP" \
    --pg1-path="$data.new" --target-timeline="$TIMELINE" ${target[@]+"${target[@]}"} \
    --recovery-option="restore_command=$(archive_command restore.conf 'archive-get %f "%p"')"
  exec 8>&-
  if ((STATUS)); then
    rm -rf "$data.new"
    rm -f "$STATE/restoring"
    fail "Nothing was stopped or changed: the backup could not be copied; the reason is above."
  fi
}

# From the first line on, the next ./apexshop puts the data of before back, until keep_timeline.
exchange_data() {
  local data
  data=$(postgres_data)
  stop_processes
  # The recovery needs a change after the time at which the processes stopped.
  if archives_here && server_responds postgres; then sql postgres -c 'SELECT pg_current_xact_id()' >/dev/null; fi
  renew_token_keys
  keep_without_samples
  stop_server postgres
  # A cached response could have a change that is undone.
  stop_server redis
  [[ ! -e $data.before ]] || mv "$data.before" "$data.kept-$(date +%s)"
  timelines >"$STATE/timelines.new"
  mv "$data" "$data.before"
  mv "$data.new" "$data"
  # The version file may have been lost with the data.
  echo "$PG_VERSION" >"$STATE/postgres/version"
  start_postgres
}

# While changes are applied, PostgreSQL has the password of an earlier time. At the end a refusal is final: the data is
# of another shop, or of a time with another password. PostgreSQL takes an error of the archive for its end, so the log
# is searched for errors; a missing file is not an error.
await_promotion() {
  local answer='' refused=0
  until [[ $answer == f ]]; do
    sleep 0.5
    answer=$(sql postgres -c 'SELECT pg_is_in_recovery()' 2>&1) || true
    if [[ $answer == *'password authentication failed'* && $(cluster_state "$(postgres_data)") == 'in production' ]]; then
      refused=$((refused + 1))
    else
      refused=0
    fi
    # The first refusal may have preceded the end.
    if ! is_running postgres || ((refused > 1)); then
      grep -v 'the database system is starting up' "$STATE/postgres/log" | tail -n 20
      ((refused == 0)) || say "The restored data has another POSTGRES_PASSWORD than $STATE/secrets." \
        "If it is this shop's data, write the password of that time into that file, and give the command again."
      return 1
    fi
  done
  ! awk '/selected new timeline ID/ { exit } /ERROR: \[/ { print; found = 1 } END { exit !found }' "$STATE/postgres/log"
}

# The rename of the file is what makes the restore final.
keep_timeline() {
  local line
  line=$(sql postgres -F ' ' -v parent="$TIMELINE" -v at="$AT" -f - <<'SQL'
SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int, :parent, now, least(:at, now)
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS clock;
SQL
  )
  printf '%s\n' "$line" >>"$STATE/timelines.new"
  sync "$STATE/timelines.new"
  mv -f "$STATE/timelines.new" "$STATE/timelines"
  # A trial beside the shop that archives there must not change its repository; a backup copies the file too.
  ! archives_here || copy_timelines ||
    say "$REPOSITORY cannot be written; ./apexshop status shows whether changes are archived."
}

# cluster_state DATA: as PostgreSQL has written it last; nothing where there is no data.
cluster_state() { LC_ALL=C "$PG_BIN/pg_controldata" "$1" 2>/dev/null | sed -n 's/^Database cluster state: *//p' || true; }

# The data of before is only deleted when the archive has all its changes.
discard_data() {
  local data kept
  data=$(postgres_data)
  if archive_is_whole && [[ $(cluster_state "$data.before") == 'shut down' ]] &&
    ! compgen -G "$data.before/pg_wal/archive_status/*.ready" >/dev/null; then
    rm -rf "$data.deleted"
    mv "$data.before" "$data.deleted"
    rm -rf "$data.deleted"
  else
    kept=$data.kept-$(date +%s)
    mv "$data.before" "$kept"
    say "The data from before is kept in $kept, because its last changes are not in the archive."
  fi
  rm -f "$STATE/restoring"
}

start_shop() {
  start_servers
  step "Preparing the database" "$STATE/log/database.log" prepare_database
  start_processes
}

# What a restore that was killed has left. No other ./apexshop runs now.
put_back_data() {
  local data
  [[ -f $STATE/timelines.new ]] || return 0
  say "A restore did not finish: the data from before it is put back."
  signal postgres INT
  await_end postgres PostgreSQL 60
  data=$(readlink -f "$STATE/postgres/data") && [[ -d $data || -d $data.before ]] ||
    fail "$STATE/postgres/data is missing, and so is what the restore has kept." "Is its disk mounted?"
  if [[ -d $data.before ]]; then
    end_unknown_postgres "$data"
    rm -rf "$data"
    mv "$data.before" "$data"
  fi
  rm -f "$STATE/timelines.new"
}

# After a restore that was killed: removes its copy of the backup, and data that was not deleted completely. The tool
# that copies goes on, with its lock, when its command was killed.
remove_copies() {
  local data folder
  [[ -f $STATE/restoring ]] && (exec 8>"$STATE/backup.lock" && flock -n 8) || return 0
  data=$(readlink -f "$STATE/postgres/data") || return 0
  for folder in "$data".{new,deleted}; do
    [[ -d $folder ]] || continue
    say "Removing $folder, which a restore has left."
    rm -rf "$folder"
  done
  rm -f "$STATE/restoring"
}

# end_unknown_postgres FOLDER: a restore that was killed right after the start of PostgreSQL has not written its id.
end_unknown_postgres() {
  local pid=''
  [[ ! -f $1/postmaster.pid ]] || read -r pid <"$1/postmaster.pid"
  [[ -n $pid && $(readlink "/proc/$pid/cwd") == "$(cd "$1" && pwd -P)" ]] || return 0
  kill -s INT "$pid"
  while [[ -n $(identity "$pid") ]]; do sleep 0.1; done
}
