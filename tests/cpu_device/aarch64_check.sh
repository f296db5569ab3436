#!/usr/bin/env bash
# Compiles the course's programs and tests for aarch64 and runs them here, in QEMU. Not part of ctest:
#   sudo apt-get install g++-aarch64-linux-gnu qemu-user-static doctest-dev
#   tests/cpu_device/aarch64_check.sh               all of them, which takes hours
#   tests/cpu_device/aarch64_check.sh dot cpu_device  those: a program of the chapters, a test, or both
#   tests/cpu_device/aarch64_check.sh nine_kernels    the kernels of ./course bench cpu: as loops, thread by thread, and
#                                                     on this machine they must compute the same, to the last bit
#   tests/cpu_device/aarch64_check.sh debugger       a session with gdb-multiarch, which must print debugger/aarch64.expected
#                                                     (with --write it is written)
# Prints a table. Programs that need a library which is not there for aarch64 are not linked: "-". Left
# out are the cases in which a test starts itself again: QEMU cannot, as it is used here.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
compiler=aarch64-linux-gnu-g++ emulator=qemu-aarch64-static
for tool in $compiler $emulator; do
  command -v "$tool" >/dev/null || {
    echo "$tool is missing: sudo apt-get install g++-aarch64-linux-gnu qemu-user-static"
    exit 77
  }
done
build=$PWD/build/aarch64
mkdir -p "$build/objects" "$build/run"
export CPU_DEVICE_CACHE=$build/cpu_device COURSE_SOURCE=$PWD COURSE_BUILD=$build COURSE_DEVICE=cpu
unset DISPLAY WAYLAND_DISPLAY

# compile SOURCE RESULT OPTION...: 0, or 1 if it does not compile, or 2 if a library is missing.
# What is run is a script: QEMU stands before the program, also when a test starts it.
compile() {
  local log=$build/objects/${2##*/}.log
  common/cpu_device/nvcc -ccbin $compiler "${@:3}" "$1" -o "$2.aarch64" >"$log" 2>&1 || {
    grep -qE 'skipping incompatible|cannot find -l|Install it|No such file or directory' "$log" && return 2
    return 1
  }
  printf '#!/bin/sh\nexec %s -L /usr/aarch64-linux-gnu "%s" "$@"\n' $emulator "$2.aarch64" >"$2"
  chmod +x "$2"
}

# verdict STATUS: a word for an exit code.
verdict() {
  case $1 in
    0) echo ok ;;
    77) echo skipped ;;
    124) echo 'too long' ;;
    *) echo "FAILED ($1)" ;;
  esac
}

# try NAME COMMAND...: sets `word`; what is said is kept next to the program.
try() {
  timeout 900 "${@:2}" >"$build/run/$1.out" 2>&1 </dev/null
  word=$(verdict $?)
}

# results COMMAND...: of the nine kernels, without the times.
results() { "$@" 0.1 | sed -E 's/ +[0-9.]+ ms +/ /'; }

