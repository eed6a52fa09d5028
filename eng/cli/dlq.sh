# What waits for an operator: parked aggregates and dead letters, over the HTTP API of the running shop.

dlq_usage() {
  cat <<'TEXT'
  ./apexshop dlq list                       parked aggregates and dead letters
  ./apexshop dlq show products/17           the parked events of an aggregate with their reasons; a number shows a letter
  ./apexshop dlq replay [--dry-run] WHAT    applies again: an aggregate (products/17), a letter (3), or all
  ./apexshop dlq discard WHAT               gives an aggregate's parked events or a letter up
  ./apexshop dlq heal products/17           writes a document anew from the event log, parked or not
TEXT
}

# flat_json: every value of the JSON on stdin as a line "path<tab>value", such as "items.0.id<tab>17". What could move
# the cursor of a terminal is shown as a dot.
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
    # A long text grows by pieces: adding single characters to it would copy it each time.
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

# dlq_table HEADING...: the lines on stdin in columns under headings; the last column is as long as it needs.
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

# dlq_ask METHOD PATH: the answer as flat JSON; a refusal is said in the words of the API.
dlq_ask() {
  local answer status
  answer=$(curl -sS -X "$1" "$COMMANDS_URL/admin/$2" -H "Authorization: Bearer $ADMIN_KEY" -w '\n%{http_code}') ||
    fail "Commands.Api does not answer at $COMMANDS_URL." "./apexshop status"
  status=${answer##*$'\n'}
  answer=$(flat_json <<<"${answer%$'\n'*}")
  [[ $status == 2* ]] || fail "$(dlq_value detail <<<"$answer") ($status $(dlq_value code <<<"$answer"))" \
    "./apexshop dlq list shows what there is, ./apexshop logs projector commands what went wrong."
  printf '%s\n' "$answer"
}

# dlq_moments: times on stdin without the part of a second.
dlq_moments() { sed -E 's/([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9:]{8})[.0-9]*(Z|\+00:00)/\1 \2/g'; }

dlq_list() {
  local page next after=''
  say "Parked aggregates:"
  while :; do
    page=$(dlq_ask GET "parked?limit=100&after=$after")
    dlq_rows items resource id events firstPosition since reason <<<"$page"
    next=$(dlq_value next <<<"$page")
    [[ $next != null ]] || break
    after=$next
  done | awk -F '\t' -v OFS='\t' '{ print $1 "/" $2, $3, $4, $5, $6 }' | dlq_moments | dlq_table aggregate events 'first position' since reason
  say "Dead letters:"
  after=0
  while :; do
    page=$(dlq_ask GET "dead-letters?limit=100&after=$after")
    dlq_rows items id times bytes lastReceivedAt reason excerpt <<<"$page"
    next=$(dlq_value next <<<"$page")
    [[ $next != null ]] || break
    after=$next
  done | awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, $4, $5, substr($6, 1, 60) }' | dlq_moments | dlq_table letter times bytes last reason 'begins with'
}

