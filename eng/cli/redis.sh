# Private Redis servers with a password. They are a cache, so they keep no files of their data.

find_redis() { REDIS_BIN=$(command -v redis-server); }

# start_redis NAME
start_redis() {
  local name=$1
  make_private_folder "$STATE/$name"
  (umask 077 && redis_settings "$name" >"$STATE/$name/redis.conf")
  (cd "$STATE/$name" && launch "$name" "$REDIS_BIN" "$STATE/$name/redis.conf")
}

redis_settings() {
  local primary
  cat "$ROOT/deploy/compose/redis/redis.conf" - <<CONF
bind $(address_of "$1")
port $APEXSHOP_REDIS_PORT
dir "$STATE/$1"
requirepass $REDIS_PASSWORD
CONF
  in_cluster || return 0
  cat "$ROOT/deploy/compose/redis/cluster.conf" - <<CONF
masterauth $REDIS_PASSWORD
replica-announce-ip $(address_of "$1")
CONF
  primary=$(primary_redis)
  [[ $primary == "$(address_of "$1")" ]] || echo "replicaof $primary $APEXSHOP_REDIS_PORT"
}

# The address of the last primary that the sentinels have agreed on; at first that of the first machine.
primary_redis() {
  local file best='' last=-1 epoch address
  for file in "$STATE"/sentinel*/sentinel.conf; do
    [[ -f $file ]] || continue
    epoch=$(awk '$2 == "config-epoch" { print $4 }' "$file")
    address=$(awk '$2 == "monitor" { print $4 }' "$file")
    ((${epoch:-0} > last)) || continue
    last=${epoch:-0} best=$address
  done
  echo "${best:-$(address_of redis)}"
}

# start_sentinel NAME: the sentinels agree on the primary, and promote a replica when it is lost. They write what they
# have agreed on into their settings.
start_sentinel() {
  local name=$1 file=$STATE/$1/sentinel.conf
  make_private_folder "$STATE/$name"
  # After a change of the port the known replicas are removed: the sentinel gets their new addresses from the primary.
  if grep -s '^sentinel monitor' "$file" | grep -qv " $APEXSHOP_REDIS_PORT 2\$"; then
    sed -i -e "s/^\(sentinel monitor [^ ]* [^ ]* \)[0-9]*/\1$APEXSHOP_REDIS_PORT/" -e '/known-replica/d' "$file"
  fi
  [[ -f $file ]] || (
    umask 077
    cat >"$file" <<CONF
bind $(address_of "$name")
port $SENTINEL_PORT
dir "$STATE/$name"
requirepass $REDIS_PASSWORD
sentinel announce-ip $(address_of "$name")
sentinel monitor apexshop $(address_of redis) $APEXSHOP_REDIS_PORT 2
sentinel auth-pass apexshop $REDIS_PASSWORD
sentinel down-after-milliseconds apexshop 2000
sentinel failover-timeout apexshop 6000
CONF
  )
  (cd "$STATE/$name" && launch "$name" redis-sentinel "$file")
}

redis_responds() { redis_pings "$(address_of "$1")" "$APEXSHOP_REDIS_PORT"; }

sentinel_responds() { redis_pings "$(address_of "$1")" "$SENTINEL_PORT"; }

redis_pings() {
  local line=''
  exec 3<>"/dev/tcp/$1/$2" || return 1
  printf 'AUTH %s\r\nPING\r\n' "$REDIS_PASSWORD" >&3
  read -r -t 3 line <&3 && read -r -t 3 line <&3 || true
  exec 3>&-
  [[ $line == +PONG* ]]
}
