# The logs of processes and servers.

verb_logs() {
  local name files=()
  load_settings
  # shellcheck disable=SC2086
  [[ $# -gt 0 ]] || set -- $PROCESSES
  for name in "$@"; do
    [[ -f $STATE/$name/log ]] || refuse_arguments logs "There is no log of '$name'; names: $PROCESSES $SERVERS"
    files+=("$STATE/$name/log")
  done
  exec tail -n 40 -F "${files[@]}"
}
