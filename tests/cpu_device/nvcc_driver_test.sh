#!/usr/bin/env bash
# Tests of common/cpu_device/nvcc: listings, makefiles, several files, errors, bad usage, and that it
# leaves nothing behind.
set -uo pipefail
source_folder=${COURSE_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
nvcc=$source_folder/common/cpu_device/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp"
export TMPDIR=$work/tmp
[[ -z ${COURSE_BUILD-} ]] || export CPU_DEVICE_CACHE=$COURSE_BUILD/cpu_device
usual_cache=${CPU_DEVICE_CACHE-}
unset NVCC_CCBIN NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS MAKEFLAGS MFLAGS MAKELEVEL
checks=0 failures=0

check() { # WHAT CONDITION...
  checks=$((checks + 1))
  "${@:2}" && return
  failures=$((failures + 1))
  printf 'FAILED: %s\n  command: %s\n  exit code: %s\n  stdout: %s\n  stderr: %s\n  files: %s\n' \
    "$1" "$command" "$status" "$(head -c 2000 "$work/out")" "$(head -c 2000 "$work/err")" \
    "$(ls -A . | tr '\n' ' ')"
}
run() {
  command="$*"
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}
nvcc() { run "$nvcc" "$@"; }
exits() { [[ $status == "$1" ]]; }
prints() { [[ $(<"$work/out") == "$1" ]]; }
shows() { grep -qF -- "$1" "$work/out"; }
complains() { grep -qF -- "$1" "$work/err"; }
fatal() { [[ $status == 1 && $(<"$work/err") == "nvcc fatal   : $1" && ! -s $work/out ]]; }
quiet() { [[ $status == 0 && ! -s $work/err && ! -s $work/out ]]; }
files_are() { # The files here, and nothing in the folder for temporary files.
  [[ $(LC_ALL=C ls -A . | tr '\n' ' ') == "${*:+$* }" && -z $(ls -A "$TMPDIR") ]]
}
new_folder() { # NAME: an empty folder to work in.
  mkdir -p "$work/$1" && cd "$work/$1" || exit 1
}

# Adds 2 and 7, as the first listings do.
add='#include <stdio.h>
__global__ void add(int a, int b, int* c) { *c = a + b; }
int main(void) {
  int c, *dev_c;
  cudaMalloc((void**)&dev_c, sizeof(int));
  add<<<1, 1>>>(2, 7, dev_c);
  cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost);
  printf("2 + 7 = %d\n", c);
  cudaFree(dev_c);
  return 0;
}'

# ------------------------------------------------------------------------------------------ modules
new_folder module
echo 'extern "C" __global__ void twice(int* x) { *x *= 2; }' >twice.cu
cat >load.cpp <<'EOF'
#include <cuda.h>
#include <cstdio>
int twice = 5;  // a name of the kernel's
int main() {
  CUdevice device; CUcontext context; CUmodule module; CUfunction kernel; CUdeviceptr x;
  int value = 21, other;
  cuInit(0); cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device); cuCtxSetCurrent(context);
  if (cuModuleLoad(&module, "none.ptx") != CUDA_ERROR_FILE_NOT_FOUND) return 2;
  if (cuModuleLoad(&module, "twice.ptx") || cuModuleGetFunction(&kernel, module, "twice")) return 3;
  cuMemAlloc(&x, 4); cuMemcpyHtoD(x, &value, 4);
  void* arguments[] = {&x};
  if (cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0)) return 4;
  cuMemcpyDtoH(&other, x, 4);
  printf("%d %d\n", other, twice);
}
EOF
nvcc -ptx -arch=sm_90 twice.cu
check 'a module' quiet
nvcc load.cpp -lcuda -lnvrtc -o load
check 'a program that loads it' quiet
check 'their files' files_are load load.cpp twice.cu twice.ptx
run ./load
check 'the kernel of the module' prints '42 5'

# ------------------------------------------------------------------------- one program, one command
new_folder listing
echo "$add" >add.cu
nvcc add.cu -o add
check 'a listing compiles without a word' quiet
check 'only the program appears' files_are add add.cu
run ./add
check 'it runs' prints '2 + 7 = 9'
nvcc add.cu
check 'without -o' quiet
check 'the program is a.out' files_are a.out add add.cu

new_folder 'elsewhere with spaces'
mkdir -p 'my source (1)' 'my headers' "it's \$HOME"
echo "#include \"answer's.h\"
$add" >"my source (1)/vector add.cu"
echo '#pragma once' >"my headers/answer's.h"
nvcc "my source (1)/vector add.cu" -I 'my headers' -o "it's \$HOME/vector add"
check 'blanks, quotes and dollars in paths' quiet
run "it's \$HOME/vector add"
check 'the program runs' prints '2 + 7 = 9'
nvcc "$work/listing/add.cu" -c
check 'a source in another folder' quiet
check 'its object is put here' files_are add.o "it's \$HOME" 'my headers' 'my source (1)'
ln -s "$nvcc" "it's \$HOME/nvcc"
run "it's \$HOME/nvcc" add.o -o add
check 'called through a symbolic link' quiet
PATH="$source_folder/common/cpu_device:$PATH" run nvcc --version
check 'called through PATH' exits 0

# C libraries come to have functions of CUDA's names: glibc 2.41 (Debian 13) sinpi(), 2.42 rsqrt().
new_folder 'newer C library'
mkdir include
echo '#include_next <math.h>
#ifdef __GLIBC__
#undef __GLIBC_MINOR__
#define __GLIBC_MINOR__ 42
#endif
extern "C" {
double sinpi(double) noexcept;
double cospi(double) noexcept;
float sinpif(float) noexcept;
float cospif(float) noexcept;
double rsqrt(double) noexcept;
float rsqrtf(float) noexcept;
}' >include/math.h
echo 'extern "C" {
double sinpi(double x) { return x == 0.5 ? 1 : 7; }
double cospi(double x) { return x == 1 ? -1 : 7; }
float sinpif(float x) { return static_cast<float>(sinpi(x)); }
float cospif(float x) { return static_cast<float>(cospi(x)); }
}' >library.cpp
echo '#include <stdio.h>
__global__ void call(float* a) {
  a[0] = sinpi(0.5) + sinpif(0.5f) + cospi(1.0) + 2 * cospif(1.0f);
  a[1] = rsqrt(4.0) + rsqrtf(16.0f) + rsqrt(64.0f);
}
int main() {
  float* a;
  cudaMallocManaged(&a, 2 * sizeof(float));
  call<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  printf("%g %g\n", a[0], a[1]);
  cudaFree(a);
}' >pi.cu
nvcc -Iinclude pi.cu library.cpp -o pi
check 'a C library with functions of CUDA'"'"'s names' quiet
run ./pi
check 'they work' prints '-1 0.875'

