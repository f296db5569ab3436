#!/usr/bin/env bash
# foreign_check.sh [--strict] [--seconds N] FOLDER|FILE.cu...
# Compiles each .cu program with the CPU device's nvcc, unchanged, runs it, and says in a table what
# became of it: right (it exits with 0), wrong, slow (not done after N seconds, default 60), or
# why it does not compile. Each runs in a folder of its own, which is removed.
#
# --strict, for our own programs in tests/foreign: exits with 1 unless all are right, and runs each
# with the threads and blocks in three orders. A program with a line `// expect: TEXT` must fail, when
# it is compiled or when it runs, with TEXT on stderr. One with `// notes: TEXT` must be right and have
# TEXT on stderr in each order.
#
# NVCC=/path/to/nvcc in the environment takes another compiler, such as the Toolkit's.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
nvcc=${NVCC-$here/common/cpu_device/nvcc}
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
strict='' seconds=60 programs=()

usage() {
  echo "usage: foreign_check.sh [--strict] [--seconds N] FOLDER|FILE.cu..." >&2
  exit 2
}
while (($# > 0)); do
  case $1 in
    --strict) strict=1 ;;
    --seconds)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage
      seconds=$2
      shift
      ;;
    -*) usage ;;
    *)
      if [[ -d $1 ]]; then
        while IFS= read -r -d '' file; do programs+=("$file"); done < <(
          find "$(realpath "$1")" -name '*.cu' -print0 | sort -z)
      elif [[ -f $1 ]]; then
        programs+=("$(realpath "$1")")
      else
        echo "foreign_check.sh: there is no '$1'" >&2
        exit 2
      fi
      ;;
  esac
  shift
done
((${#programs[@]} > 0)) || usage

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A count
right=0 skipped=0

# The first line that says what is wrong.
first_cause() {
  grep -m 1 -E 'error|fatal|CPU device:|undefined reference|nvcc:' "$work/err" || head -n 1 "$work/err"
}

# run_in ORDER: sets `status`.
run_in() {
  (cd "$work/run" && CPU_DEVICE_ORDER=$1 timeout -k 5 "$seconds" ../program) \
    >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

check() { # check PROGRAM: sets `verdict` and `cause`.
  local program=$1 expected noted orders=(forward) order
  rm -rf "$work/run" "$work/program"
  mkdir "$work/run"
  [[ -z $strict ]] || orders=(forward reverse shuffle:1)
  expected=$(sed -n 's|^// expect: ||p' "$program" | head -n 1)
  noted=$(sed -n 's|^// notes: ||p' "$program" | head -n 1)
  verdict=right cause=''
  timeout -k 5 $((seconds * 5)) "$nvcc" "$program" -o "$work/program" >"$work/out" 2>"$work/err"
  status=$?
  if ((status != 0)); then
    verdict='not compiled'
    ! grep -q 'Install' "$work/err" || verdict=skipped
  else
    for order in "${orders[@]}"; do
      run_in "$order"
      case $status in
        0) verdict=right ;;
        77) verdict=skipped ;;
        124 | 137) verdict=slow ;;
        *) verdict=wrong ;;
      esac
      [[ $verdict == right ]] || break
      if [[ -n $noted ]] && ! grep -qF -- "$noted" "$work/err"; then
        verdict=wrong cause="order $order: right, but not on stderr: $noted"
        return
      fi
    done
  fi
  [[ $verdict == right ]] || cause=$(first_cause)
  [[ -n $expected ]] || return
  if [[ $verdict == right || $verdict == slow ]]; then
    verdict=wrong cause="did not fail; expected: $expected"
  elif grep -q 'cpu_device::' "$work/err"; then
    verdict=wrong cause="names of our own are shown: $(grep -m 1 'cpu_device::' "$work/err")"
  elif grep -qF -- "$expected" "$work/err"; then
    verdict=right cause=''
  elif [[ $verdict != skipped ]]; then
    verdict=wrong cause="expected: $expected; got: $cause"
  fi
}

for program in "${programs[@]}"; do
  check "$program"
  count[$verdict]=$((${count[$verdict]-0} + 1))
  [[ $verdict != right ]] || right=$((right + 1))
  [[ $verdict != skipped ]] || skipped=$((skipped + 1))
  printf '%-13s %s%s\n' "$verdict" "${program#"$here/"}" "${cause:+   $cause}"
  [[ -z $strict || $verdict == right ]] || cat "$work/err"
done
if ((${#programs[@]} > 1)); then
  printf '\n%d programs:' "${#programs[@]}"
  for verdict in "${!count[@]}"; do printf ' %d %s' "${count[$verdict]}" "$verdict"; done
  printf '\n'
fi
[[ -n $strict ]] || exit 0
((right + skipped == ${#programs[@]})) || exit 1
((right > 0)) || exit 77
