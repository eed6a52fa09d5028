# Output: short lines, progress of long work, and a reason for every failure.

say() { printf '%s\n' "$*"; }

# note TEXT: not with --json, whose output is for programs.
note() { [[ -n ${OPTION_JSON:-} ]] || say "$@"; }

fail() {
  printf '\napexshop: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# show_tail FILE [LINES]: the end of a log, indented, on stderr, without the lines of stack traces: the reasons are
# before them.
show_tail() {
  [[ ! -s $1 ]] || sed -E '/^ +(at |--- End of )/d' "$1" | tail -n "${2:-15}" | cut -c1-400 | sed 's/^/  | /' >&2
}

now_ms() {
  if [[ -n ${EPOCHREALTIME:-} ]]; then
    local now=${EPOCHREALTIME/[.,]/}
    printf '%s\n' "${now%???}"
  else
    printf '%s000\n' "$(date +%s)"
  fi
}

# seconds MILLISECONDS: with one digit after the point.
seconds() { printf '%d.%d' "$(($1 / 1000))" "$(($1 % 1000 / 100))"; }

# thousands 35015: 35,015 in every locale.
thousands() {
  local rest=$1 text=''
  while ((${#rest} > 3)); do
    text=",${rest: -3}$text"
    rest=${rest%???}
  done
  printf '%s%s' "$rest" "$text"
}

# confirm QUESTION: needs a yes on the terminal, or the option --yes.
confirm() {
  local reply=''
  [[ -z ${OPTION_YES:-} ]] || return 0
  [[ -t 0 ]] || fail "There is no terminal to ask on, so nothing was done." "--yes goes on without the question."
  printf '%s [y/N] ' "$1"
  read -r reply || true
  [[ $reply == [yY] || $reply == [yY][eE][sS] ]] || fail "Nothing was done."
}

# on_interrupt LINE...: what Ctrl-C prints after the list of what still runs.
on_interrupt() {
  AFTER_INTERRUPT=("$@")
  trap interrupted INT
}

interrupted() {
  trap '' INT
  [[ -z ${TICKER:-} ]] || kill "$TICKER" 2>/dev/null || true
  printf '\n\nInterrupted. Still running:%s\n' "$(running_names)" >&2
  printf '%s\n' "${AFTER_INTERRUPT[@]}" >&2
  exit 130
}

# tick TITLE MILLISECONDS: counts the seconds on a terminal until it is killed.
tick() {
  while sleep 0.5 && kill -0 $$ 2>/dev/null; do
    printf '\r%s ... %s s ' "$1" "$((($(now_ms) - $2) / 1000))"
  done
}

# attempt COMMAND...: runs a command up to its first failure and sets STATUS. Not `COMMAND || STATUS=$?`: within such a
# list bash ignores -e, and the command would continue after its first failure.
# shellcheck disable=SC2034
attempt() {
  set +e
  (
    set -e
    "$@"
  )
  STATUS=$?
  set -e
}

# step TITLE LOG COMMAND...: runs a command with its output in a log; a failure shows the end of the log.
step() {
  local title=$1 log=$2 began status
  shift 2
  began=$(now_ms)
  mkdir -p "$(dirname "$log")"
  printf '%s ...' "$title"
  if [[ -t 1 ]]; then
    tick "$title" "$began" 9>&- &
    TICKER=$!
  fi
  # As `attempt`, except that the command does not keep the lock of the state folder.
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 9>&- </dev/null
  status=$?
  set -e
  if [[ -n ${TICKER:-} ]]; then
    kill "$TICKER" 2>/dev/null && wait "$TICKER" 2>/dev/null || true
    TICKER=''
    printf '\r%s ...' "$title"
  fi
  if ((status)); then
    printf ' failed after %s s\n' "$(seconds $(($(now_ms) - began)))"
    show_tail "$log" 25
    fail "'$title' failed; its whole output is in $log"
  fi
  printf ' done in %s s\n' "$(seconds $(($(now_ms) - began)))"
}
