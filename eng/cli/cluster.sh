# Three machines on this one, each with its servers and processes, so that each may end, hang or be cut off while the
# shop goes on: `./apexshop up --cluster`. Servers and processes named without a number are on the first machine, those
# with -2 on the second.

MACHINES="1 2 3"
CLUSTER_SCALE=commands=2,projector=2,queries=3
SINGLE_SERVERS="postgres rabbitmq redis"
CLUSTER_SERVERS="etcd etcd-2 etcd-3 postgres postgres-2 postgres-3 rabbitmq rabbitmq-2 rabbitmq-3 redis redis-2 redis-3"
CLUSTER_SERVERS+=" sentinel sentinel-2 sentinel-3 balancer balancer-2 balancer-3"
NETWORK='' SERVERS=$SINGLE_SERVERS
CLUSTER_PACKAGES="etcd-server patroni python3-etcd redis-sentinel haproxy iproute2"

# Servers that others do not need on the machine itself. Every machine has addresses of its own, so they are the usual ones.
ETCD_PORT=2379
ETCD_PEER_PORT=2380
PATRONI_PORT=8008
SENTINEL_PORT=26379
# Where a balancer forwards to the primary Redis, to a RabbitMQ that works, and, from this port on, to each PostgreSQL.
BALANCED_REDIS_PORT=6380
BALANCED_RABBITMQ_PORT=5673
BALANCED_PG_PORT=5441

in_cluster() { [[ -n $NETWORK ]]; }

# Sets NETWORK, the first three bytes of the machines' addresses, and SERVERS, all names.
load_cluster() {
  NETWORK=$(saved_value cluster NETWORK)
  SERVERS=$SINGLE_SERVERS
  if in_cluster; then SERVERS=$CLUSTER_SERVERS ENGINE=native; fi
}

machine_of() { number_of "$1"; }

# address_of NAME: where a server or process listens.
address_of() { if in_cluster; then echo "$NETWORK.$(machine_of "$1")"; else echo 127.0.0.1; fi; }

# The addresses of all machines, separated by commas.
machine_addresses() { echo "$NETWORK.${MACHINES// /,$NETWORK.}"; }

# addresses_with PORT: of every machine, separated by commas.
addresses_with() {
  local all
  all=$(machine_addresses)
  echo "${all//,/:$1,}:$1"
}

# members ROLE: the servers of a kind.
members() {
  local name
  for name in $SERVERS; do [[ $(role_of "$name") != "$1" ]] || echo "$name"; done
}

# With a network of their own, machines can be cut off; that needs root and Linux. Otherwise they have loopback addresses.
has_networks() { [[ $NETWORK == 10.* ]]; }

machine_network() { echo "apexshop-${NETWORK//./-}-$1"; }

# The networks of the machines meet in one of their own, where no firewall rule of this machine applies.
switch_network() { machine_network switch; }

choose_network() {
  local middle attempt trial=apexshop-trial-$$ why="a network for each needs root"
  middle=$(random_network)
  NETWORK=127.$middle
  if ((EUID == 0)) && ip netns add "$trial" 2>/dev/null; then
    ip netns delete "$trial"
    why="this machine has routes to the networks of 10.0.0.0/8"
    for ((attempt = 0; attempt < 50; attempt++)); do
      # A network that this machine has a route to would be hidden.
      [[ -z $(ip route show to match "10.$middle.0" | grep -v '^default') ]] && NETWORK=10.$middle && break
      middle=$(random_network)
    done
  fi
  has_networks || say "The machines share this machine's network, because $why: none can be cut off."
  echo "NETWORK=$NETWORK" >"$STATE/cluster"
}

random_network() { echo $((RANDOM % 250 + 1)).$((RANDOM % 250 + 1)); }

# A new shop becomes a cluster, and stays one.
choose_cluster() {
  ! in_cluster && [[ -n $OPTION_CLUSTER ]] || return 0
  [[ -z $ENGINE && ! -f $STATE/engine ]] || fail "This shop's data was created without --cluster." \
    "Start with new data: ./apexshop clean, or in another folder: APEXSHOP_STATE=FOLDER ./apexshop up --cluster"
  [[ -z ${APEXSHOP_SERVERS:-} || $APEXSHOP_SERVERS == native ]] ||
    fail "--cluster starts native servers; in containers see deploy/compose/compose.cluster.yaml."
  need_cluster_tools
  choose_network
  load_cluster
}

cluster_is_installed() {
  command -v etcd && command -v patroni && command -v redis-sentinel && command -v haproxy && command -v ip &&
    /usr/bin/python3 -c 'import etcd'
} >/dev/null 2>&1

need_cluster_tools() {
  cluster_is_installed || install_packages "$CLUSTER_PACKAGES"
  cluster_is_installed || fail "A cluster needs the Debian packages $CLUSTER_PACKAGES."
}

# Creates what is missing; networks end with a restart of this machine.
make_networks() {
  local machine network switch
  has_networks || return 0
  ! networks_exist || return 0
  # shellcheck disable=SC2086
  ! any_runs $SERVERS ||
    fail "The networks of the machines are incomplete while servers run." "./apexshop down && ./apexshop up"
  # What an interrupted command has left.
  remove_networks
  switch=$(switch_network)
  ip netns add "$switch"
  ip -n "$switch" link add hub type bridge
  ip -n "$switch" link set hub up
  for machine in $MACHINES; do
    network=$(machine_network "$machine")
    ip netns add "$network"
    ip -n "$network" link set lo up
    ip -n "$network" link add eth0 type veth peer name "port$machine" netns "$switch"
    ip -n "$network" address add "$NETWORK.$machine/24" dev eth0
    ip -n "$network" link set eth0 up
    ip -n "$switch" link set "port$machine" master hub up
  done
  # This machine's own way to the others; the last step.
  ip link add "$(host_link)" type veth peer name host netns "$switch"
  ip address add "$NETWORK.254/24" dev "$(host_link)"
  ip -n "$switch" link set host master hub up
  ip link set "$(host_link)" up
}

