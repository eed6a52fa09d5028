# Backups of the whole server: a restore to a point in time uses one of them and the archived changes after it.

FULL_BACKUP_DAYS=7

back_up_server() {
  local kind=$1
  need_archive_tools
  open_state
  need_postgres
  take_backup_lock
  on_interrupt "An unfinished backup is never restored. ./apexshop backup makes another one."
  switch_archiving_on
  kind=${kind:-$(next_kind)}
  exec 9>&-
  step "Backing up the server ($kind)" "$STATE/log/backup.log" archive_tool pgbackrest.conf backup --type="$kind"
  remember_backup
  say "The backup is in $REPOSITORY, which has all users' data, encrypted."
  read_backups pgbackrest.conf
  range_of "$(current_timeline)"
  say "Keep the keys in another place too; no backup can be read without BACKUPS_KEY: $STATE/secrets"
}

# Other verbs may run during a backup, but no second one and no copy of one. The tool inherits the lock: it goes on when
# its command was killed.
take_backup_lock() {
  exec 8>"$STATE/backup.lock"
  flock -n 8 || fail "A backup or a restore runs here already; wait until it has ended."
}

# Another ./apexshop may have changed the settings meanwhile.
remember_backup() {
  load_archive
  LAST_BACKUP=$(date +%s)
  save_archive "$ARCHIVING"
  copy_timelines
}

# A restore reads one full and one differential backup; a full one a week bounds what the differential ones repeat.
next_kind() {
  local last
  read_backups pgbackrest.conf
  last=$(awk -F '\t' '$2 == "full" { print $3 }' <<<"$BACKUPS" | tail -n 1)
  if [[ -n $last ]] && (($(date +%s) - last < FULL_BACKUP_DAYS * 86400)); then echo diff; else echo full; fi
}

# read_backups FILE: sets BACKUPS_VERSION, PostgreSQL's, and BACKUPS, a line for each, the oldest first: its name, kind,
# end, last WAL file, bytes of the server, bytes in the repository.
read_backups() {
  local info
  info=$(archive_tool "$1" info --output=json | flat_json) || true
  # 1 and 2: there is nothing yet.
  [[ $(flat_value 0.status.code <<<"$info") == [012] ]] ||
    fail "$REPOSITORY cannot be read: $(flat_value 0.status.message <<<"$info")" \
      "Backups of another shop need its BACKUPS_KEY in $STATE/secrets; docs/operations.md, 'The archive'."
  BACKUPS_VERSION=$(awk -F '\t' '$1 ~ /^0\.db\.[0-9]+\.version$/ { last = $2 } END { print last }' <<<"$info")
  BACKUPS=$(flat_rows 0.backup label type timestamp.stop archive.stop info.size info.repository.delta <<<"$info")
}

# earliest_point: the first second after the end of the oldest backup after which no WAL file is missing.
earliest_point() {
  { archived_files && echo && echo "$BACKUPS"; } | awk -F '[ \t]' "$WAL_PLACE"'
    !NF { files = 1; for (first = last; first - 1 in archived;) first--; next }
    !files { n = place($1); archived[n]; if (n > last) last = n; next }
    place($4) >= first && (!earliest || $3 < earliest) { earliest = $3 }
    END { if (earliest) print earliest + 1 }'
}

# range_of TIMELINE: the times to which --to can go.
range_of() {
  local first last
  first=$(earliest_point) last=$(archive_end "$1")
  if [[ -z $BACKUPS ]]; then
    say "There is no backup yet: ./apexshop backup"
  elif [[ -z $first ]]; then
    say "Changes after the last backup were not archived, so only times before this gap can be restored." \
      "After  ./apexshop backup  later times can be restored too."
  elif [[ -z $last ]] || ((last < first)); then
    say "A restore can be to every time from $(utc "$first") on: ./apexshop restore --to TIME"
  else
    say "A restore can be to every time from $(utc "$first") to $(utc "$last"): ./apexshop restore --to TIME"
  fi
}

list_backups() {
  need_archive_tools
  load_archive
  [[ -n $ARCHIVING ]] || fail "The server was never backed up here." "./apexshop backup"
  check_repository
  read_backups pgbackrest.conf
  if [[ -n $OPTION_JSON ]]; then
    backups_json
    return
  fi
  say "Backups in $REPOSITORY, $BACKUPS_KEPT full ones are kept; archiving is $ARCHIVING:"
  print_rows "$(short_backups)" backup kind 'ended (UTC)' 'server MB' 'stored MB'
  range_of "$(current_timeline)"
}

short_backups() {
  local label kind ended wal size stored
  [[ -n $BACKUPS ]] || return 0
  while IFS=$'\t' read -r label kind ended wal size stored; do
    printf '%s\t%s\t%s\t%s\t%s\n' "$label" "$kind" "$(utc "$ended")" $((size / 1000000)) $((stored / 1000000))
  done <<<"$BACKUPS"
}

# Times are seconds since 1970.
backups_json() {
  local first last
  first=$(earliest_point) last=$(archive_end "$(current_timeline)")
  printf '{"archiving":"%s","repository":"%s","fullBackupsKept":%s,"earliest":%s,"latest":%s,"backups":[' \
    "$ARCHIVING" "${REPOSITORY//[\"\\]/?}" "$BACKUPS_KEPT" "${first:-null}" "${last:-null}"
  [[ -z $BACKUPS ]] || awk -F '\t' '{
    printf "%s{\"name\":\"%s\",\"kind\":\"%s\",\"ended\":%s,\"bytes\":%s,\"storedBytes\":%s}", (NR > 1 ? "," : ""),
      $1, $2, $3, $5, $6 }' <<<"$BACKUPS"
  say ']}'
}