# ------------------------------------------------------------------------------------ several files
new_folder several
cat >shared.h <<'END'
extern __device__ int counter;
extern __constant__ float factors[2];
__global__ void count(int n);
__device__ float scale(float x);
template <typename T> __global__ void fill(T* out, T value) { out[threadIdx.x] = value; }
int host_only(int* device, int n);
extern "C" int plain_c(int x);
END
cat >device.cu <<'END'
#include "shared.h"
__device__ int counter = 40;
__constant__ float factors[2] = {2, 3};
__device__ float scale(float x) { return x * factors[0] * factors[1]; }
__global__ void count(int n) { counter += n; }
END
cat >main.cu <<'END'
#include <cstdio>
#include "shared.h"
__global__ void use(float* out) { *out = scale(7); }
int main() {
  float* out; cudaMallocManaged(&out, 64);
  float changed[2] = {2, 10}; cudaMemcpyToSymbol(factors, changed, sizeof changed);
  count<<<1, 1>>>(2); use<<<1, 1>>>(out); fill<<<1, 4>>>((int*)out + 4, 5);
  int value; cudaMemcpyFromSymbol(&value, counter, sizeof value);
  std::printf("%d %g %d\n", value, *out, plain_c(host_only((int*)out + 4, 4)));
  return 0;
}
END
cat >host.cpp <<'END'
#include <cuda_runtime.h>
#ifdef __CUDACC__
#error "no CUDA here"
#endif
int host_only(int* device, int n) {
  int sum = 0, copy[8];
  cudaMemcpy(copy, device, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) sum += copy[i];
  return sum;
}
END
echo 'int plain_c(int class) { int *new = &class; return *new + 1; }' >plain.c
nvcc -rdc=true main.cu device.cu host.cpp plain.c -o together
check 'kernels, variables and functions across files' quiet
run ./together
check 'they work together' prints '42 140 21'
nvcc -dc -O3 -arch=sm_90 main.cu device.cu host.cpp plain.c
check 'several files with -dc' quiet
check 'objects for each, nothing else' files_are device.cu device.o host.cpp host.o main.cu main.o \
  plain.c plain.o shared.h together
nvcc main.o device.o host.o plain.o -o from_objects
run ./from_objects
check 'objects linked by nvcc' prints '42 140 21'
nvcc --print-link-flags
check 'flags for another linker' exits 0
# shellcheck disable=SC2046  # Several words are meant.
eval "run g++ main.o device.o host.o plain.o $(<"$work/out") -o by_gpp"
run ./by_gpp
check 'objects linked by g++' prints '42 140 21'
nvcc --print-compile-flags
eval "run g++ $(<"$work/out") -c host.cpp -o host2.o"
check 'a host file compiled by g++' quiet
nvcc -lib device.o host.o plain.o -o libparts.a
check 'a library' quiet
nvcc main.cu -L . -lparts -o with_library
run ./with_library
check 'linked with -l' prints '42 140 21'
nvcc main.o libparts.a -o with_archive
run ./with_archive
check 'linked by name' prints '42 140 21'
nvcc -dlink main.o device.o -o link.o
check 'a device link step makes an object' quiet
nvcc main.o device.o link.o host.o plain.o -lcudart -lcudadevrt -o with_step
run ./with_step
check 'that can be linked' prints '42 140 21'
nvcc -shared -Xcompiler -fPIC device.cu host.cpp plain.c -o libshared.so
check 'a shared library' quiet
nvcc -x cu -DX=1 -DNAME='"a b"' -c plain.c -o as_cuda.o
check "-x cu takes a .c file for CUDA C++, where 'class' is a keyword" complains 'plain.c:1:'
nvcc -odir . -c device.cu
check '-odir' quiet

# ----------------------------------------------------------------------------------------- makefile
new_folder makefile
echo "$add" >add.cu
echo '#define ANSWER 42' >'answer.h'
printf '#include "answer.h"\n#include <cstdio>\nint main() { std::printf("%%d\\n", ANSWER); }\n' >answer.cu
cat >Makefile <<'END'
NVCC ?= nvcc
NVCCFLAGS = -O3 -std=c++14 -arch=sm_70 -gencode arch=compute_80,code=sm_80 -m64 -lineinfo \
  --use_fast_math -Xptxas -v,-O3 --ptxas-options=-v -maxrregcount=32 -Xcompiler "-Wall -Wextra" \
  -Xcompiler=-fopenmp -cudart static -Wno-deprecated-gpu-targets --expt-relaxed-constexpr
.PRECIOUS: %.o
all: add answer
%: %.o
	$(NVCC) $(NVCCFLAGS) -o $@ $< -lm
%.o: %.cu
	$(NVCC) $(NVCCFLAGS) -MD -MP -c $< -o $@
-include $(wildcard *.d)
END
if command -v make >/dev/null; then
  run make -s "NVCC=$nvcc"
  check 'a makefile' exits 0
  check 'is not disturbed by messages' test ! -s "$work/err"
  run ./add
  check 'it builds programs' prints '2 + 7 = 9'
  run make -s -q "NVCC=$nvcc"
  check 'nothing to do now' exits 0
  touch -d '+1 hour' answer.h
  run make -s -q "NVCC=$nvcc"
  check 'a changed header is noticed' exits 1
else
  echo 'skipped: no make'
fi
nvcc -M -MT target add.cu
check '-M' shows 'target: add.cu'
nvcc -MD -MF 'my deps' -MT 'x y' -c answer.cu
check '-MF' grep -q 'x y: answer.cu' 'my deps'
check 'and the header in it' grep -q 'answer.h' 'my deps'
nvcc -MMD answer.cu -o 'the answer'
check '-MMD of a program is called like the source' grep -q '^the answer: answer.cu' answer.d
# Which of the system's headers each option lists, written here or in full.
printf '#include <cstdio>\n#include "answer.h"\nint main() {}\n' >both.cu
for option in -M -MM -MD -MMD --generate-dependencies --generate-nonsystem-dependencies --generate-dependencies-with-compile \
              --generate-nonsystem-dependencies-with-compile; do
  rm -f both.d
  if [[ $option == -M || $option == -MM || $option == *dependencies ]]; then nvcc $option both.cu && cp "$work/out" both.d; else nvcc $option -c both.cu; fi
  check "$option lists the program's header" grep -q answer.h both.d
  if [[ $option == *MM* || $option == *nonsystem* ]]; then
    check "$option leaves out the system's" eval '! grep -q "stdio" both.d'
  else
    check "$option also lists the system's" grep -q 'stdio' both.d
  fi
