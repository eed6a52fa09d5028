# Mutations: small changes of the code, each of which breaks a guarantee and must fail the tests that its patch names.
# They are applied one by one in a copy of the sources, so that the work tree stays as it is.

# header PATCH NAME: a line of the text before the diff.
header() { sed -n "/^--- /q; s/^$2: *//p" "$1"; }

# The patches with one of the parts in their names, or all.
patches_with() {
  local part patch
  (cd "$ROOT/tests/Mutations" && find . -name '*.patch' | cut -c3- | LC_ALL=C sort) | while read -r patch; do
    for part in "${@:-}"; do
      if [[ ${patch%.patch} == *"$part"* ]]; then echo "$patch" && break; fi
    done
  done
}

# Makes the copy equal to the work tree. Files that are equal stay as they are, so that a later run compiles less.
copy_sources() {
  local file files=$COPY.files
  mkdir -p "$COPY"
  (cd "$ROOT" && git -c core.quotePath=false ls-files -co --exclude-standard | LC_ALL=C sort -u) >"$files"
  (cd "$COPY" && find . -type f -not -path '*/bin/*' -not -path '*/obj/*') | cut -c3- | LC_ALL=C sort |
    LC_ALL=C comm -13 "$files" - | while read -r file; do rm "$COPY/$file"; done
  while read -r file; do
    [[ -f $ROOT/$file ]] && ! cmp -s "$ROOT/$file" "$COPY/$file" || continue
    mkdir -p "$(dirname "$COPY/$file")"
    cp "$ROOT/$file" "$COPY/$file"
  done <"$files"
}

# A mutation may leave a variable unused, which is only a warning here.
build_copy() {
  dotnet build "$COPY/tests/$1" -c Release -v quiet --nologo -clp:NoSummary \
    -p:RunAnalyzers=false -p:TreatWarningsAsErrors=false
}

build_suites() {
  local suite
  for suite in "$@"; do build_copy "$suite"; done
}

# test_copy SUITE FILTER NAME: the results are in NAME.trx.
test_copy() {
  dotnet test "$COPY/tests/$1" -c Release --no-build --nologo --filter "$2" \
    --results-directory "$STATE/results" --logger "trx;LogFileName=$3.trx" \
    --blame-hang-timeout 3m --blame-hang-dump-type none
}

# Git must not take the copy for a folder of the repository that it is in: it would skip the patch silently.
patch_copy() { GIT_CEILING_DIRECTORIES=$(dirname "$COPY") git -C "$COPY" apply "$@"; }

# Without a change, the tests of all patches must pass: only then a failure is of the mutation.
test_unchanged() {
  local suite patch filters
  for suite in "$@"; do
    filters=$(for patch in $PATCHES; do
      [[ $(header "$ROOT/tests/Mutations/$patch" Suite) != "$suite" ]] || header "$ROOT/tests/Mutations/$patch" Filter
    done | LC_ALL=C sort -u | paste -sd '|' -)
    test_copy "$suite" "$filters" "unchanged-$suite"
  done
}

# first_failure TRX: the first test that failed; nothing of a run without a result.
first_failure() {
  { sed -n 's/.*<UnitTestResult .*testName="\([^"(]*\).*outcome="Failed".*/\1/p' "$1" 2>/dev/null || true; } |
    sed -n '1s/.*\.\([^.]*\.[^.]*\)$/\1/p'
}

# find_killer TRX LOG: sets KILLER to the first test that failed, or to the time limit of tests that hang. A run that
# failed without either, or whose servers have ended, does not show that the tests see the mutation.
find_killer() {
  local name
  for name in $SERVERS; do server_is_up "$name" || fail "$(title "$name") ended during the tests."; done
  KILLER=$(first_failure "$1")
  [[ -z $KILLER ]] || return 0
  if grep -q 'The specified inactivity time' "$2"; then
    KILLER='(time limit)'
  else
    show_tail "$2" 40
    fail "The tests did not run to their end, and none of them failed."
  fi
}

# mutate PATCH LOG: sets OUTCOME, and KILLER when the mutation was killed.
mutate() {
  local patch=$ROOT/tests/Mutations/$1 log=$2 suite name
  suite=$(header "$patch" Suite) name=$(basename "$log" .log) KILLER=''
  if ! patch_copy "$patch" >"$log" 2>&1; then
    OUTCOME='does not apply'
    return
  fi
  if ! build_copy "$suite" >>"$log" 2>&1 9>&- </dev/null; then
    OUTCOME='does not build'
  elif test_copy "$suite" "$(header "$patch" Filter)" "$name" >>"$log" 2>&1 9>&- </dev/null; then
    OUTCOME=SURVIVED
  else
    OUTCOME=killed
    find_killer "$STATE/results/$name.trx" "$log"
  fi
  patch_copy -R "$patch"
}

# run_mutations [PART...]: needs the test servers.
run_mutations() {
  local suites patch began total number=0 killed=0
  COPY=$ROOT/.local/mutations
  PATCHES=$(patches_with "$@")
  suites=$(for patch in $PATCHES; do header "$ROOT/tests/Mutations/$patch" Suite; done | LC_ALL=C sort -u)
  total=$(wc -l <<<"$PATCHES")
  [[ $suites != *EndToEnd.Tests* ]] || need_prometheus
  mkdir -p "$STATE/results"
  step "Copying the sources" "$STATE/results/copy.log" copy_sources
  # shellcheck disable=SC2086
  step "Building the copy" "$STATE/results/build.log" build_suites $suites
  # shellcheck disable=SC2086
  step "Testing without a mutation" "$STATE/results/unchanged.log" test_unchanged $suites
  for patch in $PATCHES; do
    number=$((number + 1)) began=$(now_ms)
    mutate "$patch" "$STATE/results/$(tr / - <<<"${patch%.patch}").log"
    [[ $OUTCOME != killed ]] || killed=$((killed + 1))
    printf '  %3d/%d  %-14s  %-44s %s  (%s s)\n' "$number" "$total" "$OUTCOME" "${patch%.patch}" "$KILLER" \
      "$(seconds $(($(now_ms) - began)))"
  done
  say "Logs: $TEST_HOME/last"
  say "$killed killed, $((total - killed)) survived"
  ((killed == total))
}

test_mutations() {
  local part
  for part in "$@"; do
    [[ -n $(patches_with "$part") ]] || fail "No mutation has '$part' in its name; they are in tests/Mutations."
  done
  start_test_servers
  run_mutations "$@"
}