# Not a pipe to grep -q, which fails when it ends before the command that writes to it.
networks_exist() { has_networks && [[ $(ip link show up) == *" $(host_link)@"* ]]; }

# Names of interfaces have at most 15 characters.
host_link() { echo "as${NETWORK//./-}"; }

remove_networks() {
  local machine
  has_networks || return 0
  ip link delete "$(host_link)" 2>/dev/null || true
  for machine in $MACHINES switch; do ip netns delete "$(machine_network "$machine")" 2>/dev/null || true; done
}

# The gateway's requests and those of this machine come from this address.
gateway_address() { if has_networks; then echo "$NETWORK.254"; else echo 127.0.0.1; fi; }

# start_member NAME: one server of the cluster.
start_member() {
  local name=$1
  mkdir -p "$STATE/$name"
  case $(role_of "$name") in
    etcd) start_etcd "$name" ;;
    postgres) start_patroni "$name" ;;
    rabbitmq) start_rabbitmq "$name" ;;
    redis) start_redis "$name" ;;
    sentinel) start_sentinel "$name" ;;
    balancer) start_balancer "$name" ;;
  esac
}

# Consensus on who is the primary PostgreSQL.
start_etcd() {
  local name=$1 address peers='' member
  address=$(address_of "$name")
  for member in $(members etcd); do peers+=",$member=http://$(address_of "$member"):$ETCD_PEER_PORT"; done
  # Its members ask each other through a proxy of the environment otherwise.
  NO_PROXY='*' launch "$name" etcd --name "$name" --data-dir "$STATE/$name/data" \
    --listen-client-urls "http://$address:$ETCD_PORT" --advertise-client-urls "http://$address:$ETCD_PORT" \
    --listen-peer-urls "http://$address:$ETCD_PEER_PORT" --initial-advertise-peer-urls "http://$address:$ETCD_PEER_PORT" \
    --initial-cluster "${peers#,}" --initial-cluster-token "$NETWORK" --enable-v2
}

etcd_responds() {
  [[ $(shop_curl -fs -m 2 "http://$(address_of "$1"):$ETCD_PORT/health") == *'"health":"true"'* ]]
}

# Without a password everyone who reaches etcd could name a primary.
protect_etcd() {
  # An earlier version made the file `protected` when only one of etcd's interfaces had a password.
  [[ ! -f $STATE/etcd/protected-3 ]] || return 0
  ETCD_PASSWORD=$ETCD_PASSWORD "$ROOT/deploy/compose/etcd/protect.sh" "http://$(address_of etcd):$ETCD_PORT" ||
    fail "etcd could not be protected by a password; its logs: ./apexshop logs etcd etcd-2 etcd-3"
  touch "$STATE/etcd/protected-3"
}

# Replicas end before their primary, so that none is promoted, and the consensus last.
stop_cluster() {
  local name primary machine
  primary=$(primary_postgres)
  for name in $(members postgres); do [[ $name == "$primary" ]] || signal "$name" TERM; done
  for name in $(members postgres); do [[ $name == "$primary" ]] || await_end "$name" "$(title "$name")" 60; done
  for name in $SERVERS; do [[ $(role_of "$name") == etcd ]] || signal "$name" TERM; done
  for name in $SERVERS; do [[ $(role_of "$name") == etcd ]] || await_end "$name" "$(title "$name")" 60; done
  for name in $(members etcd); do signal "$name" TERM; done
  for name in $(members etcd); do await_end "$name" "$(title "$name")" 20; done
  stop_epmds
  # A PostgreSQL whose Patroni was killed.
  for machine in $MACHINES; do signal_machine "$machine" KILL; done
  remove_networks
}

# The name of the PostgreSQL that leads, or nothing.
primary_postgres() {
  local name
  for name in $(members postgres); do
    ! is_running "$name" || ! shop_curl -fs -o /dev/null -m 2 "http://$(address_of "$name"):$PATRONI_PORT/primary" ||
      { echo "$name" && return; }
  done
}

# What a new cluster needs before its other servers: networks, and a consensus that only the machines can use.
start_consensus() {
  local name
  make_networks
  for name in $(members etcd); do is_running "$name" || start_etcd "$name"; done
  for name in $(members etcd); do await_server "$name"; done
  protect_etcd
}

await_primary() { within_a_minute "No PostgreSQL became the primary" sql postgres -c 'SELECT 1'; }

# Until both replicas have what the primary has now.
await_replicas() {
  local place
  place=$(sql postgres -c 'SELECT pg_current_wal_lsn()')
  within_a_minute "The replicas do not follow the primary" replicas_follow "$place"
}

replicas_follow() {
  [[ $(sql postgres -c "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= '$1'") == 2 ]]
}

within_a_minute() {
  local problem=$1 began
  shift
  began=$(now_ms)
  until "$@" >/dev/null 2>&1; do
    (($(now_ms) - began < 60000)) || fail "$problem within 60 s; ./apexshop logs postgres postgres-2 postgres-3"
    sleep 0.2
  done
}
