# The processes of the shop. They run from a copy, so that a build does not replace files in use.

project() {
  case $(role_of "$1") in
    commands) echo Commands.Api ;;
    queries) echo Queries.Api ;;
    projector) echo Projector ;;
  esac
}

# The variable with the port of the first process of a kind; the others have the ports after it.
port_setting() {
  case $(role_of "$1") in
    commands) echo APEXSHOP_COMMANDS_PORT ;;
    queries) echo APEXSHOP_QUERIES_PORT ;;
    projector) echo APEXSHOP_PROJECTOR_PORT ;;
  esac
}

process_port() {
  local first
  first=$(port_setting "$1")
  if in_cluster; then echo "${!first}"; else echo $((${!first} + $(number_of "$1") - 1)); fi
}

process_url() { echo "http://$(address_of "$1"):$(process_port "$1")"; }

check_process_ports() {
  local name
  if in_cluster; then
    check_gateway_ports
    return
  fi
  for name in $PROCESSES; do
    is_running "$name" || check_port "$(port_setting "$name")" "$(title "$name")" "$(process_port "$name")"
  done
}

all_run() {
  local name
  for name in "$@"; do is_running "$name" || return 1; done
}

copy_build() {
  local name=$1 from
  from=$ROOT/src/$(project "$name")/bin/Release/net10.0
  [[ -d $from ]] || fail "$(project "$name") has not been built." "./apexshop build"
  rm -rf "${STATE:?}/$name/app"
  mkdir -p "$STATE/$name"
  cp -R "$from" "$STATE/$name/app"
}

# connection NAME USER PASSWORD SIZE: that of a process.
connection() {
  printf 'Host=%s;Database=apexshop;Username=%s;Password=%s;Maximum Pool Size=%s' \
    "$(postgres_places "$1")" "$2" "$3" "$4"
  # The primary is found at most two seconds after its promotion; a machine that is cut off answers no connection.
  # PostgreSQL reports a commit whose wait was cancelled as successful, although the other machine may not have it. So
  # nothing waits for the answer: the connection ends, and the command fails.
  ! in_cluster || printf ';Target Session Attributes=primary;Host Recheck Seconds=2;Timeout=3;Cancellation Timeout=-1'
}

# A key is configured by its hash; the projector's key permits to read only: the event log has orders and users too.
export_keys() {
  local scope n=0
  export Access__Keys__0__Name=development Access__Keys__0__Sha256
  Access__Keys__0__Sha256=$(sha256_of "$ADMIN_KEY")
  for scope in catalog:write orders:read orders:write users:read users:write users:erase events:read metrics:read admin; do
    export "Access__Keys__0__Scopes__$n=$scope"
    n=$((n + 1))
  done
  export Access__Keys__1__Name=projector Access__Keys__1__Scopes__0=events:read Access__Keys__1__Sha256
  export Access__Keys__1__Scopes__1=orders:read Access__Keys__1__Scopes__2=users:read
  Access__Keys__1__Sha256=$(sha256_of "$PROJECTOR_KEY")
}

