# Figures of the running shop, each printed by the command that measured it.

verb_bench() {
  local area=${1:-visibility}
  [[ $area == visibility ]] || fail "There is no benchmark '$area'; there is 'visibility'."
  load_settings
  is_running commands && is_running projector && is_running queries || fail "The shop is not up." "./apexshop up"
  step "Building the benchmark" "$STATE/log/build.log" build_release "$ROOT/load/Load"
  export COMMANDS_URL QUERIES_URL ADMIN_KEY
  dotnet "$ROOT/load/Load/bin/Release/net10.0/ApexShop.Load.dll" "$area" "${@:2}"
}
