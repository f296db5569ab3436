#!/usr/bin/env bash
# Every public header of Thrust, CUB and libcu++ compiles when it is the only one that a program includes:
#
#   tests/foreign/cccl_headers_check.sh [--sample] [FOLDER]
#
# FOLDER: with thrust/, cub/ and cuda/, such as that of `pip install nvidia-cuda-cccl`; by default what nvcc
# finds. --sample: a few of them. Exit code: 0, 1 with a line for each header that does not compile, 77 if
# there is no such library.
set -uo pipefail
nvcc=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/common/cpu_device/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sample=''
if [[ ${1-} == --sample ]]; then
  sample=1
  shift
fi
if (($# > 0)); then
  export CCCL_PATH=$1
fi
echo '#include <thrust/version.h>' >"$work/version.cu"
if ! found=$("$nvcc" -M "$work/version.cu" 2>/dev/null | tr ' ' '\n' | grep '/thrust/version\.h$'); then
  echo 'There is neither Thrust nor CUB on this machine'
  exit 77
fi
cd "${found%/thrust/version.h}" || exit 1

# What programs include; folders named detail and names that begin with two underscores are the library's own.
# thrust/system holds backends that need other compilers.
list() {
  find -L cub thrust cuda -type f \( -name '*.cuh' -o -name '*.h' -o ! -name '*.*' \) 2>/dev/null |
    grep -vE '/(detail|__[^/]*|agent|tuning|system|experimental|async|cmake)/|/_|/README|/CMakeLists|CODEOWNERS' |
    sort
}
if [[ -n $sample ]]; then
  mapfile -t headers <<<$'cub/cub.cuh\nthrust/device_vector.h\nthrust/sort.h'
else
  mapfile -t headers < <(list)
fi

try() { # HEADER: prints its name and the first error if it does not compile
  local file errors
  file=$work/$(tr '/.' '__' <<<"$1").cu
  printf '#include <%s>\nint main() { return 0; }\n' "$1" >"$file"
  errors=$("$nvcc" -std=c++17 -O0 -c "$file" -o "$file.o" 2>&1) ||
    printf '%s: %s\n' "$1" "$(grep -m 1 -E 'error|fatal' <<<"$errors")"
  rm -f "$file" "$file.o"
}
export -f try
export nvcc work
failed=$(printf '%s\n' "${headers[@]}" | xargs -P "${JOBS:-$(nproc)}" -I {} bash -c 'try {}')
[[ -z $failed ]] || sort <<<"$failed"
count=0
[[ -z $failed ]] || count=$(wc -l <<<"$failed")
echo "${#headers[@]} headers, $count do not compile"
((count == 0))
