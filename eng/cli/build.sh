# Compiling. On a build server the lock files must fit: CI is set there.

build_release() {
  local locked=''
  [[ -z ${CI:-} ]] || locked=-p:RestoreLockedMode=true
  # shellcheck disable=SC2086
  dotnet build "$1" -c Release -v quiet --nologo -clp:NoSummary $locked
}

verb_build() {
  mkdir -p "$STATE/log"
  need_dotnet
  step "Building everything" "$STATE/log/build.log" build_release "$ROOT/ApexShop.sln"
}
