# dlq replay: applies parked events and dead letters again. It fails when something stays; a dry run does not.

dlq_replay() {
  local dry=false answer
  [[ -z ${OPTION_DRY_RUN:-} ]] || dry=true
  [[ $dry == false ]] || note "Dry run, nothing is changed. A replay would have these results:"
  case $1 in
    all)
      replay_all "$dry"
      return
      ;;
    */*) answer=$(dlq_json POST "parked/$1/replay?dryRun=$dry") ;;
    *) answer=$(dlq_json POST "dead-letters/$1/replay?dryRun=$dry") ;;
  esac
  [[ -z ${OPTION_JSON:-} ]] || say "$answer"
  answer=$(flat_json <<<"$answer")
  if [[ $1 == */* ]]; then print_parked_replay "$1" "$answer" "$dry"; else print_letter_replay "$1" "$answer" "$dry"; fi
}

# something_stays DRY_RUN LINE...
something_stays() { if [[ $1 == true ]]; then note "${@:2}"; else fail "${@:2}"; fi; }

# replay_all DRY_RUN: fails also when nothing is parked and there is no dead letter.
replay_all() {
  local parked letters rows_parked rows_letters
  parked=$(dlq_pages POST "parked/replay?dryRun=$1")
  letters=$(dlq_pages POST "dead-letters/replay?dryRun=$1")
  rows_parked=$(rows_of "$parked" resource id applied left versionBefore versionAfter reason |
    awk -F '\t' -v OFS='\t' '{ gsub(/null/, "none", $5); gsub(/null/, "none", $6)
      print $1 "/" $2, $3, $4, $5 " -> " $6, $7 }')
  rows_letters=$(rows_of "$letters" id outcome resource events repeated reason)
  if [[ -n ${OPTION_JSON:-} ]]; then
    dlq_both "$parked" "$letters"
  elif [[ -n $rows_parked$rows_letters ]]; then
    say "Parked aggregates:"
    print_rows "$rows_parked" aggregate applied 'still parked' version reason
    say "Dead letters:"
    print_rows "$rows_letters" 'dead letter' outcome resource events repeated reason
  fi
  [[ -n $rows_parked$rows_letters ]] || fail "No aggregate is parked and there is no dead letter: nothing to replay."
  [[ $1 == true ]] || all_are_applied "$rows_parked" "$rows_letters" ||
    fail "Not all was applied: the rows above have what is still parked, or refused, with the reason." \
      "Remove the cause. Where 500 events of an aggregate were applied, give the command again:" \
      "docs/operations.md, 'An aggregate is parked, a message is a dead letter'."
}

# all_are_applied PARKED LETTERS: rows of replay_all.
all_are_applied() {
  awk -F '\t' 'NF && $3 != 0 { exit 1 }' <<<"$1" && awk -F '\t' 'NF && $2 != "applied" { exit 1 }' <<<"$2"
}

# print_parked_replay AGGREGATE RESPONSE DRY_RUN
print_parked_replay() {
  local left
  left=$(flat_value left <<<"$2")
  if [[ -z ${OPTION_JSON:-} ]]; then
    print_rows "$(flat_rows events position type version outcome reason <<<"$2")" position type version outcome reason
    say "$1: events applied: $(flat_value applied <<<"$2"), still parked: $left," \
      "version $(version_of versionBefore "$2") -> $(version_of versionAfter "$2")"
  fi
  [[ $left == 0 ]] || something_stays "$3" \
    "Events of $1 stay parked. A replay ends at an event that is refused, or after 500: then give the command again." \
    "./apexshop dlq heal $1 takes the last state from the event log instead."
}

# print_letter_replay ID RESPONSE DRY_RUN
print_letter_replay() {
  if [[ $(flat_value outcome <<<"$2") == applied ]]; then
    note "Dead letter $1: $(flat_value events <<<"$2") events of $(flat_value resource <<<"$2")," \
      "$(flat_value repeated <<<"$2") of them were applied before."
  else
    something_stays "$3" "Dead letter $1 was refused: $(flat_value reason <<<"$2")" \
      "It stays. Remove the cause, or ./apexshop dlq discard $1"
  fi
}
