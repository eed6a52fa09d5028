# Parked aggregates and dead letters, over the HTTP API of the running shop.

# dlq_json METHOD PATH: the response.
dlq_json() {
  admin_json "$1" "$2" "./apexshop dlq list shows what is parked, ./apexshop logs projector commands shows the errors."
}

# dlq_pages METHOD PATH: every page of a list, a line each; the path has a query. Within $(...) bash ignores -e, and
# without the `next` of a page the list would begin again, which also repeats replays.
dlq_pages() {
  local page next=''
  while [[ $next != null ]]; do
    page=$(dlq_json "$1" "$2${next:+&after=$next}") || return
    printf '%s\n' "$page"
    next=$(flat_json <<<"$page" | flat_value next)
    [[ -n $next ]] || fail "$COMMANDS_URL did not send a page of a list." "./apexshop status"
  done
}

# rows_of PAGES MEMBER...: the items of all pages, a line each with these members between tabs.
rows_of() {
  local page
  while IFS='' read -r page; do flat_json <<<"$page" | flat_rows items "${@:2}"; done <<<"$1"
}

# items_of PAGES: the same items as JSON, separated by commas.
items_of() {
  local page all=''
  while IFS='' read -r page; do
    page=${page#*\"items\":\[} && page=${page%\],\"next\":*}
    all+="${page:+,$page}"
  done <<<"$1"
  printf '%s' "${all#,}"
}

# print_rows ROWS HEADING...: as a table, or that there are none.
print_rows() {
  if [[ -n $1 ]]; then short_times <<<"$1" | print_table "${@:2}"; else say "  none"; fi
}

# Times on stdin without fractions of a second; null is nothing.
short_times() {
  sed -E $'s/([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})[.0-9]*(Z|\\+00:00)/\\1 \\2/g; s/\tnull/\t/g'
}

# dlq_both PARKED LETTERS: pages of both kinds as one JSON object.
dlq_both() { printf '{"parked":[%s],"deadLetters":[%s]}\n' "$(items_of "$1")" "$(items_of "$2")"; }

dlq_list() {
  local parked letters
  parked=$(dlq_pages GET 'parked?limit=100')
  letters=$(dlq_pages GET 'dead-letters?limit=100')
  if [[ -n ${OPTION_JSON:-} ]]; then
    dlq_both "$parked" "$letters"
    return
  fi
  say "Parked aggregates:"
  print_rows "$(rows_of "$parked" resource id events firstPosition since reason | sed $'s/\t/\\//')" \
    aggregate events 'first position' since reason
  say "Dead letters:"
  print_rows "$(rows_of "$letters" id times bytes lastReceivedAt reason excerpt |
    awk -F '\t' -v OFS='\t' '{ $6 = substr($6, 1, 60); print }')" 'dead letter' times bytes last reason 'begins with'
}

# version_of MEMBER RESPONSE: without a document it is none.
version_of() { flat_value "$1" <<<"$2" | sed 's/^null$/none/'; }

dlq_show() {
  local answer times kind=dead-letters
  [[ $1 != */* ]] || kind=parked
  answer=$(dlq_json GET "$kind/$1")
  if [[ -n ${OPTION_JSON:-} ]]; then
    say "$answer"
    return
  fi
  answer=$(flat_json <<<"$answer")
  if [[ $kind == parked ]]; then
    say "The document of $1 has version $(version_of documentVersion "$answer"); its parked events:"
    print_rows "$(flat_rows events position event.type event.data.version parkedAt reason <<<"$answer")" \
      position type version parked reason
    [[ $(flat_value next <<<"$answer") == null ]] || say "  There are more events."
  else
    times="$(flat_value times <<<"$answer") times"
    [[ $times != '1 times' ]] || times=once
    say "Dead letter $1 arrived $times," \
      "last at $(flat_value lastReceivedAt <<<"$answer" | short_times), $(flat_value bytes <<<"$answer") bytes:" \
      "$(flat_value reason <<<"$answer")"
    [[ $(flat_value isWhole <<<"$answer") == true ]] || say "The start of its body:"
    flat_value body <<<"$answer"
  fi
}

dlq_discard() {
  local answer
  if [[ $1 == */* ]]; then
    answer=$(dlq_json DELETE "parked/$1")
    if [[ -n ${OPTION_JSON:-} ]]; then say "$answer"; else flat_json <<<"$answer" | flat_value lost; fi
  else
    dlq_json DELETE "dead-letters/$1" >/dev/null
    [[ -z ${OPTION_JSON:-} ]] || say "{\"id\":$1}"
    note "Dead letter $1 was discarded. Its events that the event log has are in the documents."
  fi
}

dlq_heal() {
  local answer outcome dropped
  answer=$(dlq_json POST "parked/$1/heal")
  [[ -z ${OPTION_JSON:-} ]] || say "$answer"
  answer=$(flat_json <<<"$answer")
  outcome=$(flat_value outcome <<<"$answer")
  dropped="$(flat_value unparked <<<"$answer") parked events were dropped"
  case $outcome in
    written) note "$1 has version $(flat_value version <<<"$answer"), the last one of the event log; $dropped." ;;
    deleted) note "The event log has a deletion of $1, so its document was removed; $dropped." ;;
    removed) note "The event log has no event of $1; it has no document now." ;;
    *) fail "$1 could not be written: $(flat_value reason <<<"$answer")" "It was not changed. ./apexshop dlq show $1" ;;
  esac
}

# check_what COMMAND WHAT: an aggregate, and for most commands also a dead letter or all.
check_what() {
  local id=${2#*/}
  [[ $id =~ ^[0-9]{1,10}$ ]] && ((10#$id <= 2147483647)) || id=''
  [[ -z $id || ! $2 =~ ^[a-z]+/ ]] || return 0
  [[ $1 != heal ]] || refuse_arguments dlq "'$2' is not an aggregate; give a resource and an id, such as products/17."
  [[ $1$2 == replayall || (-n $id && $2 == "$id") ]] ||
    refuse_arguments dlq "'$2' is neither an aggregate, such as products/17, nor a dead letter, such as 3."
}

verb_dlq() {
  [[ $1 == list ]] || check_what "$@"
  load_settings
  need_running commands
  "dlq_$1" "${@:2}"
}
