# dlq replay: applies parked events and dead letters again.

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
  if [[ -n ${OPTION_JSON:-} ]]; then
    say "$answer"
    return
  fi
  answer=$(flat_json <<<"$answer")
  if [[ $1 == */* ]]; then print_parked_replay "$1" "$answer"; else print_letter_replay "$1" "$answer"; fi
}

# replay_all DRY_RUN: fails when nothing is parked and there is no dead letter.
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
}

print_parked_replay() {
  print_rows "$(flat_rows events position type version outcome reason <<<"$2")" position type version outcome reason
  say "$1: events applied: $(flat_value applied <<<"$2"), still parked: $(flat_value left <<<"$2")," \
    "version $(version_of versionBefore "$2") -> $(version_of versionAfter "$2")"
  [[ $(flat_value left <<<"$2") == 0 ]] ||
    say "  A replay ends at the first event that is refused, and after 500 events: then repeat it." \
      "./apexshop dlq heal $1 takes the last state from the event log instead."
}

print_letter_replay() {
  if [[ $(flat_value outcome <<<"$2") == applied ]]; then
    say "Dead letter $1: $(flat_value events <<<"$2") events of $(flat_value resource <<<"$2")," \
      "$(flat_value repeated <<<"$2") of them were applied before."
  else
    say "Dead letter $1 was refused: $(flat_value reason <<<"$2")"
  fi
}
