# A private RabbitMQ node with a private Erlang port mapper, all on 127.0.0.1.

find_rabbitmq() {
  # Debian's wrapper in /usr/sbin requires the user rabbitmq; the server that it starts runs as any user.
  RABBITMQ_BIN=/usr/lib/rabbitmq/bin/rabbitmq-server
  [[ -x $RABBITMQ_BIN ]] || RABBITMQ_BIN=$(command -v rabbitmq-server) && command -v epmd >/dev/null
}

start_epmd() {
  is_running epmd || launch epmd epmd -port "$APEXSHOP_EPMD_PORT" -address 127.0.0.1
}

# default_user creates the account at the first start; the account guest then does not exist.
write_rabbitmq_conf() {
  local folder=$STATE/rabbitmq
  mkdir -p "$folder/conf.d"
  (
    umask 077
    cat "$ROOT/deploy/compose/rabbitmq/rabbitmq.conf" - >"$folder/rabbitmq.conf" <<CONF
listeners.tcp.1 = 127.0.0.1:$APEXSHOP_RABBITMQ_PORT
default_user = apexshop
default_pass = $RABBITMQ_PASSWORD
default_vhost = apexshop
CONF
  )
  : >"$folder/enabled_plugins"
  : >"$folder/rabbitmq-env.conf"
}

# Every path is set, so that no file in /etc/rabbitmq or /var/lib/rabbitmq is read or written.
start_rabbitmq() {
  local folder=$STATE/rabbitmq
  start_epmd
  write_rabbitmq_conf
  await epmd "Erlang's port mapper" 10 port_is_open "$APEXSHOP_EPMD_PORT"
  (
    cd "$folder"
    export HOME=$folder ERL_EPMD_PORT=$APEXSHOP_EPMD_PORT ERL_EPMD_ADDRESS=127.0.0.1
    export RABBITMQ_NODENAME=apexshop@localhost RABBITMQ_DIST_PORT=$APEXSHOP_RABBITMQ_DIST_PORT
    export RABBITMQ_MNESIA_BASE=$folder/mnesia RABBITMQ_LOG_BASE=$folder/logs RABBITMQ_LOGS=-
    export RABBITMQ_CONFIG_FILE=$folder/rabbitmq.conf RABBITMQ_CONFIG_FILES=$folder/conf.d
    export RABBITMQ_CONF_ENV_FILE=$folder/rabbitmq-env.conf RABBITMQ_ENABLED_PLUGINS_FILE=$folder/enabled_plugins
    export RABBITMQ_ADVANCED_CONFIG_FILE=$folder/advanced.config RABBITMQ_GENERATED_CONFIG_DIR=$folder/generated
    export RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='-kernel inet_dist_use_interface {127,0,0,1}'
    # Makes the start script exec the server instead of starting a child: the stored pid is the server's.
    export RUNNING_UNDER_SYSTEMD=true
    launch rabbitmq "$RABBITMQ_BIN"
  )
}

# The broker opens its listener last: if it sends a first frame after the protocol header, it is ready.
rabbitmq_responds() {
  local byte=''
  exec 3<>"/dev/tcp/127.0.0.1/$APEXSHOP_RABBITMQ_PORT" || return 1
  printf 'AMQP\000\000\011\001' >&3
  LC_ALL=C IFS='' read -r -t 3 -n 1 byte <&3 || true
  exec 3>&-
  [[ $byte == $'\001' ]]
}
