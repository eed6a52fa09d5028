# Parked aggregates and dead letters, over the HTTP API of the running shop.

dlq_usage() {
  cat <<'TEXT'
  ./apexshop dlq list                       parked aggregates and dead letters
  ./apexshop dlq show products/17           the parked events of an aggregate with their reasons; a number shows a dead letter
  ./apexshop dlq replay [--dry-run] WHAT    applies again: an aggregate (products/17), a dead letter (3), or all
  ./apexshop dlq discard WHAT               discards an aggregate's parked events or a dead letter
  ./apexshop dlq heal products/17           writes a document again from the event log, parked or not
TEXT
}

# flat_json: every value of the JSON on stdin as a line "path<tab>value", such as "items.0.id<tab>17". Control
# characters, which could move the cursor of a terminal, are shown as a dot.
flat_json() {
  LC_ALL=C awk '
    function hex(text,   i, n) {
      for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
      return n
    }
    function utf8(n) {
      if (n < 32 || n == 127) return "."
      if (n < 128) return sprintf("%c", n)
      if (n < 2048) return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
      return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
    }
    # A long text is built from pieces: appending single characters would copy it each time.
    function string(   text, piece, c) {
      for (at++; (c = substr(json, at, 1)) != "\""; at++) {
        if (c == "\\") {
          c = substr(json, ++at, 1)
          if (c == "u") { c = utf8(hex(substr(json, at + 1, 4))); at += 4 }
          else if (c !~ /["\\\/]/) c = "."
        }
        piece = piece c
        if (length(piece) > 1000) { text = text piece; piece = "" }
      }
      at++
      return text piece
    }
    function value(path,   c, name, n) {
      c = substr(json, at, 1)
      if (c == "\"") print path "\t" string()
      else if (c == "{" || c == "[") {
        at++
        while ((name = substr(json, at, 1)) != "}" && name != "]") {
          if (name == ",") at++
          if (c == "{") { name = string(); at++ } else name = n++
          value(path == "" ? name : path "." name)
        }
        at++
      } else {
        name = substr(json, at)
        sub(/[],}].*/, "", name)
        at += length(name)
        print path "\t" name
      }
    }
    { json = json $0 }
    END { at = 1; if (json != "") value("") }'
}

# dlq_value NAME: the value of a member of the flat JSON on stdin.
dlq_value() { awk -F '\t' -v name="$1" '$1 == name { print $2; exit }'; }

# dlq_rows LIST MEMBER...: a line for each item of a list of the flat JSON on stdin, with these members between tabs.
dlq_rows() {
  awk -F '\t' -v list="$1" -v members="${*:2}" '
    BEGIN { count = split(members, name, " ") }
    index($1, list ".") == 1 {
      rest = substr($1, length(list) + 2)
      item = rest + 0
      values[item, substr(rest, index(rest, ".") + 1)] = $2
      if (item + 1 > items) items = item + 1
    }
    END {
      for (i = 0; i < items; i++) {
        line = ""
        for (m = 1; m <= count; m++) line = line (m > 1 ? "\t" : "") (((i, name[m]) in values) ? values[i, name[m]] : "")
        print line
      }
    }'
}

# dlq_table HEADING...: the lines on stdin in columns under headings; the last column has no fixed width.
dlq_table() {
  local heading line=''
  for heading in "$@"; do line+="${line:+$'\t'}$heading"; done
  { printf '%s\n' "$line" && cat; } | awk -F '\t' '
    { for (i = 1; i <= NF; i++) { cell[NR, i] = $i; if (length($i) > width[i]) width[i] = length($i) } if (NF > columns) columns = NF }
    END {
      for (r = 1; r <= NR; r++) {
        line = "  "
        for (i = 1; i < columns; i++) line = line sprintf("%-" width[i] "s  ", cell[r, i])
        print line cell[r, columns]
      }
    }'
}

# dlq_request METHOD PATH: the response as flat JSON; a refusal is printed with the API's detail.
dlq_request() {
  local answer status
  answer=$(curl -sS -X "$1" "$COMMANDS_URL/admin/$2" -H "Authorization: Bearer $ADMIN_KEY" -w '\n%{http_code}') ||
    fail "Commands.Api is unavailable at $COMMANDS_URL." "./apexshop status"
  status=${answer##*$'\n'}
  answer=$(flat_json <<<"${answer%$'\n'*}")
  [[ $status == 2* ]] || fail "$(dlq_value detail <<<"$answer") ($status $(dlq_value code <<<"$answer"))" \
    "./apexshop dlq list shows what is parked, ./apexshop logs projector commands shows the errors."
  printf '%s\n' "$answer"
}

# dlq_times: times on stdin without fractions of a second.
dlq_times() { sed -E 's/([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})[.0-9]*(Z|\+00:00)/\1 \2/g'; }

dlq_list() {
  local page next after=''
  say "Parked aggregates:"
  while :; do
    page=$(dlq_request GET "parked?limit=100&after=$after")
    dlq_rows items resource id events firstPosition since reason <<<"$page"
    next=$(dlq_value next <<<"$page")
    [[ $next != null ]] || break
    after=$next
  done | awk -F '\t' -v OFS='\t' '{ print $1 "/" $2, $3, $4, $5, $6 }' | dlq_times | dlq_table aggregate events 'first position' since reason
  say "Dead letters:"
  after=0
  while :; do
    page=$(dlq_request GET "dead-letters?limit=100&after=$after")
    dlq_rows items id times bytes lastReceivedAt reason excerpt <<<"$page"
    next=$(dlq_value next <<<"$page")
    [[ $next != null ]] || break
    after=$next
  done | awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, $4, $5, substr($6, 1, 60) }' | dlq_times | dlq_table 'dead letter' times bytes last reason 'begins with'
}

