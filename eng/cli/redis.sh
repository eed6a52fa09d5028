# A private Redis with a password. It is a cache, so it writes no files.

find_redis() { REDIS_BIN=$(command -v redis-server); }

start_redis() {
  mkdir -p "$STATE/redis"
  (
    umask 077
    cat "$ROOT/deploy/compose/redis/redis.conf" - >"$STATE/redis/redis.conf" <<CONF
bind 127.0.0.1
port $APEXSHOP_REDIS_PORT
dir "$STATE/redis"
requirepass $REDIS_PASSWORD
CONF
  )
  (cd "$STATE/redis" && launch redis "$REDIS_BIN" "$STATE/redis/redis.conf")
}

redis_responds() {
  local line=''
  exec 3<>"/dev/tcp/127.0.0.1/$APEXSHOP_REDIS_PORT" || return 1
  printf 'AUTH %s\r\nPING\r\n' "$REDIS_PASSWORD" >&3
  read -r -t 3 line <&3 && read -r -t 3 line <&3 || true
  exec 3>&-
  [[ $line == +PONG* ]]
}