done

# ------------------------------------------------------------------------------------ other outputs
new_folder outputs
echo "$add" >add.cu
nvcc -E add.cu
check '-E' shows '__global__ void add(int a, int b, int* c) {'
nvcc -E add.cu -o add.i
check '-E with -o' grep -q 'add<<<1, 1>>>' add.i
nvcc -cuda add.cu
check '-cuda' grep -q 'cpu_device::configure' add.cu.cpp.ii
nvcc -run add.cu
check '-run' prints '2 + 7 = 9'
check 'it ends as the program does' exits 0
echo 'int main() { return 7; }' >seven.cu
nvcc -run seven.cu
check '-run of a program that fails' exits 7
rm seven.cu
rm -f ./*.i ./*.ii a.out
nvcc --dryrun add.cu -o add
check '--dryrun shows what it would do' complains '-x c++-cpp-output'
check '--dryrun does nothing' files_are add.cu
nvcc -v add.cu -o add
check '-v shows what it does' complains '-x c++-cpp-output'
run ./add
check '-v does it' prints '2 + 7 = 9'
printf -- '-o "a program"\n-DUNUSED="1" add.cu\n' >options.txt
nvcc --options-file options.txt
check 'options from a file' quiet
run './a program'
check 'the program runs' prints '2 + 7 = 9'
rm -f add 'a program'
NVCC_APPEND_FLAGS='-o appended' NVCC_PREPEND_FLAGS=-w nvcc add.cu
check 'options from the environment' files_are add.cu appended options.txt
for options in '-O0 -g -std c++17 -ccbin g++ --output-file x -w -fmad=false -ftz=true -t 2' \
  '-O 3 -G -std=c++20 -default-stream per-thread --extended-lambda -restrict -I=/tmp -L=/tmp -l m' \
  '-Werror all-warnings -Xlinker --as-needed,--no-undefined -Xcompiler -Wl,-z,now -time t.csv'; do
  # shellcheck disable=SC2086  # Words.
  nvcc $options add.cu -o add
  check "accepts $options" quiet
done
nvcc -Xcompiler -fsanitize=undefined,float-divide-by-zero -c add.cu
check 'a comma in an option of the host compiler' quiet
nvcc -ccbin "$(command -v cc)" -Xcompiler ',"-g","-O2",-DTEXT=\"a\"' add.cu -o add
check 'quotes and the C compiler, as FindCUDA of CMake writes them' quiet
for name in cpp cc cxx; do
  echo 'int main() {}' >main.$name
  nvcc -c main.$name
  check "a .$name file" quiet
done
nvcc --version
check 'the version for scripts' shows 'release 13.0, V13.0'
check 'says what it is' shows 'CPU device'
nvcc --help
check 'help' shows '-Xcompiler'

# ------------------------------------------------------------------------ the compiler's complaints
new_folder complaints
cat >header.h <<'END'
template <class T> __device__ T helper(T x) {
  return x + unknown_in_header;
}
#define SQUARE(x) ((x) * unknown_in_macro * (x))
END
cat >broken.cu <<'END'
#include "header.h"
__global__ void k(int* a, int n) { a[0] = unknown_in_line; }
__global__ void k2(int* a, int n)
{
  __shared__ float cache[unknown_size];
  a[1] = SQUARE(n);
  a[2] = helper(3);
}
int main() {
  k<<<unknown_blocks, 3>>>(nullptr, 3);
  k<<<1, 3>>>(unknown_argument, 3);
  k<<<1,
      unknown_threads>>>(nullptr,
      unknown_second);
  k<<<1, 1>>>(nullptr);
  return 0;
}
END
nvcc -c broken.cu
check 'a compile that fails' exits 1
for place in header.h:2:14 broken.cu:2:43 broken.cu:5:26 broken.cu:6:10 broken.cu:10:7 \
  broken.cu:11:15 broken.cu:13:7 broken.cu:14:7 broken.cu:15:14; do
  [[ $place != broken.cu:6:10 ]] || place=broken.cu:6: # Columns in a macro are the compiler's.
  check "an error at $place" complains "$place"
done
check 'shows the source as it was written' complains '   10 |   k<<<unknown_blocks, 3>>>(nullptr, 3);'
check 'leaves nothing behind' files_are broken.cu header.h
nvcc broken.cu -o program
check 'fails when it should link, too' exits 1
check 'and still leaves nothing behind' files_are broken.cu header.h
printf '\nint main() {\n  k<<<1, 2>>;\n}\n' >launch.cu
nvcc launch.cu -o launch
check 'an error of the rewriter' test "$(<"$work/err")" = "launch.cu:3: error: '<<<' without a matching '>>>'"
check 'and its exit code' exits 1
nvcc -cuda launch.cu
check 'it leaves no half file' files_are broken.cu header.h launch.cu
printf '__global__ void k() {\n  __shared__ float big[64][200];\n}\n' >big.cu
nvcc -c big.cu
check 'too much shared memory' complains 'big.cu:2:20: error: static assertion failed: a block has at most 48 KB'
printf '#include "nowhere.h"\n' >missing.cu
nvcc -c missing.cu
check 'a missing header' complains 'missing.cu:1:10: fatal error: nowhere.h'
printf '#include <cublas_nowhere.h>\n' >missing.cu
nvcc -c missing.cu
check 'a missing part of CUDA' complains 'nvcc: the CPU device does not have this part of the CUDA Toolkit'
printf 'void f();\nint main() { f(); }\n' >undefined.cu
nvcc undefined.cu -o undefined
check 'an undefined function' complains 'undefined reference to `f()'
check 'fails' exits 1
printf 'int main() { int unused; }\n' >warning.cu
nvcc -Xcompiler -Wall warning.cu -o warning
check 'a warning passes through' complains 'warning.cu:1:18: warning: unused variable'
nvcc -Xcompiler -Wall -Werror all-warnings -c warning.cu
check 'a warning as an error' exits 1
nvcc -Xcompiler -Wall -w -c warning.cu
check 'no warnings' quiet
rm -f warning warning.o
check 'after all this nothing is left' files_are big.cu broken.cu header.h launch.cu missing.cu \
  undefined.cu warning.cu

# ---------------------------------------------------------------------------------------- bad usage
new_folder usage
echo "$add" >add.cu
echo 'int main() {}' >other.cu
mkdir folder folder.cu
nvcc
check 'no options' fatal 'No input files specified; use option --help for more information'
nvcc -O2
check 'no files' fatal 'No input files specified; use option --help for more information'
nvcc -foo add.cu -o add
check 'an unknown option' fatal "Unknown option '-foo' (for the host compiler, use -Xcompiler -foo)"
nvcc add.cu --bar=3 -o add
check 'another' fatal "Unknown option '--bar=3'"
nvcc -Wall add.cu -o add
check 'an option of g++' fatal "Unknown option '-Wall' (for the host compiler, use -Xcompiler -Wall)"
nvcc missing.cu -o add
check 'a missing file' fatal "Could not open input file 'missing.cu'"
nvcc folder.cu
check 'a folder' fatal "Could not open input file 'folder.cu'"
nvcc add.xyz
check 'a file of an unknown kind' fatal "Don't know what to do with 'add.xyz'"
nvcc add.cu -o
check 'a missing value' fatal "Missing value for option '-o'"
nvcc add.cu -o nowhere/add
check 'a folder that does not exist' fatal "The output folder 'nowhere' does not exist"
nvcc add.cu -o folder
check 'the output is a folder' fatal "The output 'folder' is a folder"
nvcc add.cu -o ../usage/add.cu
check 'the output is the source' fatal "The output would overwrite the input file 'add.cu'"
nvcc -c add.cu other.cu -o one.o
check 'one output for two objects' fatal 'With -o, only one file can be compiled at a time'
nvcc -std=c++42 add.cu
check 'an unknown standard' fatal "Value 'c++42' is not defined for option 'std'"
for name in volta sm_9999 sm_; do
  nvcc -arch=$name add.cu
  check 'an unknown architecture' fatal "Value '$name' is not defined for option 'gpu-architecture'"
done
nvcc -O9 add.cu
check 'too much optimization' fatal "Value '9' is not defined for option 'O'"
nvcc -optix-ir add.cu
check 'code for a GPU' fatal "'-optix-ir' creates code for a GPU, which the CPU device cannot run"
nvcc -ptx --check add.cu
check 'a checked module' fatal '--check works only for programs, not for modules'
nvcc add.cu -lcupti
check 'a library of the Toolkit' fatal '-lcupti: this library of the CUDA Toolkit is not part of the CPU device'
nvcc -ccbin no-such-compiler add.cu
check 'no compiler' fatal "No C++ compiler 'no-such-compiler'. Install one: sudo apt-get install g++"
NVCC_CCBIN=clang++-99 nvcc add.cu
check 'no clang' fatal "No C++ compiler 'clang++-99'. Install one: sudo apt-get install clang"
TMPDIR=$work/nowhere nvcc add.cu 2>/dev/null
check 'no folder for temporary files' complains "Cannot create a temporary folder in '$work/nowhere'"
CPU_DEVICE_CACHE=/dev/null/x nvcc add.cu
check 'no cache' fatal 'Cannot write to any cache folder: /dev/null/x. Set CPU_DEVICE_CACHE to a folder where you can write'
nvcc add.cu -o /dev/full
check 'a full disk' exits 1
check 'bad usage leaves nothing behind' files_are add.cu folder folder.cu other.cu

# A copy with a rewriter that changes nothing and one file of the runtime: it is built in no time.
copy="$work/copy of it"
mkdir -p "$copy/rewriter" "$copy/runtime/"{device,libraries}
cp -r "$source_folder"/common/cpu_device/{nvcc,include} "$copy"
# Without execution/engine.h, which is compiled ahead: that takes longer than all the rest.
(cd "$source_folder/common/cpu_device" &&
  find runtime \( -name '*.h' -o -name settings.cpp \) -exec cp --parents -t "$copy" {} +)
rm "$copy/runtime/execution/engine.h"
echo 'int a_library;' >"$copy/runtime/libraries/library.cpp"
for part in 1 2 3; do echo "int part$part = $part;" >"$copy/rewriter/part$part.cpp"; done
echo '#include <cstdio>
int main() { for (int c; (c = std::getchar()) != EOF;) std::putchar(c); }' >"$copy/rewriter/main.cpp"

# ------------------------------------------------------------------------------------------- Ctrl-C
new_folder interrupted
echo 'int main() {}' >add.cu
cat >slow <<'END'
#!/usr/bin/env bash
# A compiler that begins to write its output, and then takes its time.
case " $* " in
  *' -c '*)
    while (($# > 1)); do [[ $1 != -o ]] || echo half >"$2"; shift; done
    sleep 60 ;;
  *) exec g++ "$@" ;;
esac
END
chmod +x slow
interrupt() { # SIGNAL OPTIONS...: as a terminal does it, to all processes at once
  set -m
  CPU_DEVICE_CACHE=$work/slow_cache "$copy/nvcc" -ccbin "$PWD/slow" "${@:2}" >"$work/out" 2>"$work/err" &
  local job=$!
  set +m
  command="nvcc ${*:2}, then SIG$1"
  for ((i = 0; i < 400; ++i)); do # Until it has begun to write.
    [[ -n $(find . "$TMPDIR" "$work/slow_cache" -name '*.o' 2>/dev/null) ]] && break
    sleep 0.05
  done
  kill "-$1" -- -$job
  wait $job 2>/dev/null
  status=$?
}
interrupt INT -c add.cu -o add.o
check 'Ctrl-C while the rewriter is built' exits 130
check 'leaves nothing behind' files_are add.cu slow
check 'not even in the cache' test -z "$(find "$work/slow_cache" -name 'building*' -o -name '*.o')"
check 'nor any process' test -z "$(pgrep -f "$PWD/slow")"
cat >fast <<'END'
#!/usr/bin/env bash
exec g++ "$@"
END
chmod +x fast
mv slow slower && mv fast slow
CPU_DEVICE_CACHE=$work/slow_cache run "$copy/nvcc" -ccbin "$PWD/slow" -c add.cu -o add.o
check 'after that the rewriter is built' quiet
mv slower slow && rm add.o
interrupt INT -c add.cu -o add.o
check 'Ctrl-C while a file is compiled' exits 130
check 'leaves no half object' files_are add.cu slow
interrupt TERM add.cu -o add
check 'an end by kill' exits 143
check 'leaves nothing behind, too' files_are add.cu slow

# -------------------------------------------------------------------------------------- first use
new_folder first_use
echo 'int main() {}' >add.cu
export CPU_DEVICE_CACHE="$work/a new cache"
for i in 1 2 3; do
  { "$copy/nvcc" -c add.cu -o "add$i.o" && "$copy/nvcc" --print-link-flags >"flags$i"; } >"out$i" 2>&1 &
done
wait
for i in 1 2 3; do
  check "three that start at once: number $i has its object" test -s "add$i.o"
  check "and its runtime: $i" test -s "flags$i"
  check "without a word: $i" test ! -s "out$i"
done
check 'one rewriter, one runtime and its libraries were built' \
  test "$(find "$CPU_DEVICE_CACHE" -mindepth 1 -maxdepth 1 -type d | wc -l)" = 3
libraries() { find "$work/other cache" -name libcpu_device_libraries.a | wc -l; }
CPU_DEVICE_CACHE="$work/other cache" run "$copy/nvcc" -c add.cu -o add.o
CPU_DEVICE_CACHE="$work/other cache" run "$copy/nvcc" add.o -o add
check 'a program that uses none of the libraries is linked' test -x add
check 'without building them' test "$(libraries)" = 0
CPU_DEVICE_CACHE="$work/other cache" run "$copy/nvcc" add.o -lcublas -o add
check 'with -lcublas they are built' test "$(libraries)" = 1
touch "$work/before"
run "$copy/nvcc" --print-link-flags
check 'later nothing is built' test -z "$(find "$CPU_DEVICE_CACHE" -newer "$work/before")"
echo '// changed' >>"$copy/runtime/device/settings.cpp"
run "$copy/nvcc" --print-link-flags
check 'unless the runtime has changed' test -n "$(find "$CPU_DEVICE_CACHE" -newer "$work/before")"
run env -u CPU_DEVICE_CACHE "$copy/nvcc" --print-link-flags
check 'by default it is built beside nvcc' shows "$work/copy\\ of\\ it/.cache/runtime"
mkdir "$work/home"
rm -rf "$copy/.cache"
chmod a-w "$copy"
if [[ ! -w $copy ]]; then # Root may write everywhere.
  run env -u CPU_DEVICE_CACHE -u XDG_CACHE_HOME HOME="$work/home" "$copy/nvcc" --print-link-flags
  check 'where that cannot be, in the home folder' shows "$work/home/.cache/cpu_device/runtime"
fi
chmod u+w "$copy"
echo '#error "broken"' >>"$copy/runtime/device/settings.cpp"
run "$copy/nvcc" --print-link-flags
check 'a runtime that does not compile' complains "Could not build the CPU device's runtime"
check 'is an error' exits 1
check 'that leaves nothing behind' test -z "$(find "$CPU_DEVICE_CACHE" -name 'building*')"
export CPU_DEVICE_CACHE=$usual_cache
[[ -n $usual_cache ]] || unset CPU_DEVICE_CACHE

# ------------------------------------------------------------------------- headers compiled ahead
# Each check compares with a compilation from the whole text, in a cache that cannot keep headers.
new_folder headers
cached() { find "$work/with" -name headers.gch | wc -l; }
level='' # of optimization
both() { # SOURCE OPTIONS...: the object and the messages of both ways
  local way
  for way in without with with with; do # The second time, the headers are kept; the third time, they are not read.
    CPU_DEVICE_CACHE=$work/$way run "$nvcc" $level -c "$@" -o "$way.o"
    cp "$work/err" "$way.err"
    echo "$status" >"$way.status"
  done
}
same() { cmp -s with.status without.status && cmp -s with.err without.err && cmp -s with.o without.o; }
mkdir "$work/with" "$work/without"
for kind in rewriter runtime; do
  for folder in "${usual_cache:-$source_folder/common/cpu_device/.cache}"/"$kind"-*; do
    ln -s "$folder" "$work/with"
    ln -s "$folder" "$work/without"
  done
done
touch "$work/without/headers" # A file in the place of the folder.
echo '#include <stdio.h>
#include <vector>
#include "own.h"
__global__ void fill(int* a) { a[threadIdx.x] = VALUE + own(); }
int main() {
  std::vector<int> a(4);
  int* device;
  cudaMalloc(&device, 16);
  fill<<<1, 4>>>(device);
  cudaMemcpy(a.data(), device, 16, cudaMemcpyDeviceToHost);
  printf("%d\n", a[3]);
}' >add.cu
echo '#pragma once
#define VALUE 40
static __device__ int own() { return 2; }
__global__ void of_header(int* a) { __shared__ int x[64]; x[threadIdx.x] = a[threadIdx.x]; }' >own.h
both add.cu
check 'with headers compiled ahead, the object is the same' same
check 'they are kept' test "$(cached)" = 1
nvcc with.o -o add
run ./add
check 'the program runs' prints 42
touch "$work/before"
CPU_DEVICE_CACHE=$work/with run "$nvcc" -c add.cu -o again.o
check 'they are used' test -n "$(find "$work/with/headers" -name used -newer "$work/before")"
reads() { # SOURCE OPTIONS...: are its headers preprocessed?
  CPU_DEVICE_CACHE=$work/with run "$nvcc" $level -v -c "$@" -o with.o
  ! grep -q -- ' -imacros .*/headers/' "$work/err"
}
check 'what the source begins with is known' eval '! reads add.cu'
sed -i 's/return 2/return 3/' own.h
both add.cu
check 'a header that has changed is seen' same
check 'it is compiled ahead in its turn, and now cuda_runtime.h alone' test "$(cached)" = 3
check 'what it begins with is known again' eval '! reads add.cu'
# Changes of a header that show in one property of the file only.
one_difference() { # PROPERTY: own.h returns another number.
  local number
  number=$(sed -n 's/.*return \([0-9]*\);.*/\1/p' own.h)
  sed "s/return $number/return $((number % 9 + 1))/" own.h >other.h
  case $1 in
    'the time') cat other.h >own.h ;;
    'the time, to an earlier one') cat other.h >own.h && touch -d '2001-01-01' own.h ;;
    'the fraction of its second')
      touch -d "$(date -d "@$(stat -c %Y own.h)" '+%F %T').5" other.h
      cp -p other.h own.h
      ;;
    'the place') touch -r own.h other.h && mv other.h own.h ;;
    'the size') echo >>other.h && touch -r own.h other.h && cp -p other.h own.h ;;
  esac
  rm -f other.h
}
for what in 'the time' 'the place' 'the size' 'the time, to an earlier one' 'the fraction of its second'; do
  before=$(stat -c '%i %s %y' own.h)
  one_difference "$what"
  both add.cu
  check "a header of which only $what has changed is seen ($before, $(stat -c '%i %s %y' own.h))" same