dlq_show() {
  local answer
  if [[ $1 == */* ]]; then
    answer=$(dlq_request GET "parked/$1")
    say "The document of $1 has version $(dlq_value documentVersion <<<"$answer"); its parked events:"
    dlq_rows events position event.type event.data.version parkedAt reason <<<"$answer" | dlq_times | dlq_table position type version parked reason
    [[ $(dlq_value next <<<"$answer") == null ]] || say "  There are more events."
  else
    answer=$(dlq_request GET "dead-letters/$1")
    say "Dead letter $1 arrived $(dlq_value times <<<"$answer") times, last at $(dlq_value lastReceivedAt <<<"$answer" | dlq_times), $(dlq_value bytes <<<"$answer") bytes: $(dlq_value reason <<<"$answer")"
    [[ $(dlq_value isWhole <<<"$answer") == true ]] || say "The start of its body:"
    dlq_value body <<<"$answer"
  fi
}

dlq_parked_lines() { awk -F '\t' -v OFS='\t' '{ print $1 "/" $2, $3, $4, $5 " -> " $6, $7 == "null" ? "" : $7 }'; }

dlq_replay() {
  local dry=false page next after=''
  if [[ ${1:-} == --dry-run ]]; then dry=true && shift; fi
  [[ ${2:-} != --dry-run ]] || dry=true
  [[ $# -ge 1 ]] || fail "replay needs an argument: an aggregate, a dead letter or all." "./apexshop dlq replay all"
  [[ $dry == false ]] || say "Dry run, nothing is changed. A replay would have these results:"
  case $1 in
    all)
      while :; do
        page=$(dlq_request POST "parked/replay?dryRun=$dry&after=$after")
        dlq_rows items resource id applied left versionBefore versionAfter reason <<<"$page"
        next=$(dlq_value next <<<"$page")
        [[ $next != null ]] || break
        after=$next
      done | dlq_parked_lines | dlq_table aggregate applied 'still parked' version reason
      after=0
      while :; do
        page=$(dlq_request POST "dead-letters/replay?dryRun=$dry&after=$after")
        dlq_rows items id outcome resource events repeated reason <<<"$page"
        next=$(dlq_value next <<<"$page")
        [[ $next != null ]] || break
        after=$next
      done | sed 's/\tnull/\t/g' | dlq_table 'dead letter' outcome resource events repeated reason
      ;;
    */*)
      page=$(dlq_request POST "parked/$1/replay?dryRun=$dry")
      dlq_rows events position type version outcome reason <<<"$page" | sed 's/\tnull/\t/g' | dlq_table position type version outcome reason
      say "$1: $(dlq_value applied <<<"$page") events applied, $(dlq_value left <<<"$page") still parked, version $(dlq_value versionBefore <<<"$page") -> $(dlq_value versionAfter <<<"$page")"
      [[ $(dlq_value left <<<"$page") == 0 ]] || say "  ./apexshop dlq heal $1 takes the last state from the event log instead."
      ;;
    *)
      page=$(dlq_request POST "dead-letters/$1/replay?dryRun=$dry")
      if [[ $(dlq_value outcome <<<"$page") == applied ]]; then
        say "Dead letter $1: $(dlq_value events <<<"$page") events of $(dlq_value resource <<<"$page"), $(dlq_value repeated <<<"$page") of them were applied before."
      else
        say "Dead letter $1 still cannot be read: $(dlq_value reason <<<"$page")"
      fi
      ;;
  esac
}

dlq_discard() {
  if [[ $1 == */* ]]; then
    dlq_request DELETE "parked/$1" | dlq_value lost
  else
    dlq_request DELETE "dead-letters/$1" >/dev/null
    say "Dead letter $1 was discarded. Its events that the event log has are in the documents."
  fi
}

dlq_heal() {
  local answer outcome
  [[ $1 == */* ]] || fail "'$1' is not an aggregate; give a resource and an id, such as products/17."
  answer=$(dlq_request POST "parked/$1/heal")
  outcome=$(dlq_value outcome <<<"$answer")
  case $outcome in
    written) say "$1 has version $(dlq_value version <<<"$answer"), the last one of the event log; $(dlq_value unparked <<<"$answer") parked events were dropped." ;;
    deleted) say "The event log has a deletion of $1, so its document was removed; $(dlq_value unparked <<<"$answer") parked events were dropped." ;;
    removed) say "The event log has no event of $1; it has no document now." ;;
    *) fail "$1 could not be written: $(dlq_value reason <<<"$answer")" "It was not changed. ./apexshop dlq show $1" ;;
  esac
}

verb_dlq() {
  local what=${1:-list}
  [[ $# == 0 ]] || shift
  load_settings
  case $what in
    list | show | replay | discard | heal) ;;
    help) dlq_usage && return ;;
    *) dlq_usage >&2 && fail "dlq has no command '$what'; the list above has all." ;;
  esac
  [[ $what == list || $# -ge 1 ]] || { dlq_usage >&2 && fail "dlq $what needs an argument; ./apexshop dlq list shows the aggregates and dead letters."; }
  is_running commands || fail "The shop is not running." "./apexshop up"
  "dlq_$what" "$@"
}