# compare_kernels: 0 if the nine kernels compute the same here and there.
compare_kernels() {
  local source=tests/cpu_device/loops/nine_kernels.cu nine=$build/nine_kernels way
  compile $source "$nine" -O2 || { echo 'nine_kernels: NOT COMPILED'; return 1; }
  CPU_DEVICE_CACHE=$PWD/build/cpu/cpu_device common/cpu_device/nvcc $source -o "$nine.here" || return
  results "$nine.here" >"$nine.wanted"
  for way in 1 0; do
    CPU_DEVICE_LOOPS=$way results "$nine" >"$nine.found"
    if [[ $(wc -l <"$nine.found") != 9 ]] || ! diff "$nine.wanted" "$nine.found"; then
      echo "nine_kernels: FAILED with CPU_DEVICE_LOOPS=$way"
      return 1
    fi
  done
  echo 'nine_kernels: the same as here, as loops and thread by thread'
}
# compare_debugger [--write]: gdb speaks to QEMU, which stands for the system. What it prints until it has reached a kernel,
# addresses and the numbers of frames are left out.
compare_debugger() {
  local sessions=tests/cpu_device/debugger program=$build/session found=$build/session.out
  command -v gdb-multiarch >/dev/null || { echo 'gdb-multiarch is missing: sudo apt-get install gdb-multiarch'; return 77; }
  compile $sessions/session.cu "$program" -g -G || { echo 'debugger: NOT COMPILED'; return 1; }
  rm -f "$program.socket"
  CPU_DEVICE_THREADS=1 timeout 300 $emulator -g "$program.socket" -L /usr/aarch64-linux-gnu "$program.aarch64" >/dev/null 2>&1 &
  until [[ -S $program.socket ]] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
  {
    printf '%s\n' 'set sysroot /usr/aarch64-linux-gnu' 'source common/cpu_device/debugger/cpu_device_gdb.py' \
      "file $program.aarch64" "target remote $program.socket" 'set trace-commands on'
    cat $sessions/aarch64.gdb
    echo kill
  } | COLUMNS=120 DEBUGINFOD_URLS='' timeout 300 gdb-multiarch -nx -q 2>&1 |
    sed -E -e 's/^(\(gdb\) )+//' -e '1,/^\+continue/d' -e '/^\+kill/,$d' -e 's/0x[0-9a-f]{4,}/ADDRESS/g' \
      -e 's/^#[0-9]+ +(ADDRESS in )?/# /' -e '/^\+\+/d' -e "s|$PWD/||g" >"$found"
  wait
  [[ ${1-} != --write ]] || cp "$found" $sessions/aarch64.expected
  if ! diff -u $sessions/aarch64.expected "$found"; then
    echo 'debugger: FAILED'
    return 1
  fi
  echo 'debugger: as it should be'
}
if [[ $* == nine_kernels ]]; then
  compare_kernels
  exit
elif [[ ${1-} == debugger ]]; then
  compare_debugger "${@:2}"
  exit
fi

names=("$@")
if (($# == 0)); then
  for source in {ch,app,nbody}*/*.cu tests/cpu_device/*_test.cu; do
    name=${source##*/}
    names+=("$(basename "${name%.cu}" _test)")
  done
fi
shared=() # what every test is linked with, see tests/CMakeLists.txt
for name in test_main bad_input damaged_run figures run_program; do
  shared+=("$build/objects/$name.o")
  common/cpu_device/nvcc -ccbin $compiler -x cu -O1 -c "tests/harness/$name.cpp" -o "$build/objects/$name.o" || exit
done
failed=0
printf '%-28s %-12s %-12s\n' program run test
for name in "${names[@]}"; do
  program=$(compgen -G "[can]*/$name.cu") test=$(compgen -G "tests/*/${name}_test.cu" || compgen -G "tests/chapters/*/${name}_test.cu") run=- tested=-
  [[ -n $program || -e $test ]] || { echo "There is no program or test '$name'"; exit 2; }
  export COURSE_PROGRAM=$build/$name
  if [[ -n $program ]]; then
    compile "$program" "$build/$name" -O2
    case $? in
      1) run='NOT COMPILED' ;;
      2) ;;
      *)
        mkdir -p "$build/run/$name"
        try "$name" env -C "$build/run/$name" "$build/$name"
        run=$word
        # Broken on purpose: what it must answer, its test says.
        [[ $name != *broken* ]] || run=-
        ;;
    esac
  fi
  if [[ -e $test ]]; then
    compile "$test" "$build/${name}_test" -O1 "${shared[@]}"
    case $? in
      1) tested='NOT COMPILED' ;;
      2) ;;
      *)
        try "${name}_test" env -C "$build/run" "$build/${name}_test" \
          '--test-case-exclude=*wrong result*,*noticed*'
        tested=$word
        ;;
    esac
  fi
  printf '%-28s %-12s %-12s\n' "$name" "$run" "$tested"
  [[ $run$tested != *[NF][OA]* ]] || failed=1
done
exit $failed
