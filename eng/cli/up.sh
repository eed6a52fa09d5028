# up, down, clean.

# Ports cannot change while processes run that use each other's ports.
need_same_ports() {
  local name saved
  for name in $SERVER_PORTS $PROCESS_PORTS; do
    saved=$(saved_value ports "$name")
    [[ -z $saved || $saved == "${!name}" ]] || ! anything_runs ||
      fail "The shop is running with $name=$saved, not ${!name}." "./apexshop down  first, then up with other ports; the data stays."
  done
}

anything_runs() {
  local name
  # shellcheck disable=SC2086
  ! any_runs $PROCESSES || return 0
  for name in $SERVERS; do ! server_is_up "$name" || return 0; done
  return 1
}

# Sets WANTED, the requested scale, or nothing.
read_scale() {
  WANTED=$OPTION_SCALE
  [[ $WANTED != yes ]] || WANTED=$CLUSTER_SCALE
  check_scale "$WANTED"
}

# The scale of before, which `up` goes on with after a stop or a failure; a cluster has its own.
choose_scale() {
  [[ -n $WANTED ]] || WANTED=$SCALE
  ! in_cluster || WANTED=$CLUSTER_SCALE
}

# Those of the requested scale, so that a refused one stops nothing.
check_ports() {
  local before=$SCALE
  set_scale "$WANTED"
  check_server_ports
  check_process_ports
  fail_on_taken_ports
  set_scale "$before"
}

# Another number of processes changes the configuration of all of them: addresses, and connections per process.
change_scale() {
  local before=$PROCESSES running
  running=$(describe_processes)
  set_scale "$WANTED"
  [[ $PROCESSES != "$before" ]] || return 0
  # shellcheck disable=SC2086
  if any_runs $before; then
    say "Stopping $running: another number of processes was requested."
    PROCESSES=$before
    stop_processes
    set_scale "$WANTED"
  fi
}

# Decides for good that no `up` adds sample rows or the sample customer.
keep_without_samples() { touch "$STATE/unseeded"; }

# The sample shop is for a new shop; an interrupted `up` has perhaps added only a part of it.
add_samples() {
  [[ ! -f $STATE/unseeded ]] || return 0
  if [[ ! -f $STATE/seeded ]]; then
    seed_shop 1
    touch "$STATE/seeded"
  fi
  [[ -f $STATE/customer ]] || add_customer
}

verb_up() {
  read_scale
  load_settings
  [[ -z $OPTION_CLUSTER || -z $OPTION_SCALE ]] || refuse_arguments up "--cluster has its own scale: $CLUSTER_SCALE."
  on_interrupt "./apexshop up goes on from here, ./apexshop down stops it."
  need_dotnet
  open_state
  choose_cluster
  choose_scale
  choose_engine
  need_tools
  need_same_ports
  # shellcheck disable=SC2086
  await_stopping $PROCESSES $SERVERS
  check_ports
  change_scale
  save_settings
  [[ -z $OPTION_NO_SEED ]] || keep_without_samples
  need_no_volumes
  make_secrets
  launch_servers
  run_processes
  write_env_file
  add_samples
  print_addresses
}

any_runs() {
  local name
  for name in "$@"; do ! is_running "$name" || return 0; done
  return 1
}

# Running processes are not changed. A process that died is started from the same build as the others, so that two
# versions do not use one database. The servers may still be starting: build and migration do not wait for RabbitMQ.
run_processes() {
  local name
  # shellcheck disable=SC2086
  if any_runs $PROCESSES; then
    is_built || say "Sources have changed since they were built:  ./apexshop down && ./apexshop up  runs the new ones."
    if all_run $PROCESSES; then
      await_servers
      continue_recycling
      await_processes
      say "$(describe_processes) are already running."
      return
    fi
  elif ! is_built; then
    step "Building" "$STATE/log/build.log" build_processes
  fi
  await_database
  step "Preparing the database" "$STATE/log/database.log" prepare_database
  continue_recycling
  await_servers
  start_processes
}

stop_all() {
  # What hangs does not end before it goes on.
  if in_cluster; then unfreeze_machines; fi
  stop_processes
  [[ -z $ENGINE ]] || stop_servers
}