done
ln -s "$work/with" "$work/a cache with spaces"
for i in 1 2; do CPU_DEVICE_CACHE="$work/a cache with spaces" run "$nvcc" $level -c add.cu -o with.o; done
CPU_DEVICE_CACHE="$work/a cache with spaces" run "$nvcc" $level -v -c add.cu -o with.o
check 'what it begins with is known in a folder with spaces' eval '! complains /cuda_runtime.h'
mkdir earlier later
mv own.h later/own.h
both add.cu -I earlier -I later
check 'a header from another folder' same
check 'it is known' eval '! reads add.cu -I earlier -I later'
sed 's/return [0-9]*/return 41/' later/own.h >earlier/own.h
both add.cu -I earlier -I later
check 'a header that is found before another, and is new' same
mv later/own.h own.h
rm -r earlier later
for options in -O0 -g -G -DNDEBUG -std=c++20 '-Xcompiler -Wall,-Wextra' --check '--check -g' \
  '-Xcompiler -fsanitize=undefined' '-include math.h -include own.h'; do
  # shellcheck disable=SC2086  # Words.
  both add.cu $options
  # The order of what a debugger is told may differ.
  if [[ $options == -g ]]; then objcopy -g with.o && objcopy -g without.o; fi
  check "with $options, the object is the same" same
