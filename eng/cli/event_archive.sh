# An archive of the event log in a folder: CloudEvents as NDJSON in files of gzip, each with a manifest of KEY=VALUE.
# The manifest is renamed before its file, so that every file of an archive has one.
# shellcheck disable=SC2012,SC2034

# At most so many events are in a file, and in what is written of the next one.
ARCHIVE_EVENTS=100000

archive_name() { printf 'events-%019d-%019d' "$1" "$2"; }

first_of() { echo $((10#${1:7:19})); }

last_of() { echo $((10#${1:27:19})); }

manifest_value() { sed -n "s/^$2=//p" "$1"; }

# archive_names FOLDER [ENDING]: of all files, or of the data or the manifests only, in the order of their positions.
archive_names() {
  LC_ALL=C ls "$1" | sed -En "s/^(events-[0-9]{19}-[0-9]{19})\.(${2:-ndjson\.gz|manifest})\$/\1/p" | uniq
}

sha256_of_file() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1
}

# check_lines AFTER LOG: whether each line on stdin is an event of the log, and follows the one before it. Prints the
# last position and the times of the first and the last event, or what is wrong.
check_lines() {
  LC_ALL=C awk -v after="$1" -v log_id="$2" '
    function value(name,   at, rest) {
      at = index(envelope, "\"" name "\":\"")
      if (!at) return ""
      rest = substr(envelope, at + length(name) + 4)
      return substr(rest, 1, index(rest, "\"") - 1)
    }
    # Escapes, texts, then all other values become one character each, and objects and lists of those one value.
    function is_object(text) {
      if (text !~ /^\{/ || text ~ /[\001-\037]/) return 0
      gsub(/\\["\\\/bfnrt]/, "\001", text)
      gsub(/\\u[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]/, "\001", text)
      gsub(/"[^"\\]*"/, "\002", text)
      gsub(/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?|true|false|null/, "\003", text)
      gsub(/ /, "", text)
      while (gsub(/\{(\002:[\002\003](,\002:[\002\003])*)?\}|\[([\002\003](,[\002\003])*)?\]/, "\003", text));
      return text == "\003"
    }
    function stop(reason) { print "line " NR " " reason; stopped = 1; exit 1 }
    BEGIN { members = split("specversion id source type subject time sequence previous datacontenttype", member, " ") }
    index($0, "{\"error\":") == 1 {
      sub(/.*"code":"/, "")
      sub(/".*/, "")
      stop("is the end of an interrupted response (" $0 ")")
    }
    {
      if (!is_object($0)) stop("is not a JSON object")
      envelope = substr($0, 1, index($0, "\"data\":{"))
      if (envelope == "") stop("has no data")
      for (i = 1; i <= members; i++) if (value(member[i]) == "") stop("has no " member[i])
      if (value("sequence") + 0 != after + NR)
        stop(sprintf("has the position %.0f, where %.0f was expected", value("sequence"), after + NR))
      if (value("logid") != log_id) stop("is of the log " value("logid"))
      last = value("time")
      if (NR == 1) first = last
    }
    END { if (!stopped) printf "%.0f %s %s\n", after + NR, first, last }'
}

# examine FILE AFTER LOG: the same of a compressed file.
examine() {
  local found
  if found=$(gzip -dc "$1" 2>/dev/null | check_lines "$2" "$3"); then
    say "$found"
  else
    [[ $found == line* ]] || found="cannot be decompressed"
    say "$found"
    return 1
  fi
}

# Sets FOLDER: an absolute path, of an existing archive.
find_archive() {
  [[ -n $1 ]] || refuse_arguments "$SCOPE" "The name of the folder is empty."
  FOLDER=$(cd -- "$1" 2>/dev/null && pwd -P) || fail "There is no folder $1 that can be read."
  [[ -n $(archive_names "$FOLDER") ]] || fail "$FOLDER has no archive of events." "./apexshop events archive FOLDER"
}

# Makes the folder, and takes its lock for as long as this shell runs.
open_archive() {
  local strange
  [[ -n $1 ]] || refuse_arguments "$SCOPE" "The name of the folder is empty."
  command -v flock >/dev/null || fail "flock is missing; it is in the package util-linux."
  umask 077
  { mkdir -p -- "$1" && FOLDER=$(cd -- "$1" && pwd -P) && [[ -w $FOLDER ]]; } ||
    fail "$1 is not a folder that can be written to."
  strange=$(LC_ALL=C ls -A "$FOLDER" |
    awk '!/^(events-[0-9]+-[0-9]+\.(ndjson\.gz|manifest)|\.lock|\.part|lost\+found)$/ && !count++')
  [[ -z $strange ]] || fail "$FOLDER has files that are no archive of events, such as $strange." "Give another folder."
  chmod 700 "$FOLDER"
  exec 8>"$FOLDER/.lock"
  flock -n 8 || fail "Another ./apexshop archives events in $FOLDER."
}

# Removes what an archiver that was killed has left. Sets AFTER and LOG to the end of the archive.
continue_archive() {
  local name last
  PART=$FOLDER/.part
  rm -rf "$PART"
  mkdir "$PART"
  trap 'rm -rf "$PART"' EXIT
  last=$(archive_names "$FOLDER" 'ndjson\.gz' | tail -n 1)
  AFTER=0 LOG=''
  if [[ -n $last ]]; then
    [[ -f $FOLDER/$last.manifest ]] || fail "$FOLDER/$last.ndjson.gz has no manifest." "./apexshop events verify FOLDER"
    [[ -z $OPTION_AFTER ]] || fail "$FOLDER has events already; --after is for an empty folder."
    AFTER=$(last_of "$last") LOG=$(manifest_value "$FOLDER/$last.manifest" log)
  elif [[ -n $OPTION_AFTER ]]; then
    AFTER=$((10#$OPTION_AFTER))
  fi
  for name in $(archive_names "$FOLDER" manifest); do
    (($(first_of "$name") <= AFTER)) || rm "$FOLDER/$name.manifest"
  done
}

# Reads the events of the next file; waits for up to ten minutes while the log has its maximum number of readers.
fetch_events() {
  local try
  for try in {1..120}; do
    request_events || return
    [[ $(refusal_code) == streams.busy ]] || return 0
    ((try > 1)) || say "  The log has its maximum number of readers; waiting until one ends ..."
    sleep 5
  done
}

# The lock ends with this shell, also when a program that it started goes on.
request_events() {
  operator_curl --connect-timeout 10 -y 60 -Y 1 -D "$PART/headers" \
    "$COMMANDS_URL/events?after=$AFTER${LOG:+&log=$LOG}&limit=$ARCHIVE_EVENTS" 8>&- | gzip >"$PART/data" 8>&-
}

# response_header NAME: of the response that was fetched.
response_header() {
  tr -d '\r' <"$PART/headers" | awk -F ': ' -v name="$1" 'tolower($1) == name && !count++ { print $2 }'
}

response_status() { awk '/^HTTP\// { status = $2 } END { print status }' "$PART/headers"; }

# The code of a response that is not 200.
refusal_code() { [[ $(response_status) == 200 ]] || gzip -dc "$PART/data" | flat_json | flat_value code; }

# Ends with the reason, unless the response is 200.
check_response() {
  local status problem code
  status=$(response_status)
  [[ $status != 200 ]] || return 0
  problem=$(gzip -dc "$PART/data" | flat_json)
  code=$(flat_value code <<<"$problem")
  case $code in
    events.removed)
      code=$(flat_value removedUpTo <<<"$problem")
      fail "The log lacks events after $AFTER: old ones up to $code were removed before they were archived." \
        "The archive of those that follow begins in an empty folder:" \
        "  ./apexshop events archive OTHER_FOLDER --after $code" \
        "Archive more often than events are removed: docs/operations.md, 'Keep the log short'."
      ;;
    log.replaced)
      fail "$FOLDER is an archive of the log $LOG up to $AFTER; this is the log $(flat_value logId <<<"$problem")." \
        "They have the same events up to $(flat_value commonUpTo <<<"$problem") (0: none)." \
        "Keep this archive as it is. That of this log begins in an empty folder:" \
        "  ./apexshop events archive OTHER_FOLDER"
      ;;
    *) fail "$COMMANDS_URL refuses: $(flat_value detail <<<"$problem") ($status $code)" "./apexshop status" ;;
  esac
}

# keep_file LAST FROM TO: the fetched events become a file of the archive, after they are on the disk.
keep_file() {
  local name
  name=$(archive_name $((AFTER + 1)) "$1")
  cat >"$PART/manifest" <<TEXT
log=$LOG
first=$((AFTER + 1))
last=$1
from=$2
to=$3
bytes=$(($(wc -c <"$PART/data")))
sha256=$(sha256_of_file "$PART/data")
TEXT
  sync "$PART/data" "$PART/manifest"
  mv "$PART/manifest" "$FOLDER/$name.manifest"
  mv "$PART/data" "$FOLDER/$name.ndjson.gz"
  sync "$FOLDER"
}

# Removes files whose last event is older than so many days, the oldest first. The last file stays: the archive goes on
# after it.
remove_old_files() {
  local name limit to count=0
  limit=$(date -u -d "-$1 days" '+%Y-%m-%dT%H:%M:%SZ')
  for name in $(archive_names "$FOLDER" manifest | sed '$d'); do
    to=$(manifest_value "$FOLDER/$name.manifest" to)
    [[ $to == [0-9]*T*Z ]] || fail "$FOLDER/$name.manifest is damaged: it does not say when its last event happened." \
      "It and the files after it were not removed. Examine the archive:  ./apexshop events verify $FOLDER"
    [[ $to < $limit ]] || break
    rm -f "$FOLDER/$name.ndjson.gz"
    rm "$FOLDER/$name.manifest"
    count=$((count + 1))
  done
  say "Files removed, whose last event is older than $1 days: $count"
}

# Adds the events up to the end that the log has at the beginning, however fast it grows.
events_archive() {
  local found last from to end='' files=0
  [[ -z $OPTION_AFTER || $OPTION_AFTER =~ ^[0-9]{1,18}$ ]] ||
    refuse_arguments "$SCOPE" "'$OPTION_AFTER' is not a position."
  [[ -z $OPTION_KEEP_DAYS || $OPTION_KEEP_DAYS =~ ^[1-9][0-9]{0,4}$ ]] ||
    refuse_arguments "$SCOPE" "'$OPTION_KEEP_DAYS' is not a number of days, from 1 to 99999."
  open_archive "$1"
  continue_archive
  # First, because it must not wait for a log that is unavailable.
  [[ -z $OPTION_KEEP_DAYS ]] || remove_old_files "$OPTION_KEEP_DAYS"
  choose_log
  on_interrupt "What was archived stays. ./apexshop events archive goes on after it."
  while [[ -z $end ]] || ((AFTER < end)); do
    fetch_events || fail "The events after $AFTER could not be read and written; the reason is above." \
      "What was archived stays; the same command goes on after it."
    check_response
    LOG=$(response_header log-id)
    end=${end:-$(response_header log-head)}
    [[ -n $LOG && $end =~ ^[0-9]+$ ]] || fail "The response of $COMMANDS_URL/events is not that of a log."
    ((end >= AFTER)) || fail "The log ends at $end, before $AFTER, after which $FOLDER goes on."
    ((end > AFTER)) || break
    found=$(examine "$PART/data" "$AFTER" "$LOG") ||
      fail "The response with the events after $AFTER was not archived: $found" "The same command goes on after $AFTER."
    read -r last from to <<<"$found"
    ((last > AFTER)) || fail "The response with the events after $AFTER is empty, and the log ends at $end."
    keep_file "$last" "$from" "$to"
    say "  $(thousands $((AFTER + 1))) to $(thousands "$last") of $(thousands "$end")"
    AFTER=$last files=$((files + 1))
  done
  say "$FOLDER has the events of the log $LOG up to $(thousands "$AFTER"). Files added: $files"
}

# The log of the running shop, or one elsewhere that the environment names.
choose_log() {
  load_settings
  if [[ -n ${APEXSHOP_EVENTS_URL:-} ]]; then
    COMMANDS_URL=${APEXSHOP_EVENTS_URL%/} ADMIN_KEY=${APEXSHOP_EVENTS_KEY:-}
    # It may be reached by the proxy only.
    shop_curl() { curl "$@"; }
    return
  fi
  role_runs commands || fail "The shop is not running." "./apexshop up" \
    "APEXSHOP_EVENTS_URL and APEXSHOP_EVENTS_KEY name a Commands.Api elsewhere."
}

events_list() {
  find_archive "$1"
  # More names than a command may have.
  archive_names "$FOLDER" manifest | sed 's/$/.manifest/' | (cd "$FOLDER" && xargs cat) | awk -F = -v OFS='\t' '
    { value[$1] = $2 }
    $1 == "sha256" {
      printf "%s\t%s\t%.0f\t%s\t%s\t%s\t%s\n", value["first"], value["last"], value["last"] - value["first"] + 1,
        value["from"], value["to"], value["bytes"], value["log"]
    }' | short_times | print_table first last events from to bytes log
}

# fault_of NAME END: why a file is not as its manifest describes it, or does not follow the one that ends with END;
# nothing when all is well.
fault_of() {
  local file=$FOLDER/$1.ndjson.gz manifest=$FOLDER/$1.manifest first found
  first=$(first_of "$1")
  if [[ -n $2 ]] && ((first != $2 + 1)); then
    say "it does not follow the file before it, which ends with $2"
  elif [[ ! -f $manifest ]]; then
    say "it has no manifest"
  elif [[ ! -f $file ]]; then
    say "the file is missing"
  elif [[ $(sha256_of_file "$file") != "$(manifest_value "$manifest" sha256)" ]]; then
    say "its SHA-256 is not that of its manifest"
  elif ! found=$(examine "$file" $((first - 1)) "$(manifest_value "$manifest" log)"); then
    say "$found"
  elif [[ $found != "$(last_of "$1") $(manifest_value "$manifest" from) $(manifest_value "$manifest" to)" ]]; then
    say "it does not have the last event or the times of its name and its manifest"
  fi
}

events_verify() {
  local name fault begin='' end='' wrong=0 files=0
  find_archive "$1"
  for name in $(archive_names "$FOLDER"); do
    fault=$(fault_of "$name" "$end")
    if [[ -n $fault ]]; then
      say "$FOLDER/$name.ndjson.gz: $fault" >&2
      wrong=$((wrong + 1))
    fi
    begin=${begin:-$(first_of "$name")}
    end=$(last_of "$name") files=$((files + 1))
  done
  ((wrong == 0)) || fail "The archive is damaged; files listed above: $wrong" \
    "docs/operations.md, 'Archive the log'"
  say "The archive has the events $(thousands "$begin") to $(thousands "$end") without a gap. Files: $files"
}
