# Continuous archiving with pgBackRest: PostgreSQL hands over each file of its log (WAL), and every change is in the
# repository at the latest after archive_timeout.

# Sets what the shop archives with: ARCHIVING (on, off, or nothing before the first time), REPOSITORY, BACKUPS_KEPT and
# LAST_BACKUP.
load_archive() {
  ARCHIVING=$(saved_value archive ARCHIVING)
  REPOSITORY=$(saved_value archive REPOSITORY)
  BACKUPS_KEPT=$(saved_value archive BACKUPS_KEPT)
  LAST_BACKUP=$(saved_value archive LAST_BACKUP)
}

# utc SECONDS: a time as people and ./apexshop restore --to read it; the empty time is none.
utc() { if [[ -n $1 ]]; then date -u -d "@$1" '+%Y-%m-%d %H:%M:%SZ'; else echo none; fi; }

# save_archive ARCHIVING
save_archive() {
  ARCHIVING=$1
  save_setting archive "$(printf '%s=%s\n' ARCHIVING "$ARCHIVING" REPOSITORY "$REPOSITORY" \
    BACKUPS_KEPT "$BACKUPS_KEPT" LAST_BACKUP "$LAST_BACKUP")"
}

# The settings of the environment, else those of before, else the defaults.
choose_archive() {
  load_archive
  REPOSITORY=${APEXSHOP_BACKUPS:-$REPOSITORY}
  [[ -n $REPOSITORY ]] || REPOSITORY=$(default_repository)
  # One name for a folder: another spelling is not another repository.
  REPOSITORY=$(realpath -ms "$REPOSITORY")
  BACKUPS_KEPT=${APEXSHOP_BACKUPS_KEPT:-${BACKUPS_KEPT:-2}}
  [[ $BACKUPS_KEPT =~ ^[1-9][0-9]?$ ]] ||
    fail "APEXSHOP_BACKUPS_KEPT is '$BACKUPS_KEPT'; it is a number of full backups, from 1 to 99."
}

# Beside the data folder if the user postgres cannot enter the state folder.
default_repository() {
  if as_postgres test -x "$STATE"; then echo "$STATE/backups"; else echo "$(postgres_data).backups"; fi
}

need_archive_tools() {
  load_settings
  [[ -n $ENGINE ]] || fail "No shop was started here yet." "./apexshop up"
  ! in_cluster || fail "Archiving and restores to a point in time are for a single server, not for a cluster." \
    "./apexshop backup FILE works; docs/operations.md, 'A cluster on one machine'."
  [[ $ENGINE == native ]] || fail \
    "Archiving and restores to a point in time need native servers (APEXSHOP_SERVERS=native)." \
    "With Docker, ./apexshop backup FILE works; for the rest see docs/operations.md, 'Restore to a point in time'."
  find_postgres || fail "The programs of PostgreSQL are missing." "./apexshop up"
  command -v flock >/dev/null || fail "flock is missing; it is in the package util-linux."
  need_pgbackrest
}

# The folder of pgBackRest's settings and locks; the user postgres can enter it. The settings have the repository's key.
archive_folder() {
  local data
  data=$(postgres_data) || return
  echo "$data.pgbackrest"
}

# write_archive_settings FILE
write_archive_settings() {
  local folder
  folder=$(archive_folder) || return
  # Where the user postgres may write beside the data, it could have put a link there, which root must not follow.
  [[ ! -L $folder ]] || fail "$folder is a link." "Remove it, then give the command again."
  mkdir -p "$folder"
  chmod 700 "$folder"
  ((EUID != 0)) || chown -h postgres "$folder"
  (
    umask 077
    write_as_postgres "$folder/$1" <<CONF
[global]
repo1-path=$REPOSITORY
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=$BACKUPS_KEY
repo1-retention-full=$BACKUPS_KEPT
repo1-bundle=y
compress-type=zst
start-fast=y
lock-path=$folder
log-level-file=off
log-level-stderr=off
log-level-console=warn

[global:backup]
log-level-console=info

[global:restore]
log-level-console=info

[shop]
pg1-path=$(postgres_data)
pg1-port=$APEXSHOP_PG_PORT
pg1-user=postgres
pg1-database=postgres
CONF
  )
}

# The settings are beside the data, and name its folder: both are others when the data was moved while PostgreSQL was
# stopped. In a subshell, because a restore may read another repository than the one that is archived to.
follow_moved_data() (
  load_archive
  # Without the key the present settings stay, because they have it.
  [[ $ARCHIVING != on || -z $BACKUPS_KEY ]] || write_archive_settings pgbackrest.conf
)