done
check 'not all of them are kept' test "$(cached)" = 6
# From here on it is about what is read, and the optimizer, which was part of the above, would take half of the time.
level=-O0
mkdir shadow
echo '#include_next <math.h>
#define SHADOW 1
static float shadow(float x) { return sqrtf(x); }' >shadow/math.h
{ cat add.cu && echo 'float f() { return shadow(SHADOW); }'; } >shadowed.cu
both shadowed.cu -I shadow
check 'a header that stands before one of the system' same
for line in '#define _GNU_SOURCE' '#define NDEBUG' '#define __STRICT_ANSI__' '#define _USE_MATH_DEFINES' \
  '#define __USE_FORTIFY_LEVEL 1' '#pragma GCC optimize("O0")' '#pragma pack(1)' 'asm("nop");' 'int f() {'; do
  { echo "$line" && cat add.cu && echo '#include <assert.h>
#include <math.h>
struct Packed { char a; int b; };
double g(double x) { assert(x > 0); return sizeof(Packed) * M_PI; }' && [[ $line != *'{' ]] || echo '}'; } >first.cu
  both first.cu
  check "first of all: $line" same
  case $line in *MATH* | *STRICT* | *FORTIFY* | asm*) continue ;; esac # Here and there alike.
  { echo "$line" && cat own.h; } >other.h
  { echo '#include "other.h"' && sed 1d first.cu; } >second.cu
  both second.cu
  check "in the first header: $line" same
