#!/usr/bin/env bash
# Kernels as loops over the threads of a block, against thread by thread, for whole programs.
#
#   tests/cpu_device/loops_compare.sh [--small] [FILE.cu...]
#       runs each program both ways and compares: exit codes (the course's programs verify what they compute), and
#       all files that they write, byte by byte. --small: with the sizes of tests/checked_run/checked_programs.txt
# Default: all programs of the course, and tests/foreign. Programs that are wrong on purpose
# (NAME_broken) are left out: races may show in another way. Programs that are already built in $COURSE_BUILD are taken
# from there.
set -uo pipefail
here=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$here/common/cpu_device/nvcc
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset DISPLAY CPU_DEVICE_ORDER CPU_DEVICE_LOCKSTEP CPU_DEVICE_LOOPS NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
small=''
while [[ ${1-} == --* ]]; do
  case $1 in
    --small) small=1 ;;
    *) echo "loops_compare.sh: unknown option '$1'" >&2; exit 2 ;;
  esac
  shift
done
programs=("$@")
if ((${#programs[@]} == 0)); then
  programs=("$here"/ch*/*.cu "$here"/appA_hashtable/*.cu "$here"/nbody/*.cu "$here"/tests/foreign/*.cu)
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# options PROGRAM: sets `flags`, of the compiler, and `arguments`, of the program.
options() {
  local name=${1##*/} line
  flags=(-w "-I$here/common")
  ! grep -q 'cuda_tile.h\|gravity_tiles.h' "$1" || flags+=(-std=c++20 --enable-tile)
  arguments=()
  [[ -n $small ]] || return
  line=$(grep -m 1 "^${name%.cu} " "$here/tests/checked_run/checked_programs.txt") || return 0
  line=${line%%!*}
  read -r -a arguments <<<"${line#* }"
}

make_program() { # make_program SOURCE: as $work/program. Sets `object`
  local name=${1#"$here"/}
  name=${name%.cu}
  object=${COURSE_BUILD-}/objects/${name##*/}.o
  if [[ -x ${COURSE_BUILD-}/$name && -f $object && $object -nt $1 ]]; then
    ln -s "$COURSE_BUILD/$name" "$work/program"
    return
  fi
  object=$work/program.o
  "$nvcc" "${flags[@]}" -c "$1" -o "$object" && "$nvcc" "$object" -o "$work/program"
}

run_in() { # run_in FOLDER LOOPS: sets `status`
  mkdir -p "$work/$1"
  (cd "$work/$1" && CPU_DEVICE_LOOPS=$2 timeout 300 ../program ${arguments[@]+"${arguments[@]}"} >../out 2>../err </dev/null)
  status=$?
}

compare_programs() {
  local program name first same=0 differ=0
  for program in "${programs[@]}"; do
    [[ $program != *_broken.cu ]] || continue
    name=${program#"$here"/}
    rm -rf "${work:?}"/*
    options "$program"
    if ! make_program "$program" 2>"$work/err"; then
      echo "$name: does not compile: $(head -n 1 "$work/err")" # a library that is not here
      continue
    fi
    [[ $(nm -C "$object") == *'bool cpu_device::run_block<'* ]] || continue
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
  echo "$same programs do the same, $differ differ"
  ((differ == 0 && same > 0))
}

compare_programs