# archive_tool FILE ARGUMENT...: pgBackRest with these settings. PGHOST: without it the tool would connect to a socket,
# which the server does not have.
archive_tool() {
  (
    cd /
    # Variables of the operator would replace these settings.
    unset "${!PGBACKREST_@}"
    export PGHOST=127.0.0.1
    as_superuser as_postgres pgbackrest --config="$(archive_folder)/$1" --stanza=shop "${@:2}"
  )
}

# archive_command FILE COMMAND: as PostgreSQL runs it, in which a single % begins a placeholder.
archive_command() {
  local file
  file=$(archive_folder)/$1
  printf 'pgbackrest --config="%s" --stanza=shop %s' "${file//%/%%}" "$2"
}

# The lines that the start of PostgreSQL adds to its settings.
archive_settings() {
  local command
  [[ $(saved_value archive ARCHIVING) == on ]] || return 0
  command=$(archive_command pgbackrest.conf 'archive-push "%p"')
  printf "archive_mode = on\narchive_timeout = 60s\narchive_command = '%s'\n" "${command//\'/\'\'}"
}

# A repository that is in use is never made again: its disk may not be mounted.
make_repository() {
  if [[ ! -e $REPOSITORY && $REPOSITORY != "$(saved_value archive REPOSITORY)" ]]; then
    mkdir -p "$REPOSITORY" || fail "The folder $REPOSITORY cannot be made." "APEXSHOP_BACKUPS names another one."
    ((EUID != 0)) || chown postgres "$REPOSITORY"
    chmod 700 "$REPOSITORY"
  fi
}

# Whether the last backup of this shop is in the folder.
had_backups() { [[ -n $LAST_BACKUP && $REPOSITORY == "$(saved_value archive REPOSITORY)" ]]; }

# Only a folder that is ours is written to; its owner is the user of PostgreSQL.
check_repository() {
  local user files
  local elsewhere="If it is lost: APEXSHOP_BACKUPS=OTHER ./apexshop backup  begins new backups in another folder."
  user=$(as_postgres id -un)
  [[ -e $REPOSITORY ]] || ! had_backups ||
    fail "There is no folder $REPOSITORY, which had the backups of this shop." "Is its disk mounted?" "$elsewhere"
  [[ -e $REPOSITORY ]] || fail "There is no folder $REPOSITORY." \
    "Is its disk mounted? Or APEXSHOP_BACKUPS names another one." \
    "For new backups in a new folder: install -d -m 700 -o $user '$REPOSITORY'"
  # Before the advice to change owners, and as the caller, who may list what the user of PostgreSQL cannot.
  files=$(ls -A "$REPOSITORY/" 2>/dev/null || as_postgres ls -A "$REPOSITORY/" 2>/dev/null || true)
  [[ -z $files || $'\n'$files$'\n' == *$'\narchive\n'* ]] ||
    fail "$REPOSITORY has files that are no backups." "APEXSHOP_BACKUPS names an empty folder, or one with backups."
  as_postgres test -d "$REPOSITORY" -a -r "$REPOSITORY" -a -w "$REPOSITORY" -a -x "$REPOSITORY" ||
    fail "$REPOSITORY is not a folder that the user $user, who runs PostgreSQL, can read and write." \
      "chown${files:+ -R} $user '$REPOSITORY' && chmod 700 '$REPOSITORY'" \
      "(the folders above it need the right to enter: x)" \
      "or APEXSHOP_BACKUPS=FOLDER ./apexshop backup  uses another folder."
  [[ -n $files ]] || ! had_backups ||
    fail "$REPOSITORY is empty, and had the backups of this shop." "Is its disk mounted?" "$elsewhere"
}

# A restore to the current timeline needs its file. PostgreSQL archives it once, when the timeline begins; another
# repository may be in use by then.
archive_timeline() {
  local file
  for file in "$(postgres_data)"/pg_wal/*.history; do
    if [[ -f $file && -z $(find "$REPOSITORY/archive/shop" -name "${file##*/}") ]]; then
      archive_tool pgbackrest.conf archive-push "$file"
    fi
  done
}

# The settings that are in use are replaced after the repository accepted them.
switch_archiving_on() {
  local folder
  choose_archive
  need_secrets_of_data
  [[ -n $BACKUPS_KEY ]] || new_secret BACKUPS_KEY
  make_repository
  check_repository
  folder=$(archive_folder)
  write_archive_settings pgbackrest.new
  step "Preparing $REPOSITORY" "$STATE/log/repository.log" archive_tool pgbackrest.new stanza-create
  # Changes from the time without this archive are in none of its backups, until the next backup.
  archives_here || LAST_BACKUP=''
  as_postgres mv -f "$folder/pgbackrest.new" "$folder/pgbackrest.conf"
  save_archive on
  if [[ $(sql postgres -c 'SHOW archive_mode') != on ]]; then
    say "Continuous archiving needs a restart of PostgreSQL. Requests fail for some seconds."
    write_postgres_settings "$(postgres_data)"
    restart_postgres
  fi
  archive_timeline
  step "Archiving what was changed until now" "$STATE/log/archive.log" archive_tool pgbackrest.conf check
}

