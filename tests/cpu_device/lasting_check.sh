#!/usr/bin/env bash
# lasting_check.sh NVCC FOLDER
# The runtime works for static objects, whose constructors run before main() and whose destructors run after it: in each kind
# of run, and no object of it waits for a constructor of its own or is destroyed at exit (device/lasting.h).
set -euo pipefail
nvcc=$1 folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source=$here/../foreign/static_objects.cu
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
export CPU_DEVICE_CACHE=${COURSE_BUILD:+$COURSE_BUILD/cpu_device}
[[ -n $CPU_DEVICE_CACHE ]] || export CPU_DEVICE_CACHE=$folder/cache
failed=0
fail() {
  echo "lasting_check.sh: $1" >&2
  failed=1
}

# runs WHAT COMMAND...: it ends with 0 and says that all three objects were destroyed.
runs() {
  local what=$1 status=0
  shift
  timeout -k 5 60 "$@" >out 2>err || status=$?
  [[ $status -eq 0 && $(grep -c ': destroyed$' out) -eq 3 ]] || {
    fail "$what: exit code $status"
    cat out err >&2
  }
}

archives=()
for options in '' --check --branches; do
  # shellcheck disable=SC2086  # No option, or one.
  "$nvcc" -v $options "$source" -lcuda -o "program$options" >said 2>&1 || fail "$(cat said)"
  archives+=("$(grep -m 1 -o '/[^ ]*libcpu_device[^ ]*\.a' said)")
done
runs 'a plain run' ./program
CPU_DEVICE_CALLS=$PWD/calls runs 'with its calls' ./program
[[ $(grep -c cudaFree calls) -eq 6 ]] || fail 'calls of destructors are missing in CPU_DEVICE_CALLS'
runs 'a checked run' ./program--check
grep -q 'no findings: 18 launches' err || fail "a checked run finds something: $(cat err)"
CPU_DEVICE_WATCH=$PWD/trace.json runs 'a watched run' ./program--check
python3 -c 'import json; [json.loads(line) for line in open("trace.json")]' || fail 'the trace is no JSON'
CPU_DEVICE_PROFILE=$PWD/profile.json runs 'a profile' ./program--branches
python3 -c 'import json; json.load(open("profile.json"))' || fail 'the profile is no JSON'

for archive in "${archives[@]}"; do
  nm -A -C "$archive" 2>/dev/null | grep -E ' U __cxa_atexit| _GLOBAL__sub_I' >names || continue
  fail "static objects with constructors or destructors in $archive: $(cat names)"
done
exit "$failed"
