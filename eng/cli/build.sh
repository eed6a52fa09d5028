# Compiling. On a build server (CI is set) the lock files must be up to date.

# One build at a time per clone. -o: compiler servers that stay in memory must not inherit the lock.
with_build_lock() {
  mkdir -p "$ROOT/.local"
  if command -v flock >/dev/null; then flock -o "$ROOT/.local/build.lock" "$@"; else "$@"; fi
}

build_release() {
  with_build_lock dotnet build "$1" -c Release -v quiet --nologo -clp:NoSummary ${CI:+-p:RestoreLockedMode=true}
}

# Builds and copies the processes that `up` runs. The stamp is from before the build: a file saved meanwhile is newer.
build_processes() {
  local name
  touch "$STATE/log/building"
  build_release "$ROOT/eng/cli/processes.slnf"
  for name in $ROLES; do copy_build "$name"; done
  mv -f "$STATE/log/building" "$STATE/log/built"
}

# changed_source: prints a file that is newer than the last build for `up`, or nothing.
changed_source() {
  find "$ROOT/src" "$ROOT/eng" "$ROOT"/Directory.* "$ROOT/global.json" -type f -newer "$STATE/log/built" \
    -not -path '*/bin/*' -not -path '*/obj/*' -print -quit
}

is_built() {
  local name
  for name in $ROLES; do [[ -d $STATE/$name/app ]] || return 1; done
  [[ -f $STATE/log/built && -z $(changed_source) ]]
}

verb_build() {
  load_settings
  mkdir -p "$STATE/log"
  need_dotnet
  step "Building everything" "$STATE/log/build.log" build_release "$ROOT/ApexShop.sln"
}