verb_down() {
  load_settings
  if [[ -d $STATE ]]; then open_state; fi
  if ! anything_runs && ! any_runs $(epmds) gateway && ! networks_exist; then
    [[ $ENGINE != docker ]] || docker_is_available ||
      fail "The servers run in Docker, and no engine is available to stop them."
    say "Nothing is running."
    return
  fi
  on_interrupt "./apexshop down goes on stopping; ./apexshop up waits for what is stopping and starts it again."
  stop_all
  say "Stopped. The data is kept; ./apexshop up starts the shop again."
}

# A data folder may be a link; its target and what is beside it are removed too, unless PostgreSQL was never created
# there. A state folder that is a link, or a mounted disk, stays without files.
remove_state() {
  local link data
  for link in "$1"/postgres*/data; do
    [[ -L $link ]] && data=$(readlink -f "$link") || continue
    # First: need_data refuses a link whose data is missing while the version file exists. The other name is that of an
    # incomplete creation, which a repeated `clean` removes too.
    mv -f "${link%/data}"/version{,.new} 2>/dev/null || true
    if [[ ! -f ${link%/data}/version.new && -d $data && -n $(ls -A "$data") ]]; then
      say "$data stays: it has files, and no PostgreSQL of this shop."
      continue
    fi
    # Where a disk is mounted, the empty folder stays.
    [[ ! -d $data ]] || find "$data" -delete || [[ -z $(ls -A "$data") ]]
    rm -rf "$data".{password,pgbackrest,backups,new,before,deleted} "$data".kept-*
    rmdir /var/lib/apexshop 2>/dev/null || true
  done
  # Another command may remove the same folder of a run that was killed. A repeated `clean` recognises the folder by
  # lock and log, and the folder of a test run by its owner, so these are removed last.
  find "$1/" -mindepth 1 -maxdepth 1 ! -name lock ! -name log ! -name owner -exec rm -rf {} + || [[ ! -d $1 ]]
  rm -rf "$1/log" "$1/lock" "$1/owner"
  rmdir "$1" 2>/dev/null || true
}

# Backups elsewhere stay, and the key with which they are read is deleted.
warn_of_kept_backups() {
  local folder
  load_archive
  [[ -n $REPOSITORY ]] || return 0
  folder=$(realpath -m "$REPOSITORY")
  [[ $folder != "$(realpath -m "$STATE")"/* ]] || return 0
  [[ $folder != "$(realpath -m "$STATE/postgres/data").backups" ]] || return 0
  say "Backups in $REPOSITORY stay, but they cannot be read without BACKUPS_KEY of $STATE/secrets," \
    "which is deleted: copy this file first."
}

verb_clean() {
  local folder
  load_settings
  need_own_state
  warn_of_kept_backups
  confirm "Delete the shop's data, keys, logs and backups ($STATE) and the build output (bin, obj)?"
  TEST_HOME=$STATE/test
  remove_old_runs
  ! compgen -G "$TEST_HOME/run-*" >/dev/null || fail "Tests are running here; wait until they have ended."
  say "Deleting the shop's data, keys, logs and backups ($STATE) and the build output (bin, obj)."
  if [[ -d $STATE ]]; then
    open_state
    # Another command may have started more processes during the question.
    load_settings
    for folder in "$STATE"/postgres*; do need_data "${folder##*/}"; done
    if [[ $ENGINE == docker ]] && ! docker_is_available; then
      stop_processes
      say "No Docker engine is available. The shop's containers and volumes stay; to delete them, when it is:" \
        "$(removal_of_containers)"
    else
      stop_all
      [[ $ENGINE != docker || ! -f $STATE/compose.env ]] || compose down -v
    fi
    remove_state "$STATE"
  fi
  for folder in "$ROOT"/src/*/ "$ROOT"/tests/*/ "$ROOT"/load/*/ "$ROOT"/samples/*/ "$ROOT"/clients/*/; do
    rm -rf "${folder}bin" "${folder}obj" "${folder}node_modules"
  done
  say "Clean."
}
