#!/usr/bin/env bash
# The checked run's own code under AddressSanitizer and UndefinedBehaviorSanitizer, while random kernels
# and some pairs of tests/mistakes keep it busy:
#
#   tests/checked_run/sanitize_check.sh NVCC FOLDER SEEDS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 folder=$2 seeds=$3
device=$(dirname "$nvcc")
mkdir -p "$folder/objects"
# As the library is compiled: without -O2 its own strings and vectors would be the copies in the
# program, which tell of each access.
flags=(-std=c++17 -O2 -g1 -pthread -DCPU_DEVICE_CHECK -fsanitize=address,undefined
  -fno-sanitize-recover=undefined)
made=$folder/objects/made # six minutes of work, which are not repeated for the same files
if [ ! -e "$made" ] || [ -n "$(find "$device/runtime" "$device/include" -type f -newer "$made" -print -quit)" ]; then
  rm -f "$folder"/objects/*
  touch "$folder/begun"
  printf "%s\n" "$device"/runtime/*/*.cpp |
    while read -r source; do
      # Folders have files of the same names.
      printf '%s %s\n' "$source" "$folder/objects/$(basename "$(dirname "$source")").$(basename "$source" .cpp).o"
    done | xargs -P "$(nproc)" -L 1 sh -c \
    'g++ '"$(printf '%q ' "${flags[@]}")"' -I"'"$device"'/include" -c "$0" -o "$1"'
  touch -r "$folder/begun" "$made"
fi

link() { # NAME.o: a program, compiled as in every checked run
  "$nvcc" --check -c "$1" -o "$folder/program.o" "${@:3}"
  g++ -pthread -fsanitize=address,undefined "$folder/program.o" "$folder"/objects/*.o -ldl -o "$2"
}
# A kernel that is ended early leaves what its threads held.
export ASAN_OPTIONS=detect_leaks=0
clean() { # COMMAND...: fails if a sanitizer complains, whatever the program's exit code
  "$@" >"$folder/output" 2>&1 || true
  if grep -nE 'ERROR: AddressSanitizer|runtime error:|AddressSanitizer:DEADLYSIGNAL' "$folder/output"; then
    tail -n 40 "$folder/output"
    exit 1
  fi
}
link "$here/random_kernels.cu" "$folder/random_kernels"
clean "$folder/random_kernels" --self-test
clean "$folder/random_kernels" --seeds "$seeds"
grep -q "^$seeds passed, 0 failed" "$folder/output"
for name in barrier_missing_in_reduction lock_without_fences volatile_in_last_warp \
  guard_missing_in_vector_add copy_in_elements_before_a_kernel memory_freed_twice; do
  for way in '' -DRIGHT; do
    link "$here/../mistakes/$name.cu" "$folder/pair" $way
    clean "$folder/pair"
  done
done
echo "the check's own code: no complaint, $seeds random kernels and 6 pairs"