# The processes connect again by themselves.
restart_postgres() {
  local name
  stop_server postgres
  start_server postgres
  for name in $PROCESSES; do ! is_running "$name" || await "$name" "$(title "$name")" 60 is_ready "$name"; done
}

switch_archiving_off() {
  need_archive_tools
  open_state
  load_archive
  on_interrupt "./apexshop backup off goes on from here; ./apexshop up starts PostgreSQL, without archiving."
  if ! archiving_is_off; then end_archiving; fi
  say "Continuous archiving is off.${REPOSITORY:+ The backups stay in $REPOSITORY.}" \
    "./apexshop backup switches it on again."
  is_running postgres || say "PostgreSQL is stopped; ./apexshop up starts it."
}

# Not by the settings alone: they are off before PostgreSQL is restarted, and that may have been interrupted.
archiving_is_off() {
  local mode
  [[ $ARCHIVING != on ]] || return 1
  is_running postgres || return 0
  mode=$(sql postgres -c 'SHOW archive_mode' 2>/dev/null) ||
    fail "PostgreSQL does not respond, so it is not known whether it archives." "./apexshop logs postgres"
  [[ $mode == off ]]
}

end_archiving() {
  local before=$ARCHIVING
  [[ $before != on ]] || save_archive off
  attempt write_postgres_settings "$(postgres_data)"
  if ((STATUS)); then
    [[ $before != on ]] || save_archive on
    fail "Continuous archiving is still on, and PostgreSQL was not restarted. Make space, and give the command again."
  fi
  # Also while it is stopped, because files that wait have filled the disk.
  if is_running postgres; then
    say "PostgreSQL is restarted. Requests fail for some seconds."
    restart_postgres
  fi
}

# Sets TEXT and JSON to the state of the archive, for ./apexshop status.
read_archive() {
  local mode last failed failing waiting late
  load_archive
  TEXT='' JSON=',"archive":null'
  if [[ $ARCHIVING != on ]]; then
    read_no_archive
    return
  fi
  if ! database_runs || ! read -r mode last failed failing waiting late < <(read_archive_numbers 2>/dev/null); then
    TEXT=$'  unknown: PostgreSQL is unavailable\n'
    return
  fi
  TEXT=$(printf '  %s; %s failed, %s files wait; last backup %s' "last archived $last" "$failed" "$waiting" \
    "$(utc "$LAST_BACKUP")")$'\n'
  JSON=",\"archive\":{\"mode\":\"$mode\",\"lastArchived\":\"$last\",\"failed\":$failed,\"waiting\":$waiting}"
  [[ $mode == on ]] || problem "PostgreSQL runs without archiving; ./apexshop restart postgres"
  [[ $failing$late != *t* ]] ||
    problem "Changes are not archived and fill the disk: $waiting files wait; docs/operations.md, 'The archive'"
}

# Sets TEXT for a shop whose settings do not archive; PostgreSQL may archive until its restart.
read_no_archive() {
  TEXT=$'  off; ./apexshop backup switches it on\n'
  [[ $ENGINE == native ]] || TEXT=$'  not available with Docker\n'
  ! in_cluster || TEXT=$'  not available in a cluster\n'
  if [[ -f $STATE/archive && -z $ARCHIVING ]]; then
    TEXT=$'  unknown: its settings are lost\n'
    problem "The settings of the archive are lost; docs/operations.md, 'The archive'"
  elif [[ $ENGINE == native ]] && ! in_cluster && database_runs &&
    [[ $(limited_sql postgres -c 'SHOW archive_mode' 2>/dev/null) == on ]]; then
    TEXT=$'  off, but PostgreSQL still archives\n'
    problem "PostgreSQL still archives; ./apexshop backup off restarts it"
  fi
}

# A file that waits for five minutes: the command hangs, or PostgreSQL tries again and again.
read_archive_numbers() {
  limited_sql postgres -F ' ' -c "
    SELECT current_setting('archive_mode'),
      coalesce(last_archived_wal || to_char(last_archived_time, '@YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), 'never'),
      failed_count, coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
      (SELECT count(*) FROM pg_ls_archive_statusdir() WHERE name LIKE '%.ready'),
      EXISTS (SELECT FROM pg_ls_archive_statusdir()
        WHERE name LIKE '%.ready' AND modification < now() - interval '5 minutes')
    FROM pg_stat_archiver"
}
