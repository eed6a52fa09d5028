# The three servers in Docker, with deploy/compose/compose.servers.yaml.

# Each state folder has containers and volumes of its own, however its path is written.
compose_project() { echo "apexshop-$(printf '%s' "$(cd "$STATE" && pwd -P)" | cksum | cut -d' ' -f1)"; }

# What Docker's lists of containers and volumes are filtered by.
project_label() { echo "label=com.docker.compose.project=$(compose_project)"; }

# The commands that remove a shop whose state folder is gone.
removal_of_containers() {
  echo "docker ps -aq --filter $(project_label) | xargs -r docker rm -f"
  echo "docker volume ls -q --filter $(project_label) | xargs -r docker volume rm"
}

# With new passwords nothing could connect to servers that have the data of a deleted shop.
need_no_volumes() {
  [[ $ENGINE == docker && -z $POSTGRES_PASSWORD ]] || return 0
  [[ -z $(docker volume ls -q --filter "$(project_label)") ]] ||
    fail "Docker has volumes of an earlier shop in $STATE, whose keys were deleted. To delete them too:" \
      "$(removal_of_containers)"
}

compose() {
  docker compose -p "$(compose_project)" --env-file "$STATE/compose.env" \
    -f "$ROOT/deploy/compose/compose.servers.yaml" "$@"
}

write_compose_env() {
  local name
  (
    umask 077
    {
      for name in $SECRETS $SERVER_PORTS; do printf '%s=%s\n' "$name" "${!name}"; done
      printf 'POSTGRES_EXTRA=%s\n' "${POSTGRES_EXTRA:-}"
    } >"$STATE/compose.env"
  )
}

start_containers() {
  write_compose_env
  # As in new-env.sh.
  chmod -R a+rX "$ROOT"/deploy/compose/{postgres,rabbitmq,redis} 2>/dev/null || true
  step "Starting PostgreSQL, RabbitMQ and Redis in Docker" "$STATE/log/compose.log" compose up -d --wait
}

container_is_up() { [[ -n $(compose ps -q --status running "$1" 2>/dev/null) ]]; }
