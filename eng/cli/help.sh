# Help: of all verbs, and of one. Both are the table in verbs.txt.

usage_line() { printf '  %-29s %s\n' "$1" "$2"; }

verb_help() {
  if [[ -n ${1:-} ]]; then
    is_verb "$1" || refuse_verb "$1"
    print_scope "$1"
  else
    print_verbs
  fi
}

refuse_verb() {
  print_verbs >&2
  (fail "There is no verb '$1'; the list above has all verbs.") || exit 2
}

print_verbs() {
  local verb i
  say "ApexShop: a commerce backend in three processes (commands, projector, queries)."
  say
  for verb in $(all_verbs); do
    for i in "${!SCOPES[@]}"; do
      [[ ${SCOPES[i]} != "$verb" ]] || { usage_line "./apexshop $verb ${USAGES[i]}" "${TEXTS[i]}" && break; }
    done
  done
  cat <<'TEXT'

First steps:
  ./apexshop up            then paste the lines it prints
  ./apexshop test          works while the shop is up
  ./apexshop up --help     the options of a verb; likewise for every other verb

Exit codes: 0 done, 1 failed or an operator is needed, 2 wrong arguments, 130 interrupted.
Names: commands projector queries postgres rabbitmq redis (with --scale also commands-2, queries-3, ...; a cluster has
  also gateway, etcd, sentinel, balancer, -2 and -3 of each server and of queries, -2 of commands and projector)
Settings by environment: APEXSHOP_STATE (the folder of the shop, .local), APEXSHOP_PORT_BASE (the first of 40 ports for everything), APEXSHOP_COMMANDS_PORT,
APEXSHOP_QUERIES_PORT, APEXSHOP_PROJECTOR_PORT, APEXSHOP_PG_PORT, APEXSHOP_RABBITMQ_PORT, APEXSHOP_REDIS_PORT (single
ports), APEXSHOP_SERVERS=docker|native (where the servers run), APEXSHOP_BACKUPS (the folder of the server's backups),
APEXSHOP_BACKUPS_KEPT (full backups that are kept, 2), APEXSHOP_EVENTS_URL and APEXSHOP_EVENTS_KEY (the log of a
Commands.Api elsewhere, for ./apexshop events archive).
TEXT
}

# print_scope SCOPE: usage, commands and options of a verb or of one of its commands.
print_scope() {
  local i scope operands
  for i in "${!SCOPES[@]}"; do
    scope=${SCOPES[i]}
    [[ ${USAGES[i]} != -* && $scope == "$1" ]] || continue
    operands=${USAGES[i]}
    [[ -n $operands || -z $(commands_of "$scope") ]] || operands='[COMMAND]'
    say "usage: ./apexshop $scope${operands:+ $operands}"
    say "  ${TEXTS[i]}"
  done
  if [[ -n $(operands_of "$1") && -n $(commands_of "$1") ]]; then
    say "Commands:"
  elif [[ -n $(commands_of "$1") ]]; then
    say "Commands (without one: $(commands_of "$1" | head -n 1)):"
  fi
  for i in "${!SCOPES[@]}"; do
    [[ ${USAGES[i]} == -* || ${SCOPES[i]} != "$1 "* ]] || usage_line "${SCOPES[i]#* } ${USAGES[i]}" "${TEXTS[i]}"
  done
  say "Options:"
  for i in "${!SCOPES[@]}"; do
    scope=${SCOPES[i]}
    [[ ${USAGES[i]} == -* && ($scope == "$1" || $scope == "${1%% *}" || $scope == "$1 "*) ]] || continue
    operands=''
    [[ $scope != "$1 "* ]] || operands="${scope#* }: "
    usage_line "${USAGES[i]}" "$operands${TEXTS[i]}"
  done
  usage_line '-h, --help' 'prints this and does nothing else'
}
