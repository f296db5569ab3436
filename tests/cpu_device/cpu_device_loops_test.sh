#!/usr/bin/env bash
# Kernels as loops over the threads of a block (nvcc --loops): the same results, failures, words and exit codes
# as thread by thread, and mistakes put into them on purpose are noticed.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
programs=$source_folder/tests/cpu_device/loops
unset "${!CPU_DEVICE_@}" NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
checks=0 failures=0

check() { # check WHAT COMMAND...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  echo "FAILED: $1"
}
# kernels PROGRAM: how many have a form as loops, and how many have none.
kernels() {
  "$nvcc" --loops -cuda "$programs/$1.cu" -o "$1.ii" &&
    echo "$(grep -c 'BlockPlace& cpu_device_place' "$1.ii") $(grep -c 'no loops:' "$1.ii")"
}
# run OUTPUT COMMAND...: addresses are different each time.
run() {
  { ("${@:2}" 2>&1 </dev/null; echo "exit code $?") 2>/dev/null; } | sed 's/0x[0-9a-f]*/ADDRESS/g' >"$1"
}
equal() { cmp -s "$1" "$2" || { diff "$1" "$2"; return 1; }; }
says() { grep -qF -- "$1" "$2"; }

# ---- right results ----
check 'all awkward kernels become loops' [ "$(kernels awkward_kernels)" = '16 0' ]
"$nvcc" --loops "$programs/awkward_kernels.cu" -o awkward || exit 1
check 'awkward kernels as loops' says 'all right' <(./awkward)
check 'awkward kernels thread by thread' says 'all right' <(CPU_DEVICE_LOOPS=0 ./awkward)
check 'awkward kernels in reversed order' says 'all right' <(CPU_DEVICE_ORDER=reverse ./awkward)

check 'all nine kernels become loops' [ "$(kernels nine_kernels)" = '9 0' ]
"$nvcc" --loops "$programs/nine_kernels.cu" -o nine || exit 1
./nine 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >as_loops
CPU_DEVICE_LOOPS=0 ./nine 0.1 | sed -E 's/ +[0-9.]+ ms +/ /' >one_by_one
check 'nine results' [ "$(wc -l <as_loops)" = 9 ]
check 'nine kernels, to the last bit' equal one_by_one as_loops

# ---- failures ----
check 'of the failing kernels, eight become loops' [ "$(kernels failing_kernels)" = '8 2' ]
"$nvcc" --loops "$programs/failing_kernels.cu" -o failing || exit 1
for number in 0 1 2 3 4 5 6 7 8 9; do
  CPU_DEVICE_THREADS=1 run as_loops ./failing "$number"
  CPU_DEVICE_THREADS=1 CPU_DEVICE_LOOPS=0 run one_by_one ./failing "$number"
  check "failure $number says the same" equal one_by_one as_loops
done
check 'the thread is named' says 'thread (21,0,0)' <(CPU_DEVICE_THREADS=1 ./failing 2 2>&1)

# ---- mistakes in the loops are noticed ----
# Compiles what the rewriter made of the awkward kernels, changed by a script for sed.
changed() {
  sed "$1" awkward_kernels.ii >changed.ii
  ! cmp -s awkward_kernels.ii changed.ii || return 1
  g++ -std=c++17 -O1 -fno-strict-aliasing -x c++-cpp-output -w -c changed.ii -o changed.o && "$nvcc" changed.o -o changed
}
if command -v g++ >/dev/null; then
  check 'it compiles as it is' changed '$a\ '
  check 'unchanged, it is right' says 'all right' <(./changed)
  check 'it compiles' changed 's/\[cpu_device_at + cpu_device_lane\]/[cpu_device_lane]/'
  check 'a variable that is not kept for each thread is noticed' says 'wrong' <(./changed)
  check 'it compiles' changed 's/cpu_device_lane < cpu_device_count/cpu_device_lane + 1 < cpu_device_count/'
  check 'a loop over too few threads is noticed' says 'wrong' <(./changed)
fi

# ---- settings ----
CPU_DEVICE_LOOPS=yes ./awkward >out 2>err
check 'a wrong setting is refused' [ "$?" = 2 ]
check 'and named' says CPU_DEVICE_LOOPS err
check 'no loops without being asked' says ' 0 ' <("$nvcc" -cuda "$programs/failing_kernels.cu" -o plain.ii; echo " $(grep -c 'cpu_device_place' plain.ii) ")

# ---- code whose form as loops does not compile has none ----
cat >odd.cu <<'END'
#include <cstdio>
struct Odd { int value; __host__ __device__ Odd(int v) : value(v) {} };
__global__ void odd(int* out) {
  __shared__ int tile[32];
  Odd kept(threadIdx.x);  // no default constructor: there are no arrays of it
  tile[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = kept.value + tile[31 - threadIdx.x];
}
int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  odd<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  printf("%d\n", out[31]);
}
END
check 'it compiles' "$nvcc" --loops odd.cu -o odd
check 'and runs' says 32 <(./odd)
sed 's/out\[31\]/outt[31]/' odd.cu >typo.cu
"$nvcc" --loops typo.cu -o typo 2>err
check 'a mistake of the program is told once' [ "$(grep -c 'outt' err)" -le 3 ]

echo "$checks checks, $failures failures"
[[ $failures == 0 ]]