done
# What macros are at the end of a beginning, and what is not one.
macros='#ifdef linux
#error linux
#endif
#if __NVCC__ != 5 || GIVEN != 2 || defined(TAKEN) || !FIRST(1) || __LINE__ != 15
#error macros
#endif
const char* file() { return __FILE__; }'
echo '#undef linux
#undef __NVCC__
#define __NVCC__ 5
#undef FIRST
#undef TAKEN
#define FIRST(x) /* a comment */ ((x) == \
  1)' >macros.h
{ printf '/* A comment\n#include "nowhere.h" */ // and\n#define FIRST 1\n#if FIRST\n#include "macros.h"\n#endif\n\n// Code\n\n' &&
  printf '#define LATER\n\n' && cat <<<"$macros"; } >macros.cu
both macros.cu -DGIVEN=2 -DTAKEN -MD
check 'macros that change' same
check 'compiles' test "$(<with.status)" = 0
check 'are known' eval '! reads macros.cu -DGIVEN=2 -DTAKEN -MD'
sed 's/without/with/' without.d >read.d
check 'dependencies are the same' cmp -s with.d read.d
check 'they name the header' grep -q 'macros\.h' with.d
both macros.cu -DGIVEN=3 -DTAKEN
check 'another value' same
check 'is seen' grep -q '#error macros' with.err
for line in '#include <map>' '  # include "own.h"' 'int n = __COUNTER__;' 'const char* base = __BASE_FILE__;' \
  '#if __has_include("own.h")
int there;
#endif' '#pragma GCC optimize("O0")' '%:include "own.h"'; do
  { cat add.cu && echo "$line"; } >whole.cu
  both whole.cu
  check "in the end: $line" same
  case $line in *pragma*) continue ;; esac
  check "needs the whole file: $line" reads whole.cu