dlq_show() {
  local answer
  if [[ $1 == */* ]]; then
    answer=$(dlq_ask GET "parked/$1")
    say "$1 has its document at version $(dlq_value documentVersion <<<"$answer"); its parked events:"
    dlq_rows events position event.type event.data.version parkedAt reason <<<"$answer" | dlq_moments | dlq_table position type version parked reason
    [[ $(dlq_value next <<<"$answer") == null ]] || say "  and more."
  else
    answer=$(dlq_ask GET "dead-letters/$1")
    say "Letter $1 came $(dlq_value times <<<"$answer") times, last at $(dlq_value lastReceivedAt <<<"$answer" | dlq_moments), $(dlq_value bytes <<<"$answer") bytes: $(dlq_value reason <<<"$answer")"
    [[ $(dlq_value isWhole <<<"$answer") == true ]] || say "The start of it, as it is long:"
    dlq_value body <<<"$answer"
  fi
}

dlq_parked_lines() { awk -F '\t' -v OFS='\t' '{ print $1 "/" $2, $3, $4, $5 " -> " $6, $7 == "null" ? "" : $7 }'; }

dlq_replay() {
  local dry=false page next after=''
  if [[ ${1:-} == --dry-run ]]; then dry=true && shift; fi
  [[ ${2:-} != --dry-run ]] || dry=true
  [[ $# -ge 1 ]] || fail "What is to be replayed?" "./apexshop dlq replay all"
  [[ $dry == false ]] || say "Nothing is changed; this would happen:"
  case $1 in
    all)
      while :; do
        page=$(dlq_ask POST "parked/replay?dryRun=$dry&after=$after")
        dlq_rows items resource id applied left versionBefore versionAfter reason <<<"$page"
        next=$(dlq_value next <<<"$page")
        [[ $next != null ]] || break
        after=$next
      done | dlq_parked_lines | dlq_table aggregate applied 'still parked' version reason
      after=0
      while :; do
        page=$(dlq_ask POST "dead-letters/replay?dryRun=$dry&after=$after")
        dlq_rows items id outcome resource events repeated reason <<<"$page"
        next=$(dlq_value next <<<"$page")
        [[ $next != null ]] || break
        after=$next
      done | sed 's/\tnull/\t/g' | dlq_table letter outcome resource events repeated reason
      ;;
    */*)
      page=$(dlq_ask POST "parked/$1/replay?dryRun=$dry")
      dlq_rows events position type version outcome reason <<<"$page" | sed 's/\tnull/\t/g' | dlq_table position type version outcome reason
      say "$1: $(dlq_value applied <<<"$page") events applied, $(dlq_value left <<<"$page") still parked, version $(dlq_value versionBefore <<<"$page") -> $(dlq_value versionAfter <<<"$page")"
      [[ $(dlq_value left <<<"$page") == 0 ]] || say "  ./apexshop dlq heal $1 takes the last state from the event log instead."
      ;;
    *)
      page=$(dlq_ask POST "dead-letters/$1/replay?dryRun=$dry")
      if [[ $(dlq_value outcome <<<"$page") == applied ]]; then
        say "Letter $1: $(dlq_value events <<<"$page") events of $(dlq_value resource <<<"$page"), $(dlq_value repeated <<<"$page") of them applied before."
      else
        say "Letter $1 stays: $(dlq_value reason <<<"$page")"
      fi
      ;;
  esac
}

dlq_discard() {
  if [[ $1 == */* ]]; then
    dlq_ask DELETE "parked/$1" | dlq_value lost
  else
    dlq_ask DELETE "dead-letters/$1" >/dev/null
    say "Letter $1 is gone. What the event log has of it is in the documents."
  fi
}

dlq_heal() {
  local answer outcome
  [[ $1 == */* ]] || fail "'$1' is no aggregate; give a resource and an id, such as products/17."
  answer=$(dlq_ask POST "parked/$1/heal")
  outcome=$(dlq_value outcome <<<"$answer")
  case $outcome in
    written) say "$1 stands at version $(dlq_value version <<<"$answer"), the last of the event log; $(dlq_value unparked <<<"$answer") parked events were dropped." ;;
    deleted) say "$1 was deleted, says the event log, and is no more; $(dlq_value unparked <<<"$answer") parked events were dropped." ;;
    removed) say "The event log does not know $1; it has no document." ;;
    *) fail "$1 could not be written: $(dlq_value reason <<<"$answer")" "It stays as it was. ./apexshop dlq show $1" ;;
  esac
}

verb_dlq() {
  local what=${1:-list}
  [[ $# == 0 ]] || shift
  load_settings
  case $what in
    list | show | replay | discard | heal) ;;
    help) dlq_usage && return ;;
    *) dlq_usage >&2 && fail "dlq cannot '$what'; what it can stands above." ;;
  esac
  [[ $what == list || $# -ge 1 ]] || { dlq_usage >&2 && fail "dlq $what needs to know what; ./apexshop dlq list shows what there is."; }
  is_running commands || fail "The shop is not up." "./apexshop up"
  "dlq_$what" "$@"
}
