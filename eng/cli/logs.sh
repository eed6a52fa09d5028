# The logs of processes and servers.

verb_logs() {
  local name files=() containers=()
  load_settings
  # shellcheck disable=SC2086
  [[ $# -gt 0 ]] || set -- $PROCESSES
  for name in "$@"; do
    if [[ $ENGINE == docker ]] && is_server "$name"; then
      containers+=("$name")
      continue
    fi
    [[ -f $STATE/$name/log ]] || refuse_arguments logs "There is no log of '$name'; names: $(all_names)"
    files+=("$STATE/$name/log")
  done
  if ((${#containers[@]})); then
    ((${#containers[@]} == $#)) || refuse_arguments logs \
      "The logs of servers in Docker are shown by a command of their own: ./apexshop logs ${containers[*]}"
    compose logs -f --tail 40 "${containers[@]}"
    return
  fi
  exec tail -n 40 -F "${files[@]}"
}
