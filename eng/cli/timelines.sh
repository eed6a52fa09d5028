# PostgreSQL begins another timeline at the end of each restore to a point in time. A line of the file `timelines` has
# its number, the one it was restored from, the time at which it began and the time up to which both are the same, in
# microseconds. Timeline 1 has no line.

# The file of this shop, else the copy that the repository has of another shop's.
timelines() {
  if [[ -s $STATE/timelines && $(saved_value archive REPOSITORY) == "$REPOSITORY" ]]; then
    cat "$STATE/timelines"
  else
    as_postgres cat "$REPOSITORY/timelines" 2>/dev/null || true
  fi
}

# A restore on another machine needs the file.
copy_timelines() {
  [[ -f $STATE/timelines ]] || return 0
  as_postgres tee "$REPOSITORY/timelines.new" <"$STATE/timelines" >/dev/null &&
    as_postgres mv -f "$REPOSITORY/timelines.new" "$REPOSITORY/timelines"
}

current_timeline() { timelines | awk 'BEGIN { last = 1 } { last = $1 } END { print last }'; }

# timeline_at MICROSECONDS: the timeline that the shop was on. A restore after a restore can so return to a time that
# the first one undid.
timeline_at() { timelines | awk -v at="$1" 'BEGIN { last = 1 } $3 <= at { last = $1 } END { print last }'; }

# archived_files: each WAL file in the archive, with the time at which it was archived.
archived_files() {
  [[ -d $REPOSITORY/archive/shop ]] || return 0
  # PostgreSQL archives meanwhile: a file may get another name.
  find "$REPOSITORY/archive/shop" -ignore_readdir_race -type f -name '????????????????????????-*' -printf '%f %T@\n'
}

# archive_end TIMELINE: when its last WAL file was archived, in seconds, or nothing.
archive_end() {
  archived_files | awk -v timeline="$(printf '%08X' "$1")" 'index($1, timeline) == 1' |
    sort | tail -n 1 | sed 's/.* //; s/\..*//'
}

# Functions of awk: the number of a WAL file in the order of the WAL, without its timeline. A file has 16 MB; the middle
# part of the name is the same for 256 files.
WAL_PLACE='
  function hex(text,   i, n) {
    for (i = 1; i <= length(text); i++) n = n * 16 + index("0123456789ABCDEF", substr(text, i, 1)) - 1
    return n
  }
  function place(file) { return hex(substr(file, 9, 8)) * 256 + hex(substr(file, 17, 8)) }'

# unbroken_end FILE: from this WAL file to the next missing one, the time at which the last file was archived, in
# microseconds. Archiving that was switched off for a time leaves a gap.
unbroken_end() {
  archived_files | awk -v first="$1" "$WAL_PLACE"'
    { n = place($1); if ($2 > archived[n]) archived[n] = $2 }
    END {
      for (n = place(first); n in archived; n++) if (archived[n] > last) last = archived[n]
      printf "%.0f", last * 1000000
    }'
}

# best_backup MICROSECONDS TIMELINE: of the backups on stdin the last one that ended before this time on this timeline
# or on one that it continues, as long as both are the same.
best_backup() {
  { timelines && cat; } | awk -v at="$1" -v wanted="$2" "$WAL_PLACE"'
    function number(file) { return hex(substr(file, 1, 8)) }
    !/\t/ { parent[$1] = $2; same[$1] = $4; next }
    {
      split($0, backup, "\t")
      limit = at
      for (t = wanted; t != number(backup[4]) && t in parent; t = parent[t]) if (same[t] < limit) limit = same[t]
      # The second in which it ended may have changes after its end.
      if (t == number(backup[4]) && (backup[3] + 1) * 1000000 <= limit && backup[3] + 0 >= ended) {
        ended = backup[3]
        best = backup[1]
      }
    }
    END { print best }'
}
