#!/usr/bin/env bash
# export_check.sh CHAPTER: what `./course export` makes of each program of a chapter is whole: it finds
# every header in its own folder. The first and the last one compile, with the CPU device's nvcc and,
# where there is one, with NVIDIA's, and run; with EVERY=1 all of them, which takes many minutes.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
chapter=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
unset NVCC NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS MAKEFLAGS MFLAGS MAKELEVEL
compilers=(common/cpu_device/nvcc)
for toolkit in $(type -ap nvcc) /usr/local/cuda/bin/nvcc; do
  [[ -x $toolkit && $(readlink -f "$toolkit") != */cpu_device/nvcc ]] || continue
  compilers+=("$toolkit")
  break
done
if ! type -P make >/dev/null; then
  echo 'skipped: there is no make'
  exit 77
fi

failures=0 count=0
try() { # WHAT COMMAND...
  "${@:2}" >"$work/log" 2>&1 </dev/null && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n' "$1"
  tail -n 20 "$work/log"
  return 1
}
has_headers() { # FOLDER NAME: the program finds all headers, with the CPU device in its own folder
  local more=''
  [[ $2 != *_mpi ]] || more=$(mpicxx --showme:compile)
  ! grep -rqF '<cuda_tile.h>' "$1/${chapter%%/*}" || more+=' -std=c++20 --enable-tile'
  # shellcheck disable=SC2086  # Words.
  "$1/common/cpu_device/nvcc" -std=c++17 $more -M "$1"/*/"$2.cu" >/dev/null
}
sees_headers() { # FOLDER COMPILER: nothing to do now, but after a change of any header of the course
  local header
  make -q -C "$1" NVCC="$2" || return
  while IFS= read -r header; do
    touch -d '+1 hour' "$header"
    ! make -q -C "$1" NVCC="$2" || { echo "$header is not a prerequisite"; return 1; }
    touch -d '-1 hour' "$header"
  done < <(find "$1" -name '*.h' -not -path '*/cpu_device/*')
}
names=$("$source_folder/course" list "$chapter" | sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p')
type -P mpicxx >/dev/null || names=${names/nbody_mpi/} # which is not built without MPI
# CCCL's runtime classes are not everywhere (CUDA 13.2 and newer).
echo '#include <cuda/buffer>' >"$work/cccl.cu"
"$source_folder/common/cpu_device/nvcc" -M "$work/cccl.cu" >/dev/null 2>&1 || names=${names/vector_add_cccl/}
programs=$(wc -w <<<"$names")
for name in $names; do
  count=$((count + 1))
  try "$name is exported" "$source_folder/course" export "$name" "$work/$name" || continue
  try "$name has its headers" has_headers "$work/$name" "$name" || continue
  ((count == 1 || count == programs || ${EVERY:-0})) && for compiler in "${compilers[@]}"; do
    # The Toolkit has tiles since CUDA 13.3.
    if [[ $name == *_tiles ]] && ! "$compiler" --help | grep -q -- '--enable-tile'; then continue; fi
    rm -f "$work/$name/$name"
    try "$name compiles with $compiler" make -C "$work/$name" NVCC="$compiler" &&
      try "$name runs" "$work/$name/$name" --help &&
      try "make for $name sees each header" sees_headers "$work/$name" "$compiler"
    # As one file. Its libraries are in the command that the export names.
    rm -rf "$work/one"
    command=$("$source_folder/course" export --one-file "$name" "$work/one" | sed -n 's/^  nvcc \(.*\) && .*/\1/p')
    compiler=$(cd "$source_folder" && realpath "$compiler")
    try "$name as one file compiles with $compiler" bash -c "cd '$work/one' && '$compiler' $command" &&
      try "$name as one file runs" "$work/one/$name" --help
  done
  rm -rf "${work:?}/$name"
done
printf '%d programs of %s, %d compilers, %d failures\n' "$count" "$chapter" "${#compilers[@]}" "$failures"
((failures == 0 && count > 0))
