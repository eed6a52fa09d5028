# Compiling. On a build server (CI is set) the lock files must be up to date.

# with_build_lock COMMAND...: one build at a time per clone.
with_build_lock() {
  mkdir -p "$ROOT/.local"
  with_lock "$ROOT/.local/build.lock" "$@"
}

build_release() { with_build_lock compile "$1"; }

# Compiler servers that stay in memory must not inherit the lock.
compile() {
  dotnet build "$1" -c Release -v quiet --nologo -clp:NoSummary ${CI:+-p:RestoreLockedMode=true} 7>&-
}

# sources: the checksums and names of all files that the processes are built from.
sources() {
  (cd "$ROOT" && find src eng Directory.* global.json -type f -not -path '*/bin/*' -not -path '*/obj/*' \
    -exec cksum {} +) | LC_ALL=C sort
}

# touch_changed SOURCES: the compiler skips files that are older than its last output, so those that changed get the
# time of now. That output may be of a build that was interrupted.
touch_changed() {
  local last file
  for last in built building; do
    [[ -f $STATE/log/$last ]] || continue
    LC_ALL=C comm -13 "$STATE/log/$last" "$1" | while read -r _ _ file; do touch "$ROOT/$file"; done
  done
}

# Builds and copies the processes that `up` runs, after a build that a killed command has left.
build_processes() { with_build_lock replace_processes; }

# The checksums are from before the build; files may change meanwhile. The file log/building exists until all is built
# and copied.
replace_processes() {
  local name
  sources >"$STATE/log/sources"
  touch_changed "$STATE/log/sources"
  mv -f "$STATE/log/sources" "$STATE/log/building"
  compile "$ROOT/eng/cli/processes.slnf"
  for name in $ROLES; do copy_build "$name"; done
  mv -f "$STATE/log/building" "$STATE/log/built"
}

# Not by their times: those of files that were unpacked, or of another checkout, may be older than the build.
is_built() {
  local name
  for name in $ROLES; do [[ -d $STATE/$name/app ]] || return 1; done
  [[ ! -f $STATE/log/building && -f $STATE/log/built && $(<"$STATE/log/built") == "$(sources)" ]]
}

verb_build() {
  load_settings
  mkdir -p "$STATE/log"
  need_dotnet
  step "Building everything" "$STATE/log/build.log" build_release "$ROOT/ApexShop.sln"
}
