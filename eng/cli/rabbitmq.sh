# Private RabbitMQ nodes with a private Erlang port mapper. The single one is on 127.0.0.1; those of a cluster find each
# other by the addresses of their machines.

find_rabbitmq() {
  # Debian's wrapper in /usr/sbin requires the user rabbitmq; the server that it starts runs as any user.
  RABBITMQ_BIN=/usr/lib/rabbitmq/bin/rabbitmq-server
  [[ -x $RABBITMQ_BIN ]] || RABBITMQ_BIN=$(command -v rabbitmq-server) && command -v epmd >/dev/null
}

# epmd_of NAME: each machine has its own, except that machines without a network share one, which always listens on
# 127.0.0.1 too.
epmd_of() { if has_networks; then echo "epmd${1#rabbitmq}"; else echo epmd; fi; }

epmds() {
  local name
  if has_networks; then for name in $(members rabbitmq); do epmd_of "$name"; done; else echo epmd; fi
}

# start_epmd NAME
start_epmd() {
  local address
  is_running "$1" && return
  address=$(address_of "$1")
  if in_cluster && ! has_networks; then address=$(machine_addresses); fi
  launch "$1" epmd -port "$APEXSHOP_EPMD_PORT" -address "$address"
}

rabbitmq_node() { if in_cluster; then echo "$1@$(address_of "$1")"; else echo apexshop@localhost; fi; }

# default_user creates the account at the first start; the account guest then does not exist.
write_rabbitmq_conf() {
  local folder=$STATE/$1 name n=0
  mkdir -p "$folder/conf.d"
  (
    umask 077
    cat "$ROOT/deploy/compose/rabbitmq/rabbitmq.conf" - >"$folder/rabbitmq.conf" <<CONF
listeners.tcp.1 = $(address_of "$1"):$APEXSHOP_RABBITMQ_PORT
default_user = apexshop
default_pass = $RABBITMQ_PASSWORD
default_vhost = apexshop
CONF
    # Who has the cookie can run programs as this user, and the one that Erlang makes by itself can be guessed.
    printf '%s' "$RABBITMQ_COOKIE" >"$folder/.erlang.cookie.new"
    chmod 400 "$folder/.erlang.cookie.new"
    mv -f "$folder/.erlang.cookie.new" "$folder/.erlang.cookie"
    in_cluster || return 0
    grep -v 'nodes\.' "$ROOT/deploy/compose/rabbitmq/cluster.conf" >>"$folder/rabbitmq.conf"
    for name in $(members rabbitmq); do
      n=$((n + 1))
      echo "cluster_formation.classic_config.nodes.$n = $(rabbitmq_node "$name")" >>"$folder/rabbitmq.conf"
    done
  )
  : >"$folder/enabled_plugins"
  : >"$folder/rabbitmq-env.conf"
}

# Seconds until a node that sends nothing counts as lost; its queues then have another leader.
RABBITMQ_TICK=4

# start_rabbitmq NAME. Every path is set, so that no file in /etc/rabbitmq or /var/lib/rabbitmq is read or written.
start_rabbitmq() {
  local name=$1 folder=$STATE/$1 address
  address=$(address_of "$name")
  make_private_folder "$folder"
  start_epmd "$(epmd_of "$name")"
  write_rabbitmq_conf "$name"
  await "$(epmd_of "$name")" "Erlang's port mapper" 10 port_is_open "$APEXSHOP_EPMD_PORT" "$address"
  (
    cd "$folder"
    export HOME=$folder ERL_EPMD_PORT=$APEXSHOP_EPMD_PORT ERL_EPMD_ADDRESS=$address
    RABBITMQ_NODENAME=$(rabbitmq_node "$name")
    # Nodes with one port mapper need different ports, although their addresses differ.
    export RABBITMQ_NODENAME RABBITMQ_DIST_PORT=$((APEXSHOP_RABBITMQ_DIST_PORT + 10 * ($(number_of "$name") - 1)))
    export RABBITMQ_MNESIA_BASE=$folder/mnesia RABBITMQ_LOG_BASE=$folder/logs RABBITMQ_LOGS=-
    export RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf RABBITMQ_CONFIG_FILES=$folder/conf.d
    export RABBITMQ_CONF_ENV_FILE=$folder/rabbitmq-env.conf RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins
    export RABBITMQ_ADVANCED_CONFIG_FILE=$folder/advanced.config RABBITMQ_GENERATED_CONFIG_DIR=$folder/generated
    export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {${address//./,}}"
    if in_cluster; then
      export RABBITMQ_USE_LONGNAME=true
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS+=" -kernel net_ticktime $RABBITMQ_TICK"
    fi
    # Makes the start script exec the server instead of starting a child: the stored pid is the server's.
    export RUNNING_UNDER_SYSTEMD=true
    launch "$name" "$RABBITMQ_BIN"
  )
}

# The broker opens its listener last: if it sends a first frame after the protocol header, it is ready.
rabbitmq_responds() {
  local byte=''
  exec 3<>"/dev/tcp/$(address_of "$1")/$APEXSHOP_RABBITMQ_PORT" || return 1
  printf 'AMQP\000\000\011\001' >&3
  LC_ALL=C IFS='' read -r -t 3 -n 1 byte <&3 || true
  exec 3>&-
  [[ $byte == $'\001' ]]
}

# rabbitmq_ctl ARGUMENT...: a command of the single node.
rabbitmq_ctl() {
  HOME=$STATE/rabbitmq ERL_EPMD_PORT=$APEXSHOP_EPMD_PORT "${RABBITMQ_BIN%/*}/rabbitmqctl" -q -n apexshop@localhost "$@"
}

# Deletes all messages. Users, their permissions, policies, queues and bindings stay, in a file while the node has none:
# it is read after the next start, also of `up` when this command is interrupted.
delete_messages() {
  local file=$STATE/rabbitmq/definitions.json
  if [[ ! -f $file ]]; then
    (umask 077 && rabbitmq_ctl export_definitions "$file.new") && mv "$file.new" "$file" ||
      fail "RabbitMQ does not export its users and queues." "Its log: $STATE/rabbitmq/log"
  fi
  stop_server rabbitmq
  rm -rf "${STATE:?}/rabbitmq/mnesia"
  start_server rabbitmq
}

read_definitions() {
  local file=$STATE/rabbitmq/definitions.json
  [[ -f $file ]] || return 0
  rabbitmq_ctl import_definitions "$file" ||
    fail "RabbitMQ does not import its users and queues from $file." \
      "Its log: $STATE/rabbitmq/log. Without that file it starts with none of them: make those of consumers again."
  rm -f "$file"
}