done
sed 's/threadIdx.x\] = VALUE/threadId.x] = VALUE/' add.cu >error.cu
both error.cu
check 'an error, in the same words' same
check 'is an error' test "$(<with.status)" = 1
{ cat add.cu && echo 'int two() { int unused; int a[2] = {1}; return a[3]; }
__global__ void unused_kernel(float* x) { x[0] = half; }' && echo 'static void nobody() {}'; } >warned.cu
sed -i 's/= half/= 1/' warned.cu
both warned.cu -Xcompiler -Wall,-Wextra
check 'warnings, in the same words' same
check 'are given' grep -q 'defined but not used' with.err
echo 'inline int no_return() {}' >>own.h
both add.cu -Xcompiler -Wreturn-type
check 'a warning of a header is given each time' same
check 'it is given' grep -q 'no_return' with.err
# What the command line includes is known for other sources, too; and what of it they include once more.
mkdir builds
echo '#pragma once
#include <limits.h>
#ifdef MORE
#include <unusual.h>
#endif
#define TWICE(x) ((x) + (x))
static __host__ __device__ inline int twice(int x) { return TWICE(x); }' >builds/twice.h
echo '#include <vector>
#include "twice.h"' >builds/all.h
echo 'int unusual();' >builds/unusual.h
printf '#include "builds/../builds/twice.h"\n#include <limits.h>\n#include <cassert>\n#include <vector>\n%s\n' \
  '__global__ void kernel(int* x) { *x = twice(TWICE(1)) + INT_MAX + __COUNTER__ + __LINE__; assert(*x > 0); }
const char* file() { return __FILE__; }' >first_of_many.cu
{ cat first_of_many.cu && echo '#include <map>
std::map<int, int> numbers;'; } >second_of_many.cu
{ echo '#define MORE' && cat first_of_many.cu; } >third_of_many.cu # would include more, if it were not once only
{ echo '#undef TWICE' && cat first_of_many.cu; } >fourth_of_many.cu
{ cat first_of_many.cu && echo '#warning of it'; } >fifth_of_many.cu
many=(-include builds/all.h -I builds -MD)
for header in map set list; do # The first is met, the second compiles the headers ahead, the third learns what they define.
  echo "#include <$header>" >"$header.cu"
  CPU_DEVICE_CACHE=$work/with run "$nvcc" $level -c "$header.cu" "${many[@]}" -o "$header.o"
done
for source in {first,second,third,fourth,fifth}_of_many.cu; do
  for way in without with; do
    CPU_DEVICE_CACHE=$work/$way run "$nvcc" $level -v -c "$source" "${many[@]}" -o "$way.o"
    grep -v '^#\$' "$work/err" >"$way.err"
    echo "$status" >"$way.status"
    grep -c -- ' -imacros .*/headers/.* -x c++ .*_of_many.cu ' "$work/err" >"$way.count"
  done
  check "what the command line includes: $source" same
  # In any order, as sets of files.
  for way in without with; do sed 's/^[^:]*://' $way.d | tr -d '\\' | xargs realpath | sort -u >$way.files; done
  check "the same dependencies: $source" cmp -s with.files without.files
  check "is known: $source" test "$(<with.count)" = 1
done
# Builds of many programs make them for the first one: those that the command line includes, and no others.
mkdir "$work/at_once"
ln -s "$work"/with/rewriter-* "$work"/with/runtime-* "$work/at_once"
of_many() { # SOURCE OPTIONS...
  CPU_DEVICE_CACHE=$work/at_once CPU_DEVICE_MANY_PROGRAMS=1 run "$nvcc" $level -c "$@" -o with.o
  find "$work/at_once" -name headers.gch | wc -l
}
check 'the first of many, without -include, is compiled as it is' test "$(of_many add.cu)" = 0
check 'the first of many makes what the command line includes' test "$(of_many first_of_many.cu "${many[@]}")" = 1
check 'the others use it' test "$(of_many second_of_many.cu "${many[@]}")" = 1
echo '#define THIRD 3' >>builds/all.h
echo 'int third = THIRD;' >>first_of_many.cu
both first_of_many.cu "${many[@]}"
check 'what it includes has changed' same
check 'compiles' test "$(<with.status)" = 0
for gch in "$work"/with/headers/*/headers.gch; do truncate -s 100000 "$gch"; done
sed -i '$d' own.h
both add.cu
both error.cu
check 'damaged ones do no harm' same
for gch in "$work"/with/headers/*/headers.gch; do : >"$gch"; done
both add.cu
check 'nor do empty ones' same
rm -rf "$work/with/headers"
for i in 1 2 3 4; do
  CPU_DEVICE_CACHE=$work/with "$nvcc" -O3 -c add.cu -o "at_once$i.o" >"out$i" 2>&1 || echo failed >>"out$i" &
  ((i != 2)) || wait
done
wait
CPU_DEVICE_CACHE=$work/without run "$nvcc" -O3 -c add.cu -o without.o
for i in 1 2 3 4; do
  check "several at once: number $i" cmp -s "at_once$i.o" without.o
  check "without a word: $i" test ! -s "out$i"
done
check 'nothing is left half made' test -z "$(find "$work/with/headers" -name 'building*')"

level=''
# Functions that run once are compiled once for all programs (rewriter/split.h): the objects differ, what
# programs do does not.
rm -rf "$work/with/headers"
definitions() { find "$work/with/headers" -name definitions.o | wc -l; }
echo '#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string>
inline int& counted() {
  static int count = 0;
  return count;
}
namespace own {
class Report {
 public:
  explicit Report(const char* name) : name_{name} {}
  Report& add(const std::string& text) {
    text_ += " " + text;
    return *this;
  }
  void print() const { printf("%s:%s, %d\n", name_.c_str(), text_.c_str(), ++counted()); }
  static void fail(int line) { throw line; }

 private:
  std::string name_, text_;
};
template <typename T> __global__ void twice(T* x) { *x *= 2; }
inline int doubled(int x) {
  int* device;
  cudaMalloc(&device, sizeof x);
  cudaMemcpy(device, &x, sizeof x, cudaMemcpyHostToDevice);
  twice<<<1, 1>>>(device);
  cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost);
  return x;
}
int line_of_main();
[[noreturn]] inline void leave(int status = 7) {
  printf("line %d of main, line %d here\n", line_of_main(), __LINE__);
  fflush(stdout);
  exit(status);
}
}' >own.h
echo '#include "own.h"
int own::line_of_main() { return __LINE__; }
void other();
int main() {
  own::Report("one").add("two").add(std::to_string(own::doubled(21))).print();
  try {
    own::Report::fail(__LINE__);
  } catch (int line) {
    printf("caught %d\n", line);
  }
  other();
  own::leave();
}' >main.cu
echo '#include "own.h"
void other() {
  int* device;
  cudaMallocManaged(&device, 4);
  *device = 4;
  own::twice<<<1, 1>>>(device);
  cudaDeviceSynchronize();
  own::Report("other").add(std::to_string(*device)).print();
}' >other.cu
said=$'one: two 42, 1\ncaught 7\nother: 8, 2\nline 2 of main, line 34 here'
differ() { ! cmp -s with.o without.o; }
for options in '' '-O0 -g' --check; do
  # shellcheck disable=SC2086  # Words.
  {
    both other.cu $options
    mv without.o other.without.o
    mv with.o other.with.o
    both main.cu $options
    for way in without with; do nvcc $options $way.o other.$way.o -o split.$way; done
    CPU_DEVICE_CACHE=$work/with nvcc $options main.cu other.cu -o split.at_once
  }
  if [[ $options != --check ]]; then # Kernels have something of their own there, for each object.
    check "functions for the host are compiled once: '$options'" test "$(definitions)" -gt 0
    check 'the object is another one' differ
  fi
  for way in without with at_once; do
    run ./split.$way
    check "the program says the same: $way" prints "$said"
    check 'it leaves in the same way' test "$status" = 7
  done
  rm -rf "$work/with/headers"
done
# A checked program counts its kernels, which leaves the headers the same for all of them.
rm -rf "$work/with/headers"
echo '#pragma once
#include <stdio.h>
#include <string>
inline void say(const std::string& text) { fflush(stdout); printf("%s\n", text.c_str()); fflush(stdout); }
inline int sum(const int* numbers, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) total += numbers[i];
  return total;
}' >own.h
echo '__global__ void set(int* x) { x[threadIdx.x] = 1; }
int main() {
  int* x;
  cudaMallocManaged(&x, 4 * sizeof(int));
  set<<<1, 4>>>(x);
  cudaDeviceSynchronize();
  say(std::to_string(sum(x, 4)));
  cudaFree(x);
}' >one.cu
echo '__global__ void set(int* x) { x[threadIdx.x] = 1; }
__global__ void add(int* x) { x[threadIdx.x] += 1; }
int main() {
  int* x;
  cudaMallocManaged(&x, 4 * sizeof(int));
  set<<<1, 4>>>(x);
  add<<<1, 4>>>(x);
  say(std::to_string(sum(x, 4)));
  cudaFree(x);
}' >two.cu
for name in one two; do
  both $name.cu --check -include own.h
  CPU_DEVICE_CACHE=$work/with nvcc --check with.o -o $name
