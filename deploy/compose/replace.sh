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
other=$(echo "$others" | head -n 1)

start() { docker compose up -d --no-deps --wait "$@"; }
in_other() { docker compose exec -T "$other" "$@"; }

# The cluster has its data in these two from here on.
# shellcheck disable=SC2086
start --no-recreate $others

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
