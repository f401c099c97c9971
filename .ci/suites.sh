# What .ci/run and .ci/full share: suites that are counted, and summed up in one line, "N passed,
# N failed". It is sourced in the project's folder.

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# Runs a suite, keeps what it prints, and says how it ended. A suite closes with its counts,
# " 12 pass" and " 0 fail", or "12 passed, 0 failed"; anything else passes or fails as a whole.
suite() {
  local name=$1 log="$results/$1.log" start=$SECONDS status right wrong
  printf '%q ' "${@:2}" >"$results/$name.command"
  "${@:2}" >"$log" 2>&1
  status=$?
  right=$(sum '^ *[0-9]+ pass(ed,|$)' "$log")
  wrong=$(($(sum '^ *[0-9]+ fail$' "$log") + $(sum '[0-9]+ failed$' "$log")))
  [ $((right + wrong)) -gt 0 ] || right=$((status == 0))
  [ "$status" -eq 0 ] || [ "$wrong" -gt 0 ] || wrong=1
  printf '%s %s %s\n' "$right" "$wrong" $((SECONDS - start)) >"$results/$name.count"
  printf '%5d s  %s: %s passed, %s failed\n' $((SECONDS - start)) "$name" "$right" "$wrong"
}

# The sum of the first numbers of the lines that match.
sum() {
  grep -oE "$1" "$2" | awk '{ n += $1 } END { print n + 0 }'
}

# Runs npm scripts side by side, some at a time: most of them wait for other programs. A script may
# have words behind it, such as "test:integration openapi".
side_by_side() {
  local width=$1 name
  for name in "${@:2}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$width" ]; do wait -n; done
    suite "$name" npm run $name &
  done
  wait
}

# Registries, browsers, and suites that need other people's programs, fail by chance now and then: what
# failed is run once more, alone, of test files only those in which a test failed. What passes then is
# named as flaky. `npm test` and the fuzzing have one run.
again() {
  local count name right wrong still time files
  for count in "$results"/*.count; do
    name=$(basename "$count" .count)
    read -r right wrong _ <"$count"
    [ "$wrong" -gt 0 ] && [[ $name =~ install|npm\ ci|test:(integration|browser|postgres) ]] || continue
    mv "$results/$name.log" "$results/$name.first"
    mapfile -t files < <(failed_files "$results/$name.first")
    if [ "${#files[@]}" -gt 0 ]; then
      suite "$name" npx bun test --timeout 60000 "${files[@]}"
    else
      eval "suite \"\$name\" $(cat "$results/$name.command")"
    fi
    read -r _ still time <"$count"
    [ "$still" -gt 0 ] || printf 'flaky: %s\n' "$name" >>"$results/flaky"
    printf '%s %s %s\n' $((right + wrong - still)) "$still" "$time" >"$count"
  done
}

# The test files in which a test failed, or an error came outside of any. A summary follows them.
failed_files() {
  awk '/^[0-9]+ tests (failed|skipped):$/ { exit }
    /^test\/.*\.test\.ts:$/ { file = substr($0, 1, length($0) - 1) }
    /^\(fail\)|^# Unhandled error/ && file != "" { print file }' "$1" | sort -u
}

# Installs Debian's packages unless their programs are there. From here on nothing is skipped for
# want of a program.
install() {
  export REQUIRE_PROGRAMS=1
  local packages=("$@")
  dpkg-query -W -f '${Status}\n' "${packages[@]}" 2>/dev/null | grep -c 'ok installed' |
    grep -qx "${#packages[@]}" && return
  suite 'install programs' sh -c 'apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"' sh "${packages[@]}"
}

# Prints what failed, with the lines around it, then the sums.
close() {
  again
  suite 'nothing was changed by all this' git diff --exit-code
  local log passed=0 failed=0 right wrong
  for log in "$results"/*.first "$results"/*.log; do
    grep -qE '^(\(fail\)|FAIL |# Unhandled error|npm error)' "$log" 2>/dev/null || continue
    printf '\n=== %s\n' "$(basename "$log")"
    grep -E -B 30 -A 5 '^(\(fail\)|FAIL |# Unhandled error|npm error)' "$log" | tail -n 200
  done
  for log in "$results"/*.count; do
    read -r right wrong _ <"$log"
    passed=$((passed + right))
    failed=$((failed + wrong))
  done
  [ ! -e "$results/flaky" ] || cat "$results/flaky"
  printf '%5d s  in all\n%s passed, %s failed\n' "$SECONDS" "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
