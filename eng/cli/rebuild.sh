# Making the documents anew from the event log, and going back to those before.

verb_rebuild() {
  local what=${1:-start}
  case $what in
    start | status | rollback | drop) ;;
    *) fail "There is no 'rebuild $what'; these exist:" \
      "rebuild            makes all documents anew beside those in use, and exchanges them" \
      "rebuild status     how far it is, or what became of the last one" \
      "rebuild rollback   brings back the documents before, at once" \
      "rebuild drop       drops the documents before" ;;
  esac
  load_settings
  all_run commands projector || fail "The shop is not up." "./apexshop up"
  find_postgres || [[ $ENGINE == docker ]]
  "rebuild_$what"
}

# ask METHOD PATH: sets ANSWER to the body; a refusal is shown with its reason.
ask() {
  ANSWER=$(curl -sS --fail-with-body -m 60 -X "$1" "$COMMANDS_URL/admin/projections/$2" -H "Authorization: Bearer $ADMIN_KEY") ||
    fail "$(member detail) ($(member code))" "./apexshop rebuild status says more."
}

# member NAME: a text or a number of the answer.
member() {
  if [[ $ANSWER =~ \"$1\":\"(([^\"\\]|\\.)*)\" ]]; then
    printf '%s' "${BASH_REMATCH[1]}"
  elif [[ $ANSWER =~ \"$1\":([0-9.]+|true|false|null) ]]; then
    printf '%s' "${BASH_REMATCH[1]}"
  fi
}

# counts NAME: a member added up over all kinds of documents.
counts() {
  local rest=$ANSWER sum=0
  while [[ $rest =~ \"$1\":([0-9]+)(.*) ]]; do
    sum=$((sum + BASH_REMATCH[1]))
    rest=${BASH_REMATCH[2]}
  done
  printf '%s' "$sum"
}

rebuild_start() {
  ask POST rebuild
  say "The documents are made anew; those in use stay in use meanwhile."
  follow_rebuild
}

# A line whenever another phase begins; on a terminal the numbers run.
follow_rebuild() {
  local phase='' line
  while ask GET rebuild && [[ $(member state) == running ]]; do
    line="  $(printf '%-12s' "$(member phase)") position $(thousands "$(member position)"), $(thousands "$(counts 'done')") of $(thousands "$(counts total)") documents, $(member seconds) s"
    if [[ -t 1 ]]; then
      printf '\r%s   ' "$line"
    elif [[ $phase != "$(member phase)" ]]; then
      say "$line"
    fi
    phase=$(member phase)
    sleep 0.3
  done
  [[ ! -t 1 ]] || printf '\r%90s\r' ''
  tell_rebuild
  [[ $(member state) != failed ]]
}

rebuild_status() {
  ask GET rebuild
  if [[ $(member state) == running ]]; then follow_rebuild; else tell_rebuild; fi
}

tell_rebuild() {
  local pattern='"([a-z]+)":\{"done":([0-9]+),"total":[0-9]+,"before":([0-9]+),"differing":([0-9]+),"examples":\[([0-9,]*)\]\}(.*)' rest=$ANSWER
  case $(member state) in
    none) say "No rebuild has been run." ;;
    failed) say "Failed after $(member seconds) s while $(member phase): $(member failure)" "The documents in use are those from before; ./apexshop rebuild tries again." ;;
    done)
      say "Rebuilt in $(member seconds) s up to position $(thousands "$(member position)")."
      while [[ $rest =~ $pattern ]]; do
        rest=${BASH_REMATCH[6]}
        printf '  %-12s %9s rows, %s documents before, %s of them different%s\n' "${BASH_REMATCH[1]}" "$(thousands "${BASH_REMATCH[2]}")" \
          "$(thousands "${BASH_REMATCH[3]}")" "$(thousands "${BASH_REMATCH[4]}")" "${BASH_REMATCH[5]:+ (such as ${BASH_REMATCH[5]})}"
      done
      [[ $(member parkedAggregates) == 0 ]] || say "  $(member parkedAggregates) aggregates have an event that cannot be applied: ./apexshop dlq"
      ;;
  esac
  [[ $(member canRollBack) != true ]] || say "Those before are kept: ./apexshop rebuild rollback brings them back, ./apexshop rebuild drop frees their room."
}

rebuild_rollback() {
  ask POST rollback
  say "The documents before are in use again; what has happened since is applied to them now."
  await_projection
  say "They are up to date. Another ./apexshop rebuild rollback takes this back."
}

rebuild_drop() {
  ask DELETE previous
  say "The documents from before the last rebuild are dropped."
}
