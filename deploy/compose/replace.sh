#!/bin/sh
# Gives one server of the cluster an empty volume, after its own was lost or damaged. Its data comes from the others.
#   ./replace.sh SERVICE      etcd, postgres, rabbitmq, redis or sentinel, or one of them with -2 or -3
set -eu
service=${1:-}
kind=${service%-[23]}
case $kind in
  etcd | rabbitmq | redis | sentinel) volume=$service-data ;;
  postgres) volume=patroni${service#postgres}-data ;;
  *) sed -n '2,3s/^# *//p' "$0" >&2; exit 2 ;;
esac
cd "$(dirname "$0")"
export COMPOSE_FILE="${COMPOSE_FILE:-compose.yaml:compose.cluster.yaml}"
others=$(printf '%s\n' "$kind" "$kind-2" "$kind-3" | grep -vx "$service")

start() { docker compose up -d --no-deps --wait "$@"; }
in_other() { docker compose exec -T "$other" "$@"; }

# A PostgreSQL receives changes as a replica, or sends them to the other one as the primary.
streams="SELECT status FROM pg_stat_wal_receiver UNION ALL SELECT state FROM pg_stat_replication
  WHERE application_name IN ('postgres', 'postgres-2', 'postgres-3') AND application_name <> '$service'"

# The server is asked: its health status shows a failure only after minutes.
# shellcheck disable=SC2016
is_well() {
  case $kind in
    etcd) in_other timeout 10 curl -fs --noproxy '*' http://127.0.0.1:2379/health | grep -q '"health":"true"' ;;
    postgres)
      in_other timeout 10 sh -c 'PGPASSWORD=$PATRONI_SUPERUSER_PASSWORD psql -XqAt -h localhost -U postgres -c "$1"' \
        sh "$streams" | grep -qx streaming
      ;;
    rabbitmq) in_other timeout 10 bash -c 'exec 3<>/dev/tcp/127.0.0.1/5672' ;;
    redis) in_other timeout 10 redis-cli ping | grep -q PONG ;;
    sentinel) in_other timeout 10 redis-cli -p 26379 ping | grep -q PONG ;;
  esac
}

# The cluster has its data in these two from here on. Another PostgreSQL may just be promoted.
# shellcheck disable=SC2086
start --no-recreate $others
for other in $others; do
  end=$(($(date +%s) + 60))
  until is_well; do
    [ "$(date +%s)" -lt "$end" ] || { echo "Nothing was changed: $other does not do its work." >&2; exit 1; }
    sleep 2
  done
done

docker compose rm -fsv "$service"
docker volume rm -f "$(docker compose config | sed -n 's/^name: //p')_$volume"

case $kind in
  etcd)
    docker compose run --rm -T --no-deps --entrypoint sh etcd-protect /etc/etcd/replace.sh "$service" \
      "http://$other:2379"
    ETCD_INITIAL_CLUSTER_STATE=existing start "$service"
    # As the file says, so that a later `up` does not create it again.
    start "$service"
    ;;
  rabbitmq)
    # Its queues first: the broker does not forget a node that they have. A run after one that was interrupted finds it
    # forgotten; otherwise the node does not start.
    in_other rabbitmq-queues -q shrink "rabbit@$service"
    in_other rabbitmqctl -q forget_cluster_node "rabbit@$service" || true
    start "$service"
    in_other rabbitmq-queues -q grow "rabbit@$service" all
    ;;
  *) start "$service" ;;
esac
