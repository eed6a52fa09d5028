# Benchmarks: each command prints the figures that it measured.

verb_bench() { "bench_$1" "${@:2}"; }

run_load() { dotnet "$ROOT/load/Load/bin/Release/net10.0/ApexShop.Load.dll" "$@"; }

# On servers of its own, PostgreSQL with production's settings: without fsync the control would gain more than ApexShop.
private_bench() {
  need_dotnet
  start_private_servers '' --no-sync
  step "Building the benchmark" "$STATE/log/build.log" build_release "$ROOT/load/Load"
  run_load "$@"
}

bench_visibility() {
  load_settings
  need_running commands projector queries
  step "Building the benchmark" "$STATE/log/build.log" build_release "$ROOT/load/Load"
  export COMMANDS_URL QUERIES_URL ADMIN_KEY
  run_load visibility "$@"
}

bench_commands() { private_bench commands "$@"; }

# wrk sends the load, because it costs less processor time than other clients.
bench_queries() {
  command -v wrk >/dev/null || install_packages wrk
  find_postgres || install_packages postgresql
  find_postgres
  export APEXSHOP_PGBENCH=$PG_BIN/pgbench
  private_bench queries "$@"
}

bench_projector() { private_bench projector "$@"; }

bench_rebuild() { private_bench rebuild "$@"; }

bench_scale() { private_bench scale "$@"; }

bench_hot() { private_bench hot "$@"; }

# The processes as they are built here, and as the images have them; "composite" compiles them together with the
# runtime, which takes minutes. Queries.Api is also compiled ahead of time.
bench_start() {
  local form=(--self-contained false)
  if [[ ${1:-} == composite ]]; then
    form=(--self-contained true -p:PublishReadyToRunComposite=true)
    shift
  fi
  need_dotnet
  start_private_servers '' --no-sync
  step "Building the benchmark" "$STATE/log/build.log" build_release "$ROOT/load/Load"
  step "Publishing the processes" "$STATE/log/publish.log" publish_processes "$STATE/published" "${form[@]}"
  command -v gcc >/dev/null || install_packages "gcc libc6-dev"
  step "Compiling Queries.Api ahead of time" "$STATE/log/ahead.log" publish_ahead "$STATE/published"
  run_load start "$STATE/published/publish" "$@"
}

# publish_ahead FOLDER: Queries.Api as its image is compiled with NATIVE=true.
publish_ahead() {
  dotnet publish "$ROOT/src/Queries.Api" -c Release --use-current-runtime -p:PublishAot=true \
    -p:CppCompilerAndLinker=gcc -p:WarningsNotAsErrors=IL3053 --artifacts-path "$1/ahead" -o "$1/publish/ahead" \
    -p:NuGetLockFilePath=obj/packages.lock.json -v quiet --nologo
}

# publish_processes FOLDER OPTION...: as the images are compiled (deploy/compose/images).
publish_processes() {
  local name
  for name in $ROLES; do
    dotnet publish "$ROOT/src/$(project "$name")" -c Release --use-current-runtime "${@:2}" \
      -p:PublishReadyToRun=true --artifacts-path "$1" -p:NuGetLockFilePath=obj/packages.lock.json -v quiet --nologo
  done
}

bench_micro() {
  need_dotnet
  mkdir -p "$STATE/log"
  step "Building the benchmarks" "$STATE/log/build.log" build_release "$ROOT/load/Micro"
  (cd "$STATE" && dotnet "$ROOT/load/Micro/bin/Release/net10.0/ApexShop.Micro.dll" --filter "${1:-*}" "${@:2}")
}
