# A private PostgreSQL: superuser with a password, the settings of deploy/compose/postgres, TCP on 127.0.0.1 only.

# Sets PG_BIN: the version that created the data, else the newest from 15 on.
find_postgres() {
  local folder version made=''
  PG_BIN=''
  [[ ! -r $STATE/postgres/version ]] || made=$(<"$STATE/postgres/version")
  for folder in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin "$(dirname "$(command -v postgres || echo /none/)")"; do
    [[ -x $folder/postgres && -x $folder/initdb && -x $folder/psql ]] || continue
    version=$("$folder/postgres" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
    ((version >= 15)) || continue
    if [[ -z $made || $made == "$version" ]]; then PG_BIN=$folder PG_VERSION=$version; fi
  done
  [[ -n $PG_BIN ]]
}

# Another version cannot read the data.
need_postgres_of_data() {
  local made
  [[ -r $STATE/postgres/version ]] && ! find_postgres || return 0
  made=$(<"$STATE/postgres/version")
  fail "This shop's data is of PostgreSQL $made, which is not installed: install postgresql-$made."
}

# need_psql [REASON]: psql of the data's version, or that of the container, runs statements. Without it, fails with
# the reason.
need_psql() {
  [[ $ENGINE == docker ]] || need_postgres_of_data
  find_postgres || [[ $ENGINE == docker ]] || fail "${1:-The programs of PostgreSQL are missing.}" "./apexshop up"
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if ((EUID == 0)); then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi
}

# write_as_postgres FILE: its standard input, the whole text or nothing. The user postgres may have put a link there,
# which root must not follow.
write_as_postgres() {
  as_postgres tee "$1.new" >/dev/null && as_postgres mv -f "$1.new" "$1" ||
    fail "$1 cannot be written; is its disk full?"
}

# need_data NAME: refuses a link to a folder that had the data and is missing or empty.
need_data() {
  local data=$STATE/$1/data problem
  [[ -L $data && -f $STATE/$1/version ]] && ! has_files "$data/" || return 0
  problem="The data of $(title "$1") is not in $(readlink "$data"), to which $data is a link."
  ! another_has_data "$1" ||
    fail "$problem" "Is its disk mounted? If the data is lost for good, copy it from another PostgreSQL of the cluster:" \
      "rm '$data' && ./apexshop up" \
      "If no PostgreSQL is the primary then: docs/operations.md, 'A cluster on one machine'."
  fail "$problem" "Is its disk mounted? If the data is lost for good:" \
    "1. Copy $STATE/secrets to another place, and the backups, if they are in $STATE." \
    "   No backup can be read without BACKUPS_KEY." \
    "2. rm '$data' && ./apexshop clean" \
    "3. docs/operations.md, 'Restore to a point in time': restore as on another machine, with the copied secrets."
}

has_files() { [[ -n $(ls -A "$1" 2>/dev/null) ]]; }

# another_has_data NAME: whether another PostgreSQL of the cluster has its data.
another_has_data() {
  local name
  in_cluster || return 1
  for name in $(members postgres); do
    [[ $name == "$1" ]] || ! has_files "$STATE/$name/data/server" || return 0
  done
  return 1
}

# prepare_postgres_folder NAME: the data folder, or a link to one that the user postgres can enter when it cannot enter
# the clone.
prepare_postgres_folder() {
  local data=$STATE/$1/data elsewhere
  need_data "$1"
  mkdir -p "$STATE/$1"
  if ((EUID != 0)); then
    mkdir -p "$data"
    return
  fi
  id postgres >/dev/null 2>&1 ||
    fail "PostgreSQL does not run as root and there is no user 'postgres'." "Create it: useradd --system --no-create-home postgres"
  [[ -e $data ]] || { rm -f "$data" && mkdir "$data"; }
  chmod 711 "$STATE/$1"
  if ! as_postgres test -x "$data/.." && [[ ! -L $data ]]; then
    elsewhere=/var/lib/apexshop/$(printf '%s' "$STATE" | cksum | cut -d' ' -f1)${1#postgres}
    rmdir "$data"
    # The user postgres must enter it, whatever the umask is.
    install -d -m 711 "${elsewhere%/*}"
    mkdir -p "$elsewhere"
    ln -s "$elsewhere" "$data"
    say "The user postgres cannot enter $STATE; PostgreSQL's data is in $elsewhere (linked from $data)."
  fi
  chown postgres "$data/"
}

# postgres_data [NAME]: the real path of the data folder; the user postgres may be unable to follow the link.
postgres_data() { (cd "$STATE/${1:-postgres}/data" && pwd -P); }

init_postgres() {
  local data pwfile
  # The creation that a killed command has left was awaited, and may have succeeded.
  [[ ! -f $STATE/postgres/version ]] || return 0
  data=$(postgres_data)
  pwfile=$data.password
  # Renamed after a complete creation: it marks an incomplete one.
  echo "$PG_VERSION" >"$STATE/postgres/version.new"
  find "$data" -mindepth 1 -delete
  (umask 077 && printf '%s\n' "$POSTGRES_PASSWORD" >"$pwfile")
  ((EUID != 0)) || chown postgres "$pwfile"
  # PostgreSQL's programs need read access to the current folder.
  cd /
  # C.UTF-8 is the same everywhere: sorting does not depend on the machine's locale.
  # shellcheck disable=SC2086
  as_postgres "$PG_BIN/initdb" -D "$data" -U postgres --auth=scram-sha-256 --pwfile="$pwfile" \
    --encoding=UTF8 --locale=C.UTF-8 ${INITDB_EXTRA:-}
  rm -f "$pwfile"
  mv -f "$STATE/postgres/version.new" "$STATE/postgres/version"
}

# need_no_data FOLDER: refuses a data folder whose version is missing, unless it is what an interrupted creation has
# left. PG_VERSION is one of the first files that are created. A link may lead to a folder with other files, which must
# not be deleted.
need_no_data() {
  # Files of an interrupted creation may be deleted, but a link may lead to another folder now, without its first files.
  [[ ! -f $STATE/postgres/version.new ]] ||
    [[ -L $STATE/postgres/data && ! -e $1/PG_VERSION && ! -e $1/pg_wal ]] || return 0
  [[ ! -e $1/PG_VERSION ]] ||
    fail "$1 has the data of a PostgreSQL, and $STATE/postgres/version is missing." \
      "If it is this shop's data, and $STATE/secrets has its passwords:" \
      "  cp '$1/PG_VERSION' '$STATE/postgres/version'" \
      "For new data, move the folder away."
  [[ ! -L $STATE/postgres/data || -z $(find "$1" -mindepth 1 ! -name lost+found -print -quit) ]] ||
    fail "$1, to which $STATE/postgres/data is a link, has files; a new PostgreSQL needs an empty folder." \
      "Let the link lead to an empty folder, such as a new one on the same disk."
}

# postgres_remains DATA: whether processes of a PostgreSQL that was killed still end.
postgres_remains() {
  local pid cwd
  [[ -s $1/postmaster.pid ]] || return 1
  read -r pid <"$1/postmaster.pid"
  ! kill -0 "$pid" 2>/dev/null || return 0
  for cwd in /proc/[0-9]*/cwd; do [[ ! $cwd -ef $1 ]] || return 0; done
  return 1
}

# A new one does not start beside them.
await_old_postgres() {
  local began
  began=$(now_ms)
  while postgres_remains "$1" && (($(now_ms) - began < 10000)); do sleep 0.1; done
}

# A server that was killed leaves its postmaster.pid, and PostgreSQL does not start while another program of its user has
# the pid. Only the pid is replaced, by one that no process of Linux can have: by the other lines PostgreSQL detects
# processes of the killed server that still use its memory.
replace_reused_pid() {
  local file=$1/postmaster.pid lines folder
  [[ -s $file ]] || return 0
  # Not as root: the user postgres may have put a link there.
  lines=$(as_postgres cat "$file")
  # A PostgreSQL works in its data folder. Where this cannot be read, the program is of another user or has ended.
  folder=$(as_postgres readlink "/proc/${lines%%$'\n'*}/cwd") && [[ ! $folder -ef $1 ]] || return 0
  sed '1s/.*/4194304/' <<<"$lines" | write_as_postgres "$file"
}

# write_postgres_settings DATA: those that are there already need no space on a full disk. So they are written before a
# restart too, which must not leave a running PostgreSQL stopped.
write_postgres_settings() {
  local settings file=$1/postgresql.conf
  settings=$(cat "$ROOT/deploy/compose/postgres/postgresql.conf" && archive_settings)
  if [[ -L $file ]] || ! cmp -s "$file" - <<<"$settings"; then write_as_postgres "$file" <<<"$settings"; fi
}

start_postgres() {
  local data
  prepare_postgres_folder postgres
  data=$(postgres_data)
  if [[ ! -f $STATE/postgres/version ]]; then
    need_no_data "$data"
    step "Creating a PostgreSQL $PG_VERSION cluster" "$STATE/log/initdb.log" \
      with_lock "$STATE/postgres/lock" init_postgres
  fi
  follow_moved_data
  write_postgres_settings "$data"
  replace_reused_pid "$data"
  await_old_postgres "$data"
  # POSTGRES_EXTRA is only set for the temporary servers of a test run.
  # shellcheck disable=SC2086
  (
    cd /
    # The commands of the archive inherit its environment: variables of the operator would replace their settings.
    unset "${!PGBACKREST_@}"
    launch_as_postgres postgres "$PG_BIN/postgres" -D "$data" -c listen_addresses=127.0.0.1 \
      -c port="$APEXSHOP_PG_PORT" -c unix_socket_directories= ${POSTGRES_EXTRA:-}
  )
}

# How long the recovery after a kill or a power cut may take before `up` fails.
RECOVERY_SECONDS=3600

# Prints 0 when PostgreSQL accepts connections, 1 when it refuses them until it has recovered, else a higher number.
connection_state() {
  local state=0
  "$PG_BIN/pg_isready" -q -t 5 -h "$(postgres_host)" -p "$APEXSHOP_PG_PORT" -U postgres -d postgres || state=$?
  echo "$state"
}

postgres_listens() { (($(connection_state) < 2)); }

# Prints a line every ten seconds, with PostgreSQL's own last line about the progress.
await_recovery() {
  local began passed progress printed=0
  await postgres PostgreSQL 60 postgres_listens
  began=$(now_ms)
  while is_running postgres && (($(connection_state) == 1)); do
    passed=$((($(now_ms) - began) / 1000))
    ((passed < RECOVERY_SECONDS)) || fail "PostgreSQL has not recovered its data within $RECOVERY_SECONDS s." \
      "It goes on. ./apexshop logs postgres shows the progress; ./apexshop up waits for it again."
    if ((passed >= printed + 10)); then
      progress=$(recovery_progress)
      say "PostgreSQL has been recovering its data for $passed s${progress:+: $progress}"
      printed=$passed
    fi
    sleep 0.5
  done
}

recovery_progress() {
  sed -n 's/.*LOG: *\(.*elapsed time: .*\)/\1/p' "$STATE/postgres/log" | awk '{ last = $0 } END { print last }'
}

# launch_as_postgres NAME COMMAND...
launch_as_postgres() {
  if ((EUID == 0)); then
    launch "$1" setpriv --reuid=postgres --regid=postgres --init-groups "${@:2}"
  else
    launch "$@"
  fi
}

# The address of the server, or those of a cluster, of which one is the primary.
postgres_hosts() { if in_cluster; then machine_addresses; else echo 127.0.0.1; fi; }

# postgres_places NAME: where the processes on the machine of a name reach it, or those of a cluster.
postgres_places() {
  local name all=''
  if in_cluster; then
    for name in $(members postgres); do all+=",$(address_of "$1"):$(balanced_postgres_port "$name")"; done
    echo "${all#,}"
  else
    echo "127.0.0.1:$APEXSHOP_PG_PORT"
  fi
}

# The address of the only server, or of the primary.
postgres_host() {
  local name=postgres
  ! in_cluster || name=$(primary_postgres)
  address_of "${name:-postgres}"
}

# Whether the shop's own PostgreSQL runs. While it is stopped, another program may listen at its port.
database_runs() { if in_cluster; then [[ -n $(primary_postgres) ]]; else server_is_up postgres; fi; }

# as_superuser COMMAND...: a client of PostgreSQL, which sends the password to no program that asks for it in clear text
# (libpq before version 16 ignores that).
as_superuser() { PGPASSWORD=$POSTGRES_PASSWORD PGREQUIREAUTH=scram-sha-256 "$@"; }

# sql DATABASE ARGUMENTS...: as the superuser.
sql() {
  local database=$1
  shift
  if [[ $ENGINE == docker ]]; then
    compose exec -T postgres psql -XqAt -v ON_ERROR_STOP=1 -U postgres -d "$database" "$@"
  else
    PGCONNECT_TIMEOUT=5 as_superuser "$PG_BIN/psql" -XqAt -v ON_ERROR_STOP=1 \
      -h "$(postgres_host)" -p "$APEXSHOP_PG_PORT" -U postgres -d "$database" "$@"
  fi
}

# Roles, database and rights; safe to run again. The passwords are sent on stdin, where `ps` does not show them.
create_database() {
  {
    printf "\\\\set %s_password '%s'\n" shop_owner "$SHOP_OWNER_PASSWORD" commands "$COMMANDS_PASSWORD" \
      projector "$PROJECTOR_PASSWORD" queries "$QUERIES_PASSWORD"
    echo "$END_RESTORES;"
    cat "$ROOT/deploy/compose/postgres/roles.sql"
    echo "SELECT 'CREATE DATABASE apexshop' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'apexshop') \\gexec"
  } | sql postgres -f -
  # A replica that does not have the database yet would refuse the processes, which ask every host for the primary.
  ! in_cluster || await_replicas
  sql apexshop -f - <"$ROOT/deploy/compose/postgres/database.sql"
}
