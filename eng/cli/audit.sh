# Auditing: compares the documents with the tables.

# The Projector sends its progress as JSON lines. Each difference is printed, the last line is the result; a line of
# another shape is an error and printed unchanged. Fails when a difference is left (1), when the audit did not finish (2)
# and when it did not begin (3). Ctrl-C ends the request; then this prints how to go on.
show_audit() {
  local line kind text position='' compared='' left=1
  trap '' INT
  while IFS='' read -r line || [[ -n $line ]]; do
    kind='' && [[ ! $line =~ \"kind\":\"([a-z]+)\" ]] || kind=${BASH_REMATCH[1]}
    [[ $kind != progress ]] || position=$(json_text next "$line")
    [[ -z ${OPTION_JSON:-} ]] || printf '%s\n' "$line"
    case $kind${OPTION_JSON:+ as JSON} in
      summary*JSON) compared=1 && audit_is_clean "$line" && left=0 ;;
      *JSON) ;;
      progress)
        [[ $line =~ \"resource\":\"([a-z]+)\",\"compared\":([0-9]+) ]]
        [[ ! -t 1 ]] || printf '\r  %-12s %9s documents' "${BASH_REMATCH[1]}" "$(thousands "${BASH_REMATCH[2]}")"
        ;;
      difference)
        [[ ! -t 1 ]] || printf '\r%40s\r' ''
        text=$(audit_difference "$line")
        say "  $text"
        ;;
      summary)
        [[ ! -t 1 ]] || printf '\r%40s\r' ''
        compared=1 && audit_summary "$line" && left=0
        ;;
      *) say "$line" ;;
    esac
  done
  if [[ -z $compared ]]; then
    [[ -n $position ]] || return 3
    say "What was compared is above. The rest: ./apexshop audit${OPTION_REPAIR:+ --repair} --after $position" >&2
    return 2
  fi
  return "$left"
}

# json_number NAME LINE, json_text NAME LINE: the value of a member; empty when it is null.
json_number() { [[ ! $2 =~ \"$1\":(-?[0-9.]+) ]] || printf '%s' "${BASH_REMATCH[1]}"; }
json_text() { [[ ! $2 =~ \"$1\":\"([^\"]*)\" ]] || printf '%s' "${BASH_REMATCH[1]}"; }

audit_difference() {
  local id segment fields='' repaired=''
  id=$(json_number id "$1") segment=$(json_number segment "$1")
  [[ ! $1 =~ \"fields\":\[([^]]+)\] ]] || fields=" (${BASH_REMATCH[1]//\"/})"
  [[ $1 != *'"repaired":true'* ]] || repaired=', repaired'
  [[ $1 != *'"repaired":false'* ]] || repaired=', not repaired'
  printf '%s/%s: %s%s%s' "$(json_text resource "$1")" "${id:-segment $segment}" "$(json_text what "$1")" "$fields" \
    "$repaired"
}

# Succeeds when no difference is left and every document could be compared.
audit_is_clean() {
  [[ $(json_number different "$1") == "$(json_number repaired "$1")" && $(json_number notCompared "$1") == 0 ]]
}

audit_summary() {
  local compared different repaired not_compared took
  compared=$(json_number compared "$1") different=$(json_number different "$1") repaired=$(json_number repaired "$1")
  not_compared=$(json_number notCompared "$1") took=$(json_number seconds "$1")
  say "$(thousands "$compared") documents compared in $took s; differences: $(thousands "$different")," \
    "repaired: $(thousands "$repaired"), documents not compared: $(thousands "$not_compared")"
  ((not_compared == 0)) ||
    say "The projection lagged too much to compare those documents: docs/operations.md, 'The projection lags'."
  audit_is_clean "$1"
}

verb_audit() {
  local repair=false status=0 interrupt=''
  [[ -z $OPTION_REPAIR ]] || repair=true
  load_settings
  need_running commands
  [[ -z $OPTION_AFTER || $OPTION_AFTER =~ ^(rows|derived)/[a-z]+/-?[0-9]+$ ]] ||
    refuse_arguments audit "A position is such as rows/products/17."
  trap 'interrupt=1' INT
  operator_curl -N --fail-with-body -X POST "$COMMANDS_URL/admin/audit?repair=$repair&after=$OPTION_AFTER" | show_audit ||
    status=$?
  [[ -z $interrupt ]] || exit 130
  ((status != 3)) || fail "The audit did not begin; the reason is above."
  ((status < 2)) || fail "The audit did not finish; the reason is above, more is in $STATE/projector/log"
  ((status == 0)) || [[ $repair == true ]] ||
    note "docs/operations.md explains each kind of difference. ./apexshop audit --repair repairs them."
  return "$status"
}
