#!/bin/sh
# The entry point of a Redis or of a sentinel in the cluster:  start.sh redis | sentinel
# Both write into their settings what the sentinels agree on, so these are in /data.
# A sentinel that is started again keeps what it knows, or it could vote twice in one election.
set -eu
umask 077

address_of() { getent hosts "$1" | { read -r address _ && echo "$address"; }; }

# The primary that this sentinel has written, if it still is one: sentinels that start together cannot ask each other.
written() {
  address=$(sed -n 's/^sentinel monitor apexshop \([^ ]*\) .*/\1/p' /data/sentinel.conf 2>/dev/null)
  [ -n "$address" ] || return 1
  role=$(timeout 1 redis-cli -h "$address" ROLE 2>/dev/null | head -n 1)
  [ "$role" = master ] && echo "$address"
}

# The address that a sentinel names, or this one has written; at the first start that of the first Redis.
primary() {
  for sentinel in sentinel sentinel-2 sentinel-3; do
    named=$(timeout 1 redis-cli -h "$sentinel" -p 26379 SENTINEL get-master-addr-by-name apexshop 2>/dev/null || true)
    case $named in
      *.*.*.*) echo "$named" | head -n 1 && return ;;
    esac
  done
  written || address_of redis
}

# What a sentinel has written: its id, the elections that it has seen, the other sentinels, and the replicas, of which it
# chooses one when the primary does not start. The primary may be one of the replicas from before.
known() {
  grep -E '^sentinel (myid|current-epoch|config-epoch|leader-epoch|known-sentinel|known-replica)' \
    /data/sentinel.conf 2>/dev/null | grep -vF "sentinel known-replica apexshop $primary " || true
}

own=$(address_of "$(hostname)")
primary=$(primary)
if [ "$1" = redis ]; then
  cat /etc/redis/redis.conf /etc/redis/cluster.conf - >/data/redis.conf <<CONF
requirepass $REDISCLI_AUTH
masterauth $REDISCLI_AUTH
replica-announce-ip $own
$([ "$own" = "$primary" ] || echo "replicaof $primary 6379")
CONF
  exec redis-server /data/redis.conf
fi

known=$(known)
cat >/data/sentinel.conf <<CONF
port 26379
requirepass $REDISCLI_AUTH
sentinel announce-ip $own
sentinel monitor apexshop $primary 6379 2
sentinel auth-pass apexshop $REDISCLI_AUTH
sentinel down-after-milliseconds apexshop 2000
sentinel failover-timeout apexshop 6000
$known
CONF
exec redis-server /data/sentinel.conf --sentinel
