# Addresses of the shop, and the first requests to it.

write_env_file() {
  (
    umask 077
    cat >"$STATE/env" <<FACTS
COMMANDS_URL=$COMMANDS_URL
QUERIES_URL=$QUERIES_URL
PROJECTOR_URL=$PROJECTOR_URL
COMMANDS_URLS=$(urls_of commands)
QUERIES_URLS=$(urls_of queries)
PROJECTOR_URLS=$(urls_of projector)
ADMIN_KEY=$ADMIN_KEY
CUSTOMER_EMAIL=$CUSTOMER_EMAIL
CUSTOMER_PASSWORD=$CUSTOMER_PASSWORD
WRITE_DB=postgresql://commands:$COMMANDS_PASSWORD@$(postgres_url_place)
READ_DB=postgresql://queries:$QUERIES_PASSWORD@$(postgres_url_place)
RABBITMQ_URL=$RABBITMQ_URL
REDIS_URL=redis://default:$REDIS_PASSWORD@$(redis_place balancer)
FACTS
  )
}

# As libpq reads it.
postgres_url_place() {
  if in_cluster; then
    echo "$(addresses_with "$APEXSHOP_PG_PORT")/apexshop?target_session_attrs=read-write"
  else
    echo "127.0.0.1:$APEXSHOP_PG_PORT/apexshop"
  fi
}

# redis_place NAME: where the primary Redis answers the processes on the machine of a name.
redis_place() {
  if in_cluster; then echo "$(address_of "$1"):$BALANCED_REDIS_PORT"; else echo "127.0.0.1:$APEXSHOP_REDIS_PORT"; fi
}

# addresses_of ROLE: the addresses of all processes of a kind.
addresses_of() { urls_of "$1" | tr ',' ' '; }

print_customer() {
  [[ ! -f $STATE/customer ]] ||
    printf '\n  customer    %s, password %s   (of the storefront)' "$CUSTOMER_EMAIL" "$CUSTOMER_PASSWORD"
}

print_addresses() {
  cat <<FACTS

The shop is running.
  commands    $(addresses_of commands)   (to browse: $COMMANDS_URL/docs)
  queries     $(addresses_of queries)   (to browse: $QUERIES_URL/docs)
  projector   $(addresses_of projector)   (to see: $PROJECTOR_URL/health/ready)
  storefront  $QUERIES_URL/
  admin       $COMMANDS_URL/admin
  console     $COMMANDS_URL/console
  key         $ADMIN_KEY   (development, every scope)$(print_customer)
  for scripts $STATE/env

Try it: create a product, read the first page, read the new product from the query API.
$(first_requests)

./apexshop status shows its state, ./apexshop down stops it, ./apexshop test runs the tests.
FACTS
}

# fitting_category: the id of the category for a desk, of any category if there is none, or nothing in an empty shop.
fitting_category() {
  shop_curl -sS -m 10 "$QUERIES_URL/categories/cursor?pageSize=100" | flat_json | flat_rows data id name |
    awk -F '\t' '$2 ~ /^(Home|Furniture|Garden|Outdoors)/ { print $1; found = 1; exit } NR == 1 { first = $1 }
      END { if (!found) print first }'
}

# The lines work when they are pasted at once: the last one sends the Consistency-Token of the first response, so that
# the query waits for the new product, and repeats a request that has waited too long.
first_requests() {
  local category curl=curl headers="-H 'Authorization: Bearer $ADMIN_KEY' -H 'Content-Type: application/json'"
  # As shop_curl.
  [[ -z ${http_proxy:-}${all_proxy:-}${ALL_PROXY:-} ]] || curl+=" --noproxy '*'"
  category=$(fitting_category 2>/dev/null) || category=''
  if [[ -z $category ]]; then
    cat <<LINES
  category=\$($curl -sS $COMMANDS_URL/categories $headers -d '{"name":"Home","description":"Furniture","isActive":true}' | sed 's/.*"id":\([0-9]*\).*/\1/')
LINES
    category="'\$category'"
  fi
  cat <<LINES
  answer=\$($curl -sSi $COMMANDS_URL/products $headers -d '{"name":"Walnut desk","description":"Two drawers","price":249.90,"stock":12,"categoryId":$category}'); echo "\$answer"
  $curl -sS -w '\n' '$QUERIES_URL/products/cursor?pageSize=2'
  $curl -sS -w '\n' --retry 9 -H "\$(grep -i '^consistency-token' <<<"\$answer" | tr -d '\r')" "$QUERIES_URL/products/\$(sed -n 's/.*"id":\([0-9]*\).*/\1/p' <<<"\$answer")"
LINES
}