# The configuration of one process, without the settings of the others.
export_configuration() {
  export ASPNETCORE_ENVIRONMENT=Development ASPNETCORE_URLS
  ASPNETCORE_URLS=$(process_url "$1")
  local redis broker=$RABBITMQ_URL
  redis=$(redis_place "$1"),password=$REDIS_PASSWORD,abortConnect=false
  if in_cluster; then
    broker=$(rabbitmq_url "$(address_of "$1"):$BALANCED_RABBITMQ_PORT")
    export Transport__Proxies__0
    Transport__Proxies__0=$(gateway_address)
  fi
  case $(role_of "$1") in
    commands)
      export ConnectionStrings__Shop Messaging__Url=$broker PublicUrls__Queries=$QUERIES_URL
      ConnectionStrings__Shop=$(connection "$1" commands "$COMMANDS_PASSWORD" "$(share 50 commands)")
      export Sessions__Key=$SESSIONS_KEY Consistency__Key=$CONSISTENCY_KEY
      # Receivers on this machine, as a developer has them.
      export Webhooks__Key=$WEBHOOKS_KEY Webhooks__PrivateNetworks__0=127.0.0.0/8
      export Webhooks__PrivateNetworks__1
      Webhooks__PrivateNetworks__1=$(gateway_address)/32
      export_list Projector__Urls "$(urls_of projector)"
      export_list Queries__Urls "$(urls_of queries)"
      export_keys
      ;;
    projector)
      export ConnectionStrings__Read ConnectionStrings__Redis=$redis Messaging__Url=$broker
      export EventLog__Url EventLog__ApiKey=$PROJECTOR_KEY
      EventLog__Url=$(process_url commands)
      export_list EventLog__Fallbacks "$(urls_of commands | cut -s -d, -f2-)"
      ConnectionStrings__Read=$(connection "$1" projector "$PROJECTOR_PASSWORD" "$(share 20 projector)")
      export_keys
      ;;
    queries)
      export ConnectionStrings__Read ConnectionStrings__Redis=$redis
      ConnectionStrings__Read=$(connection "$1" queries "$QUERIES_PASSWORD" 50)
      if (($(count_of queries) > 1)); then
        export Reading__Connections Reading__SearchConnections Streaming__Connections Streaming__SearchConnections
        export Reading__WalkConnections
        Reading__Connections=$(share 32 queries) Reading__SearchConnections=$(share 4 queries)
        Reading__WalkConnections=$(share 4 queries)
        Streaming__Connections=$(share 8 queries) Streaming__SearchConnections=$(share 2 queries)
      fi
      # The 48 hexadecimal digits of a key are also valid base64, of 36 bytes.
      export Storefront__CommandsUrl=$COMMANDS_URL
      export Reading__CursorKey=$CURSOR_KEY Sessions__Key=$SESSIONS_KEY Consistency__Key=$CONSISTENCY_KEY
      export_keys
      ;;
  esac
}

start_process() {
  (
    export_configuration "$1"
    cd "$STATE/$(role_of "$1")/app"
    launch "$1" dotnet "ApexShop.$(project "$1").dll"
  )
}

# Only a migration gets the password of the schema's owner; the running API never does.
migrate() {
  (
    export_configuration "$1"
    [[ $1 != commands ]] || export ConnectionStrings__ShopOwner
    ConnectionStrings__ShopOwner=$(connection "$1" shop_owner "$SHOP_OWNER_PASSWORD" 5)
    cd "$STATE/$1/app"
    # Without a time limit: that of a large shop may take longer than an hour.
    dotnet "ApexShop.$(project "$1").dll" migrate
  )
}

prepare_database() {
  create_database
  migrate commands
  migrate projector
}

# Another program at its port would get the keys of later requests.
is_ready() {
  shop_curl -fs -o /dev/null -m 5 "$(process_url "$1")/health/ready" &&
    ! is_another_at "$1" "$(process_port "$1")" "$(address_of "$1")"
}

start_processes() {
  local name began
  began=$(now_ms)
  for name in $PROCESSES; do is_running "$name" || start_process "$name"; done
  await_processes
  say "$(describe_processes) are ready after $(seconds $(($(now_ms) - began))) s"
}

await_processes() {
  local name
  for name in $PROCESSES; do await "$name" "$(title "$name")" 60 is_ready "$name"; done
  if in_cluster; then start_gateway; fi
}

describe_processes() {
  if [[ -z $SCALE ]]; then
    echo "Commands.Api, Queries.Api and Projector"
  else
    echo "$(count_of commands) Commands.Api, $(count_of queries) Queries.Api and $(count_of projector) Projectors"
  fi
}

# All get the signal before the first one is awaited: each ends its requests within its own time limit.
stop_processes() {
  local name
  signal gateway TERM
  for name in $PROCESSES; do signal "$name" TERM; done
  for name in $PROCESSES gateway; do await_end "$name" "$(title "$name")" 40; done
}
