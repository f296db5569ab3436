#!/usr/bin/env bash
# Compiles programs, runs each as loops over the threads of a block and thread by thread, and
# compares: exit codes (the course's programs verify what they compute), and all files that they write, byte by
# byte. Then counts the kernels that have a form as loops.
#
#   tests/cpu_device/loops_compare.sh [FILE.cu...]     default: all programs of the course, and tests/foreign
set -uo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
nvcc=$here/common/cpu_device/nvcc
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset DISPLAY CPU_DEVICE_ORDER CPU_DEVICE_LOCKSTEP
programs=("$@")
((${#programs[@]} > 0)) || programs=("$here"/ch*/*.cu "$here"/appA_hashtable/*.cu "$here"/nbody/*.cu "$here"/tests/foreign/*.cu)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loops=0 none=0 differ=0 same=0

run_in() { # run_in FOLDER LOOPS: sets `status`
  mkdir -p "$work/$1"
  (cd "$work/$1" && CPU_DEVICE_LOOPS=$2 timeout 300 ../program >../out 2>../err </dev/null)
  status=$?
}
for program in "${programs[@]}"; do
  name=${program#"$here"/}
  rm -rf "${work:?}"/*
  if ! "$nvcc" -I"$here/common" "$program" -o "$work/program" 2>"$work/err"; then
    echo "$name: does not compile"
    continue
  fi
  "$nvcc" -I"$here/common" -cuda "$program" -o "$work/rewritten"
  has=$(grep -c 'BlockPlace& cpu_device_place' "$work/rewritten")
  loops=$((loops + has))
  none=$((none + $(grep -c 'no loops:' "$work/rewritten")))
  ((has > 0)) || continue
  run_in as_loops 1
  first=$status
  run_in one_by_one 0
  if [[ $first != "$status" ]] || ! diff -rq "$work/as_loops" "$work/one_by_one" >"$work/differences"; then
    echo "$name: differs: exit code $first as loops, $status thread by thread"
    cat "$work/differences" 2>/dev/null
    differ=$((differ + 1))
  else
    same=$((same + 1))
  fi
done
echo "$same programs do the same, $differ differ; $loops kernels have a form as loops, $none have none"
[[ $differ == 0 ]]
