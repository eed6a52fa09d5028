# Several processes of each kind on one machine: the first has the kind's name and port, the next are name-2 on the
# port after it, and so on.

ROLES="commands projector queries"
MOST_OF_A_KIND=9

role_of() { echo "${1%%-*}"; }

# number_of projector-2: 2; of the first: 1.
number_of() { if [[ $1 == *-* ]]; then echo "${1##*-}"; else echo 1; fi; }

# count_of ROLE: the number of these processes in this shop.
count_of() {
  local part
  for part in ${SCALE//,/ }; do
    if [[ $part == "$1="* ]]; then echo "${part#*=}" && return; fi
  done
  echo 1
}

instances_of() {
  local n
  echo "$1"
  for ((n = 2; n <= $(count_of "$1"); n++)); do echo "$1-$n"; done
}

# role_runs ROLE: whether requests reach a process of a kind. The gateway of a cluster forwards them to any that runs.
role_runs() {
  # shellcheck disable=SC2046
  if in_cluster; then any_runs $(instances_of "$1"); else is_running "$1"; fi
}

need_running() {
  local role
  for role in "$@"; do role_runs "$role" || fail "The shop is not running." "./apexshop up"; done
}

# Sets SCALE, which is empty for one of each, and PROCESSES, the names of all processes of this shop.
set_scale() {
  local role
  SCALE=$1 PROCESSES=''
  for role in $ROLES; do PROCESSES+="$(instances_of "$role" | tr '\n' ' ')"; done
  PROCESSES=${PROCESSES% }
  [[ $PROCESSES != "$ROLES" ]] || SCALE=''
}

check_scale() {
  local part
  for part in ${1//,/ }; do
    [[ $part =~ ^(commands|projector|queries)=[1-$MOST_OF_A_KIND]$ ]] ||
      refuse_arguments up "'$part' is not a scale; give kinds with a number from 1 to $MOST_OF_A_KIND each."
  done
}

# urls_of ROLE: the addresses, separated by commas.
urls_of() {
  local name all=''
  for name in $(instances_of "$1"); do all+=",$(process_url "$name")"; done
  echo "${all#,}"
}

# share TOTAL ROLE: the part of one process, so that all together stay below the server's limit.
share() {
  local part
  part=$(($1 / $(count_of "$2")))
  echo $((part > 0 ? part : 1))
}

# export_list NAME ADDRESSES: exports each as NAME__0, NAME__1, ...
export_list() {
  local address n=0
  for address in ${2//,/ }; do
    export "$1__$n=$address"
    n=$((n + 1))
  done
}
