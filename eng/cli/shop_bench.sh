# The whole shop as a user starts it: the first seed, the second `up`, memory after load.

# bench_shop [TURNS]: each turn has new data.
bench_shop() {
  local turns=${1:-5} turn figures missed=0
  [[ $turns =~ ^[1-9][0-9]?$ ]] || refuse_arguments "bench shop" "TURNS is a number from 1 to 99."
  need_dotnet
  mkdir -p "$STATE/log"
  # Copied by each turn, into its own folder.
  step "Building the processes" "$STATE/log/build.log" build_release "$ROOT/eng/cli/processes.slnf"
  build_load
  figures=$(mktemp)
  for ((turn = 1; turn <= turns; turn++)); do
    say "Turn $turn of $turns"
    (shop_turn "$figures")
  done

  printf '\n| what | goal | median | range |\n|---|---|---|---|\n'
  print_figure seed "the first seed in processes that were just started, events/s" least 16000
  print_figure reseed "a seed of twice as much in a shop that has been seeded, events/s" '' ''
  print_figure up "the second ./apexshop up, servers stopped and all built, s" most 6
  print_figure commands "resident memory of Commands.Api, MB" '' ''
  print_figure projector "resident memory of the Projector, MB" '' ''
  print_figure queries "resident memory of Queries.Api, MB" '' ''
  print_figure memory "the three together, MB" most 300
  rm -f "$figures"
  return "$missed"
}

# print_figure NAME TITLE least|most|'' GOAL: a row of the table; sets missed.
print_figure() {
  local values lowest median highest goal=''
  values=$(awk -v name="$1" '$1 == name { print $2 }' "$figures" | sort -g)
  median=$(awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }' <<<"$values")
  lowest=$(head -1 <<<"$values") highest=$(tail -1 <<<"$values")
  if [[ -n $3 ]]; then
    goal="at $3 $4, met"
    if awk "BEGIN { exit !($( [[ $3 == most ]] && echo "$median > $4" || echo "$median < $4" )) }"; then
      goal="at $3 $4, MISSED" missed=1
    fi
  fi
  printf '| %s | %s | %s | %s to %s |\n' "$2" "$goal" "$median" "$lowest" "$highest"
}

# In a subshell, with which its servers end. 60 seconds of load go to processes that were started before the last seed.
shop_turn() {
  local began name size all=0
  start_private_servers '' --no-sync
  choose_process_ports
  save_settings
  trap stop_report_shop EXIT
  run_processes
  printf 'seed %s\n' "$(seed_rate 1)" >>"$1"

  exec 9>&-
  stop_all
  began=$(now_ms)
  "$ROOT/apexshop" up --no-seed >/dev/null
  printf 'up %s\n' "$(seconds $(($(now_ms) - began)))" >>"$1"

  printf 'reseed %s\n' "$(seed_rate 3)" >>"$1"
  load_shop "$STATE/load" mixed_operations_stress --seconds 60 --rate 0.3 >"$STATE/log/load.log"
  for name in $PROCESSES; do
    size=$(($(awk '$1 == "VmRSS:" { print $2 }' "/proc/$(pid_of "$name")/status") / 1024))
    all=$((all + size))
    printf '%s %s\n' "$name" "$size" >>"$1"
  done
  printf 'memory %s\n' "$all" >>"$1"
}

# seed_rate SCALE: events a second from the request to the last document.
seed_rate() {
  OPTION_JSON=yes seed_shop "$1" |
    sed -nE 's/.*"kind":"projected","events":([0-9]+),"seconds":([0-9.]+).*/\1 \2/p' |
    awk '{ printf "%d", $1 / $2 }'
}
