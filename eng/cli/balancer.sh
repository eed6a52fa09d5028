# HAProxy. On every machine of a cluster it forwards to the primary Redis, to a RabbitMQ that works and to each
# PostgreSQL that answers; one more, the gateway, forwards requests to the processes.

balancer_defaults() {
  cat <<CONF
global
  maxconn 8192
defaults
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  option redispatch
  retries 3
CONF
}

# start_balancer NAME
start_balancer() {
  (umask 077 && balancer_settings "$1" >"$STATE/$1/haproxy.cfg")
  launch "$1" haproxy -db -f "$STATE/$1/haproxy.cfg"
}

# When a server is no longer usable, its connections are closed: the clients connect again, to another one.
balancer_settings() {
  local name address
  address=$(address_of "$1")
  balancer_defaults
  cat <<CONF
listen redis
  mode tcp
  bind $address:$BALANCED_REDIS_PORT
  # A primary that returns has this role until a sentinel corrects it, but it has no replicas.
  balance first
  option tcp-check
  tcp-check connect
  tcp-check send "AUTH $REDIS_PASSWORD\r\n"
  tcp-check expect string +OK
  tcp-check send "INFO replication\r\n"
  tcp-check expect rstring role:master[^~]*min_slaves_good_slaves:[1-9]
  default-server inter 500ms fastinter 250ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
CONF
  for name in $(members redis); do echo "  server $name $(address_of "$name"):$APEXSHOP_REDIS_PORT check"; done
  cat <<CONF
listen rabbitmq
  mode tcp
  bind $address:$BALANCED_RABBITMQ_PORT
  balance leastconn
  option tcp-check
  tcp-check connect
  tcp-check send-binary 414d515000000901
  tcp-check expect binary 01
  default-server inter 1s fastinter 500ms downinter 1s fall 2 rise 1 on-marked-down shutdown-sessions
CONF
  for name in $(members rabbitmq); do echo "  server $name $(address_of "$name"):$APEXSHOP_RABBITMQ_PORT check"; done
  for name in $(members postgres); do
    cat <<CONF
listen $name
  mode tcp
  bind $address:$(balanced_postgres_port "$name")
  # As in deploy/compose/haproxy/balancer.cfg; a client is on the balancer's machine, and fails only together with it.
  retries 0
  timeout client 1d
  timeout server 1d
  timeout check 2s
  option httpchk HEAD /read-only
  default-server port $PATRONI_PORT inter 1s fall 3 rise 2 on-marked-down shutdown-sessions
  server $name $(address_of "$name"):$APEXSHOP_PG_PORT check
CONF
  done
}

balanced_postgres_port() { echo $((BALANCED_PG_PORT + $(number_of "$1") - 1)); }

balancer_responds() { port_is_open "$BALANCED_REDIS_PORT" "$(address_of "$1")"; }

check_gateway_ports() {
  is_running gateway || check_port APEXSHOP_COMMANDS_PORT Gateway
  is_running gateway || check_port APEXSHOP_QUERIES_PORT Gateway
}

gateway_is_ready() {
  shop_curl -fs -o /dev/null -m 5 "$QUERIES_URL/health/ready" &&
    ! is_another_at gateway "$APEXSHOP_QUERIES_PORT" 127.0.0.1 &&
    ! is_another_at gateway "$APEXSHOP_COMMANDS_PORT" 127.0.0.1
}

start_gateway() {
  mkdir -p "$STATE/gateway"
  is_running gateway || {
    cp "$ROOT/deploy/compose/haproxy/unavailable.http" "$STATE/gateway/"
    gateway_settings >"$STATE/gateway/haproxy.cfg"
    launch gateway haproxy -db -f "$STATE/gateway/haproxy.cfg"
  }
  await gateway "$(title gateway)" 20 gateway_is_ready
}

# A connection that was not opened is tried at the next process, and so is a query without an answer; a command may have
# been executed, so its client repeats it. X-Forwarded-For is replaced: what a client sent is not trusted.
gateway_settings() {
  local role name port
  balancer_defaults
  for role in commands queries; do
    port=$(port_setting "$role")
    cat <<CONF
listen $role
  mode http
  bind 127.0.0.1:${!port}
  balance leastconn
  timeout server $([[ $role == commands ]] && echo 310s || echo 60s)
  http-request deny status 404 if { path /metrics }
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  option httpchk GET /health/ready
  timeout check 2s
  option srvtcpka
  srvtcpka-idle 5s
  srvtcpka-intvl 2s
  srvtcpka-cnt 3
  retry-on conn-failure$([[ $role == commands ]] || echo ' empty-response')
  errorfile 502 "$STATE/gateway/unavailable.http"
  errorfile 503 "$STATE/gateway/unavailable.http"
  errorfile 504 "$STATE/gateway/unavailable.http"
  default-server inter 1s fastinter 250ms downinter 500ms fall 2 rise 1
CONF
    for name in $(instances_of "$role"); do echo "  server $name $(address_of "$name"):$(process_port "$name") check"; done
  done
}
