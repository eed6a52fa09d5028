# Rebuilding the documents from the event log, and rolling back to the previous ones.

verb_rebuild() {
  load_settings
  need_running commands projector
  need_psql
  "rebuild_$1"
}

# rebuild_request METHOD PATH: sets RESPONSE to the body; a refusal is printed with its reason.
rebuild_request() {
  RESPONSE=$(admin_json "$1" "projections/$2" "./apexshop rebuild status shows more.") || exit 1
}

# member NAME: a text or a number of the response.
member() {
  if [[ $RESPONSE =~ \"$1\":\"(([^\"\\]|\\.)*)\" ]]; then
    printf '%s' "${BASH_REMATCH[1]}"
  elif [[ $RESPONSE =~ \"$1\":([0-9.]+|true|false|null) ]]; then
    printf '%s' "${BASH_REMATCH[1]}"
  fi
}

# counts NAME: the sum of a member over all kinds of documents.
counts() {
  local rest=$RESPONSE sum=0
  while [[ $rest =~ \"$1\":([0-9]+)(.*) ]]; do
    sum=$((sum + BASH_REMATCH[1]))
    rest=${BASH_REMATCH[2]}
  done
  printf '%s' "$sum"
}

rebuild_start() {
  on_interrupt "A rebuild that was started goes on in the Projector: ./apexshop rebuild status shows it."
  rebuild_request POST rebuild
  note "The documents are being rebuilt; the current ones stay in use meanwhile."
  follow_rebuild
}

# Prints a line when a phase begins; on a terminal the numbers are updated.
follow_rebuild() {
  local phase='' line
  while rebuild_request GET rebuild && [[ $(member state) == running ]]; do
    line="  $(printf '%-12s' "$(member phase)") position $(thousands "$(member position)"),"
    line+=" $(thousands "$(counts 'done')") of $(thousands "$(counts total)") documents, $(member seconds) s"
    if [[ -n ${OPTION_JSON:-} ]]; then
      :
    elif [[ -t 1 ]]; then
      printf '\r%s   ' "$line"
    elif [[ $phase != "$(member phase)" ]]; then
      say "$line"
    fi
    phase=$(member phase)
    sleep 0.3
  done
  [[ ! -t 1 || -n ${OPTION_JSON:-} ]] || printf '\r%90s\r' ''
  print_rebuild
  [[ $(member state) != failed ]]
}

rebuild_status() {
  rebuild_request GET rebuild
  if [[ $(member state) == running && -z ${OPTION_JSON:-} ]]; then
    on_interrupt "The rebuild goes on in the Projector: ./apexshop rebuild status shows it."
    follow_rebuild
  else
    print_rebuild
  fi
}

print_rebuild() {
  local pattern rest=$RESPONSE
  [[ -z ${OPTION_JSON:-} ]] || { say "$RESPONSE" && return; }
  pattern='"([a-z]+)":\{"done":([0-9]+),"total":[0-9]+,"before":([0-9]+),"differing":([0-9]+),'
  pattern+='"examples":\[([0-9,]*)\]\}(.*)'
  case $(member state) in
    none) say "No rebuild has been run." ;;
    failed)
      say "Failed after $(member seconds) s while $(member phase): $(member failure)"
      say "The documents in use were not changed; ./apexshop rebuild tries again."
      ;;
    done)
      say "Rebuilt in $(member seconds) s up to position $(thousands "$(member position)")."
      while [[ $rest =~ $pattern ]]; do
        rest=${BASH_REMATCH[6]}
        # The first number has deletions, and not what was changed while the tables were filled.
        printf '  %-12s %9s aggregates from the log; %s documents were in use, %s of them different%s\n' "${BASH_REMATCH[1]}" \
          "$(thousands "${BASH_REMATCH[2]}")" "$(thousands "${BASH_REMATCH[3]}")" "$(thousands "${BASH_REMATCH[4]}")" \
          "${BASH_REMATCH[5]:+ (such as ${BASH_REMATCH[5]})}"
      done
      [[ $(member parkedAggregates) == 0 ]] ||
        say "  $(member parkedAggregates) aggregates have an event that cannot be applied: ./apexshop dlq"
      ;;
  esac
  [[ $(member canRollBack) != true ]] || say "The previous documents are kept:" \
    "./apexshop rebuild rollback brings them back, ./apexshop rebuild drop frees their space."
}

print_rebuild_as_json() {
  [[ -n ${OPTION_JSON:-} ]] || return 0
  rebuild_request GET rebuild
  print_rebuild
}

rebuild_rollback() {
  local epoch now
  epoch=$(documents_epoch)
  (admin_json POST "projections/rollback?epoch=$epoch" "./apexshop rebuild status shows more." >/dev/null) || {
    # The response may have been lost after the exchange, or another operator was first.
    ! now=$(documents_epoch 2>/dev/null) || [[ $now == "$epoch" ]] ||
      echo "The documents have been exchanged meanwhile: compare them before you roll back again." >&2
    exit 1
  }
  note "The previous documents are in use again; later events are now applied to them."
  await_projection
  note "They are up to date. Another ./apexshop rebuild rollback reverses this."
  print_rebuild_as_json
}

documents_epoch() {
  local RESPONSE
  RESPONSE=$(admin_json GET projection "./apexshop status shows more.") || exit 1
  member epoch
}

rebuild_drop() {
  rebuild_request DELETE previous
  note "The previous documents, and what an incomplete rebuild has left, are dropped."
  print_rebuild_as_json
}