done
check 'checked programs with other kernels share their headers' test "$(cached)$(definitions)" = 11
run ./one
check 'a checked program whose headers are shared: no finding' prints 4
run ./two
check 'one with a mistake that shows in a header' exits 1
check 'the line of the header is named' complains 'line 7 of ./own.h'
rm -rf "$work/with/headers"
echo '#pragma once
#include <stdio.h>
static int own_count = 0;
inline void count() { printf("%d\n", ++own_count); fflush(stdout); fflush(stdout); fflush(stdout); }' >own.h
echo '#include "own.h"
int main() { count(); printf("%d\n", own_count); }' >main.cu
both main.cu
check 'a function that uses what each file has for itself: the object is the same' same
check 'headers are kept' test "$(cached)" = 1
check 'it is not compiled apart' test "$(definitions)" = 0
echo '#include <stdio.h>
int own_variable = 3;
inline int f() { fflush(stdout); fflush(stdout); fflush(stdout); fflush(stdout); return own_variable; }' >own.h
echo '#include "own.h"
int main() { return f(); }' >main.cu
both main.cu
check 'a header that defines a variable: the object is the same' same
check 'it is not compiled apart' test "$(definitions)" = 0
echo '#include <stdio.h>
inline int f(int x) { int unused; fflush(stdout); fflush(stdout); fflush(stdout); fflush(stdout); return x; }' >own.h
echo '#include "own.h"
int main() { return f(0); }' >main.cu
both main.cu -Xcompiler -Wall
check 'a warning in such a function is given each time' same
check 'it is given' grep -q 'unused variable' with.err

# ---------------------------------------------------------------------------- libraries by themselves
new_folder libraries
listing() { # HEADER CALL: a listing that calls a library, if it is given an argument
  printf '#include <%s>\n#include <stdio.h>\n__global__ void k() {}\nint main(int argc, char** argv)
{ k<<<1, 1>>>(); if (argc > 1) { %s } puts("fine"); return 0; }\n' "$1" "$2" >listing.cu
}
try() { # HEADER CALL
  if ! echo "#include <$1>" | g++ -E -x c++ - >/dev/null 2>&1; then
    echo "skipped: no $1"
    return
  fi
  listing "$@"
  nvcc listing.cu -o listing
  check "a listing with $1" quiet
  run ./listing
  check 'runs' prints fine
}
try GL/glut.h 'glutInit(&argc, argv); glClear(GL_COLOR_BUFFER_BIT); gluPerspective(1, 1, 1, 1);'
try GL/glew.h 'glewInit(); glGenBuffers(1, 0);'
try png.h 'png_image image; png_image_write_to_file(&image, argv[1], 0, argv, 0, 0);'
try webp/mux.h 'WebPAnimEncoderDelete(WebPAnimEncoderNew(1, 1, 0));'

# --------------------------------------------------------------------------------------- other tools
new_folder tools
cat >steps.cu <<'END'
#include <stdio.h>
__device__ int thrice(int x) {
  return x * 3;
}
__global__ void multiply(int* a, int n) {
  int i = threadIdx.x;
  a[i] = thrice(n) + i;
}
int main() {
  int* a;
  cudaMallocManaged(&a, 400);
  multiply<<<2, 4>>>(a, 5);
  cudaDeviceSynchronize();
  printf("%d\n", a[1]);
}
END
if command -v gdb >/dev/null; then
  nvcc steps.cu -o steps
  run gdb -nx -batch -ex 'break steps.cu:3' -ex run -ex bt ./steps
  check 'gdb stops in a function of a kernel' shows 'at steps.cu:3'
  check "and shows the kernel's line in its backtrace" shows 'at steps.cu:7'
  nvcc -G steps.cu -o steps
  run gdb -nx -batch -ex 'break steps.cu:7' -ex run -ex bt -ex 'print n' ./steps
  check 'gdb stops in a kernel' shows 'at steps.cu:7'
  check 'with -G it shows the variables' shows '$1 = 5'
else
  echo 'skipped: no gdb'
fi
if command -v clang++ >/dev/null; then
  nvcc -ccbin clang++ -Xcompiler -Wall,-Wextra -c steps.cu
  check 'clang++ as the host compiler' quiet
  nvcc steps.o -o by_clang
  run ./by_clang
  check 'its object' prints 16
else
  echo 'skipped: no clang++'
fi

cd /
printf '%d checks, %d failed\n' "$checks" "$failures"
[[ $failures == 0 ]]
