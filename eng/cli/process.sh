# Background processes: each has a folder in the state folder with its pid file and its log.

# identity PID: its start time, or nothing when it has ended. A pid is used again; a pid with its start time is not.
identity() {
  local stat
  if [[ -r /proc/$1/stat ]]; then
    { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 0
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    # A zombie has ended and only waits for its parent to read the exit status.
    [[ $1 == Z ]] || echo "${20}"
  elif [[ ! -d /proc/self ]]; then
    ps -o lstart= -p "$1" 2>/dev/null | tr ' ' '_' || true
  fi
}

pid_of() { cut -d' ' -f1 "$STATE/$1/pid"; }

# is_alive FILE: whether the process runs whose pid and start time are in the file.
is_alive() {
  local pid start
  [[ -f $1 ]] && read -r pid start <"$1" || return 1
  [[ -n $start && $(identity "$pid") == "$start" ]]
}

is_running() { is_alive "$STATE/$1/pid"; }

# running_names: the servers and processes that run.
running_names() {
  local name names=''
  for name in $SERVERS $PROCESSES; do ! server_is_up "$name" || names+=" $name"; done
  echo "${names:- nothing}"
}

# launch NAME COMMAND...: in a new session, so that closing the terminal does not end it. In a subshell that Ctrl-C does
# not end: every process that was started has its pid file.
launch() (
  trap : INT
  name=$1 log=$STATE/$1/log detach=nohup
  shift
  # `ip netns exec` becomes the program, which keeps its pid.
  ! has_networks || [[ $name == gateway ]] || set -- ip netns exec "$(machine_network "$(machine_of "$name")")" "$@"
  mkdir -p "$STATE/$name"
  rm -f "$STATE/$name/stopping"
  [[ ! -s $log ]] || mv -f "$log" "$log.1"
  # Only its owner may read it: a log of PostgreSQL may have the values of a statement.
  (umask 077 && rm -f "$log" && : >"$log")
  ! command -v setsid >/dev/null || detach=setsid
  # Appended: after logrotate has emptied the file, the next line is its first.
  $detach "$@" >>"$log" 2>&1 7>&- 8>&- 9>&- </dev/null &
  disown $!
  # One without a pid file would be unknown to every later command.
  echo "$! $(identity $!)" 2>/dev/null >"$STATE/$name/pid" || {
    kill -s KILL $! "-$!" 2>/dev/null || true
    fail "$(title "$name") was not started: $STATE cannot be written; is its disk full?"
  }
)

# await NAME TITLE SECONDS CHECK...: until the check succeeds, the process ends or the time is over.
await() {
  local name=$1 title=$2 limit=$3 began
  shift 3
  began=$(now_ms)
  # When the process has ended because its port is in use, another program responds there.
  until "$@" >/dev/null 2>&1 && is_running "$name"; do
    if ! is_running "$name"; then
      show_tail "$STATE/$name/log"
      fail "$title stopped while starting; the last lines of its log are above, the whole log is $STATE/$name/log"
    fi
    if (($(now_ms) - began > limit * 1000)); then
      show_tail "$STATE/$name/log"
      fail "$title runs but was not ready within $limit s; its log is $STATE/$name/log"
    fi
    sleep 0.1
  done
}

# signal NAME SIGNAL: does nothing when it does not run; the pid file is only trusted if the start time matches. The
# mark shows a later command that the process is about to end.
signal() {
  is_running "$1" || return 0
  touch "$STATE/$1/stopping"
  kill -s "$2" "$(pid_of "$1")" 2>/dev/null || true
}

# await_stopping NAME...: until those have ended that an interrupted command has stopped.
await_stopping() {
  local name
  for name in "$@"; do
    [[ ! -f $STATE/$name/stopping ]] || ! is_running "$name" || say "Waiting until $(title "$name") has stopped."
    [[ ! -f $STATE/$name/stopping ]] || await_end "$name" "$(title "$name")" 60
  done
}

# await_end NAME TITLE SECONDS: kills the process if it has not ended by then, and prints that.
await_end() {
  local began killed=''
  began=$(now_ms)
  while is_running "$1"; do
    if [[ -z $killed ]] && (($(now_ms) - began > $3 * 1000)); then
      say "$2 did not end within $3 s and was killed."
      signal "$1" KILL
      killed=yes
    fi
    # Only a wait for a disk or a driver outlasts it.
    (($(now_ms) - began < ($3 + 60) * 1000)) ||
      fail "$2 (pid $(pid_of "$1")) was killed and does not end; see whether its disk works."
    sleep 0.1
  done
  rm -f "$STATE/$1/pid" "$STATE/$1/stopping"
}

# port_is_open PORT [ADDRESS]
port_is_open() { (exec 3<>"/dev/tcp/${2:-127.0.0.1}/$1") 2>/dev/null; }

# owns_port NAME PORT: whether a process listens there, by its open files; where the system does not show who listens,
# this is assumed.
owns_port() {
  local pid inode inodes files
  pid=$(pid_of "$1")
  inodes=$(cat "/proc/$pid"/net/tcp{,6} 2>/dev/null | awk -v port="$(printf ':%04X' "$2")" \
    '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }') || true
  [[ $inodes ]] || return 0
  files=$(ls -l "/proc/$pid/fd" 2>/dev/null) || return 1
  for inode in $inodes; do
    [[ $files != *"socket:[$inode]"* ]] || return 0
  done
  return 1
}

# is_another_at NAME PORT ADDRESS: whether another program than the process listens there.
is_another_at() { port_is_open "$2" "$3" && ! owns_port "$1" "$2"; }

# port_owner PORT: the process that listens there, if this user may see it.
port_owner() {
  local found=''
  if command -v ss >/dev/null; then
    found=$(ss -Hltnp "sport = :$1" 2>/dev/null | sed -n 's/.*users:(("\([^"]*\)",pid=\([0-9]*\).*/\1 (pid \2)/p' | head -n 1)
  elif command -v lsof >/dev/null; then
    found=$(lsof -nP -iTCP:"$1" -sTCP:LISTEN -Fpc 2>/dev/null | tr '\n' ' ' | sed -n 's/^p\([0-9]*\) .*c\([^ ]*\).*/\2 (pid \1)/p')
  fi
  echo "${found:-another program}"
}

# check_port NAME TITLE [PORT]: records a port that is in use, and a free one instead; fail_on_taken_ports prints them all.
TAKEN=() INSTEAD='' UNRECORDED=''
check_port() {
  local port=${3:-${!1}} other owner pid
  port_is_open "$port" || return 0
  owner=$(port_owner "$port")
  TAKEN+=("$port ($2) by $owner")
  pid=${owner##*pid } pid=${pid%)}
  ! is_of_state "$pid" || [[ "$UNRECORDED " == *" $pid "* ]] || UNRECORDED+=" $pid"
  [[ $INSTEAD != *"$1="* ]] || return 0
  other=$((port + 1))
  while port_is_open "$other" || [[ $INSTEAD == *"=$other "* ]]; do other=$((other + 1)); done
  INSTEAD+="$1=$other "
}

# is_of_state PID: whether its output goes to a log in the state folder.
is_of_state() { [[ $1 =~ ^[0-9]+$ && $(readlink "/proc/$1/fd/1") == "$(cd "$STATE" && pwd -P)"/* ]] 2>/dev/null; }

fail_on_taken_ports() {
  [[ -z $UNRECORDED ]] ||
    fail "Processes of this shop without a pid file have its ports:" "${TAKEN[@]}" "End them: kill$UNRECORDED"
  [[ -z $INSTEAD ]] || fail "Ports of the shop are in use:" "${TAKEN[@]}" "Stop those programs, or choose other ports:" \
    "${INSTEAD}./apexshop up"
}
