# The state folder, the ports, and the secrets, which are created once.
# shellcheck disable=SC2034

# Absolute, because processes are started in other folders; exported for the programs that are called.
[[ ${APEXSHOP_STATE:-/} == /* ]] || export APEXSHOP_STATE=$PWD/$APEXSHOP_STATE
STATE=${APEXSHOP_STATE:-$ROOT/.local}

# Below 32768, where Linux's range for outgoing connections begins, so that no such connection takes one of these ports.
default_port() {
  case $1 in
    APEXSHOP_PG_PORT) echo 21432 ;;
    APEXSHOP_RABBITMQ_PORT) echo 21672 ;;
    APEXSHOP_RABBITMQ_DIST_PORT) echo 21673 ;;
    APEXSHOP_EPMD_PORT) echo 21674 ;;
    APEXSHOP_REDIS_PORT) echo 21379 ;;
    APEXSHOP_COMMANDS_PORT) echo 5100 ;;
    APEXSHOP_QUERIES_PORT) echo 5200 ;;
    APEXSHOP_PROJECTOR_PORT) echo 5300 ;;
  esac
}

# based_port NAME: its place after APEXSHOP_PORT_BASE. Ten for each kind of process, as `up --scale` starts several.
based_port() {
  local offset
  case $1 in
    APEXSHOP_COMMANDS_PORT) offset=0 ;;
    APEXSHOP_QUERIES_PORT) offset=10 ;;
    APEXSHOP_PROJECTOR_PORT) offset=20 ;;
    APEXSHOP_PG_PORT) offset=30 ;;
    APEXSHOP_RABBITMQ_PORT) offset=31 ;;
    APEXSHOP_RABBITMQ_DIST_PORT) offset=32 ;;
    APEXSHOP_EPMD_PORT) offset=33 ;;
    APEXSHOP_REDIS_PORT) offset=34 ;;
  esac
  [[ $APEXSHOP_PORT_BASE =~ ^[1-9][0-9]{0,4}$ ]] && ((APEXSHOP_PORT_BASE <= 65496)) ||
    fail "APEXSHOP_PORT_BASE is '$APEXSHOP_PORT_BASE'; it can be 1 to 65496."
  echo $((APEXSHOP_PORT_BASE + offset))
}

SERVER_PORTS="APEXSHOP_PG_PORT APEXSHOP_RABBITMQ_PORT APEXSHOP_RABBITMQ_DIST_PORT APEXSHOP_EPMD_PORT APEXSHOP_REDIS_PORT"
PROCESS_PORTS="APEXSHOP_COMMANDS_PORT APEXSHOP_QUERIES_PORT APEXSHOP_PROJECTOR_PORT"
SECRETS="POSTGRES_PASSWORD SHOP_OWNER_PASSWORD COMMANDS_PASSWORD PROJECTOR_PASSWORD QUERIES_PASSWORD
  RABBITMQ_PASSWORD REDIS_PASSWORD ADMIN_KEY PROJECTOR_KEY CURSOR_KEY SESSIONS_KEY CONSISTENCY_KEY
  WEBHOOKS_KEY CUSTOMER_PASSWORD BACKUPS_KEY ETCD_PASSWORD REPLICATION_PASSWORD RABBITMQ_COOKIE"

# saved_value FILE NAME: the value of NAME in a KEY=VALUE file of the state folder, or nothing.
saved_value() {
  [[ ! -f $STATE/$1 ]] || sed -n "s/^$2=//p" "$STATE/$1"
}

# Ports: from the environment (single ones before APEXSHOP_PORT_BASE), else those of the last `up`, else the defaults.
load_settings() {
  local name value
  for name in $SERVER_PORTS $PROCESS_PORTS; do
    value=${!name:-}
    [[ -n $value || -z ${APEXSHOP_PORT_BASE:-} ]] || value=$(based_port "$name") || exit
    [[ -n $value ]] || value=$(saved_value ports "$name")
    [[ -n $value ]] || value=$(default_port "$name")
    [[ $value =~ ^[0-9]+$ ]] && ((value > 0 && value < 65536)) || fail "$name=$value is not a port (1 to 65535)."
    export "$name=$value"
  done
  ENGINE=$(saved_value engine SERVERS)
  load_cluster
  COMMANDS_URL=http://127.0.0.1:$APEXSHOP_COMMANDS_PORT
  QUERIES_URL=http://127.0.0.1:$APEXSHOP_QUERIES_PORT
  PROJECTOR_URL=$(process_url projector)
  set_scale "$(saved_value scale SCALE)"
  for name in $SECRETS; do printf -v "$name" '%s' "$(saved_value secrets "$name")"; done
  set_rabbitmq_url
}

random_hex() { od -An -v -tx1 -N 24 /dev/urandom | tr -d ' \n'; }

# new_secret NAME: the file always has all secrets.
new_secret() {
  local value file=$STATE/secrets
  value=$(random_hex)
  printf -v "$1" '%s' "$value"
  (
    umask 077
    # awk adds the line end that an editor may have left out.
    { [[ ! -f $file ]] || awk -v "name=$1=" 'index($0, name) != 1' "$file"; } >"$file.new"
    printf '%s=%s\n' "$1" "$value" >>"$file.new"
  )
  # A power cut leaves the old file or the new one.
  sync "$file.new"
  mv -f "$file.new" "$file"
}

# After a restore: the id in a customer's token may belong to another person, and a client would wait for changes that
# are undone.
renew_token_keys() {
  new_secret SESSIONS_KEY
  new_secret CONSISTENCY_KEY
}

# Creates only the missing ones, so that a later version may need one more secret.
make_secrets() {
  local name
  need_secrets_of_data
  for name in $SECRETS; do [[ -n ${!name} ]] || new_secret "$name"; done
  set_rabbitmq_url
}

# New values of these two would not be those of the data and of its backups, and the settings of the archive would lose
# the key.
need_secrets_of_data() {
  [[ -n $POSTGRES_PASSWORD ]] || ! compgen -G "$STATE/postgres*/version" >/dev/null ||
    fail "$STATE/secrets has no POSTGRES_PASSWORD, and PostgreSQL's data has one." "Copy the file back from its copy." \
      "Without a copy: docs/operations.md, 'Change a key or a password'."
  [[ -n $BACKUPS_KEY || ! -f $STATE/archive ]] ||
    fail "$STATE/secrets has no BACKUPS_KEY, with which the backups of this shop are read." \
      "Copy the line back. It is also in pgbackrest.conf beside PostgreSQL's data, as repo1-cipher-pass:" \
      "  $(readlink -f "$STATE/postgres/data").pgbackrest/pgbackrest.conf"
}

set_rabbitmq_url() { RABBITMQ_URL=$(rabbitmq_url "$(address_of rabbitmq):$APEXSHOP_RABBITMQ_PORT"); }

# rabbitmq_url ADDRESS:PORT
rabbitmq_url() { echo "amqp://apexshop:$RABBITMQ_PASSWORD@$1/apexshop"; }

save_settings() {
  local name
  save_setting engine "SERVERS=$ENGINE"
  save_setting scale "SCALE=$SCALE"
  save_setting ports "$(for name in $SERVER_PORTS $PROCESS_PORTS; do echo "$name=${!name}"; done)"
}

# save_setting FILE TEXT: the whole text or nothing, also after a power cut.
save_setting() {
  echo "$2" 2>/dev/null >"$STATE/$1.new" || fail "$STATE cannot be written; is its disk full?"
  sync "$STATE/$1.new"
  mv -f "$STATE/$1.new" "$STATE/$1"
}

# need_own_state: refuses a folder with files that no shop has made, because `clean` deletes all of them. Without a shop
# it may have what `build`, `test` and such verbs leave.
need_own_state() {
  [[ -e $STATE || -L $STATE ]] || return 0
  [[ -d $STATE && -r $STATE && -x $STATE ]] || fail "$STATE is not a folder that can be read." \
    "APEXSHOP_STATE names the folder of the shop's data; it may be one that does not exist yet."
  # Another owner could exchange the programs that run from it, and could not use it after root has written to it.
  [[ -O $STATE ]] ||
    fail "$STATE belongs to another user." "Run ./apexshop as that user, or with another APEXSHOP_STATE."
  [[ ! -f $STATE/lock || ! -d $STATE/log ]] && ! grep -qs '^ADMIN_KEY=' "$STATE/secrets" || return 0
  [[ -z $(LC_ALL=C ls -A "$STATE" | grep -vxE 'lock|log|test|report|prove|load|mutations(\.files)?|BenchmarkDotNet\.Artifacts|build\.lock|lost\+found') ]] ||
    fail "$STATE has files that do not belong to a shop." \
      "Let APEXSHOP_STATE name an empty folder, or one that does not exist yet."
}

# lock_state: a command has its lock as descriptor 9, and so do the programs that it runs, but those of `step` and
# `launch`. Before that the pid and the start time of the command are in the file.
lock_state() {
  exec 9>&- 6>>"$STATE/lock"
  flock -w 1 6 || fail_locked
  echo "$$ $(identity $$)" 2>/dev/null >"$STATE/lock" || true
  exec 9>&6 6>&-
}

# with_lock FILE COMMAND...: waits until the lock of the file is free. The command has it as descriptor 7, so it also
# waits for what a killed command has left. `step` gives it no lock of the state folder.
with_lock() (
  exec 7>>"$1"
  ! command -v flock >/dev/null || flock 7
  "${@:2}"
)

# fail_locked: a command that was killed leaves programs, which keep its lock. The file is empty after a write to a full
# disk.
fail_locked() {
  local file left=''
  for file in /proc/[0-9]*/fd/9; do
    [[ ! $file -ef $STATE/lock ]] || left+=" $(cut -d / -f 3 <<<"$file")"
  done
  # After the list, which may have those of a command that has started meanwhile.
  if [[ -n $left && -s $STATE/lock ]] && ! is_alive "$STATE/lock"; then
    fail "A ./apexshop that has ended, perhaps because it was killed, has left programs that use $STATE." \
      "Wait until they have ended, or end them:  kill$left"
  fi
  fail "Another ./apexshop uses $STATE; wait until it has ended."
}

# Other users may enter the folder, because PostgreSQL may run as one; secret files in it are not readable to them.
open_state() {
  need_own_state
  mkdir -p "$STATE/log"
  chmod 711 "$STATE"
  # Errors of psql can contain values of rows.
  chmod 700 "$STATE/log"
  # Also without flock: need_own_state recognises the folder by it.
  : >>"$STATE/lock"
  command -v flock >/dev/null || return 0
  lock_state
  put_back_data
  remove_copies
}

sha256_of() {
  if command -v sha256sum >/dev/null; then printf '%s' "$1" | sha256sum; else printf '%s' "$1" | shasum -a 256; fi |
    cut -d' ' -f1
}
