#!/usr/bin/env bash
# Runs the programs of tests/mistakes under the four tools of NVIDIA's compute-sanitizer. Needs a
# GPU, and nvcc and compute-sanitizer on the PATH:
#
#     tests/checked_run/mistakes_gpu.sh FOLDER [SECONDS [NAME...]]
#
# FOLDER/compute_sanitizer.csv gets one line for each program, way (wrong, or right: with -DRIGHT)
# and tool, as each of them ends, FOLDER/versions.log what it ran with, and FOLDER/logs.tgz what the
# tools said. After SECONDS (default: never) nothing new is started. The same command again goes on
# where the last one stopped. NAME: only these pairs. ARCH=sm_80 in the environment compiles for
# another GPU than sm_90, JOBS=4 runs so many programs at a time.
# tests/mistakes/compute_sanitizer.md says what came out.
set -u
if [ $# -lt 1 ]; then
  echo "usage: ${0##*/} FOLDER [SECONDS [NAME...]]" >&2
  exit 2
fi
for tool in nvcc compute-sanitizer nvidia-smi; do
  if ! command -v "$tool" >/dev/null; then
    echo "${0##*/}: there is no $tool on the PATH" >&2
    exit 77
  fi
done
sources=$(cd "$(dirname "$0")/../mistakes" && pwd)
mkdir -p "$1" || exit 2
folder=$(cd "$1" && pwd)
table=$folder/compute_sanitizer.csv
arch=${ARCH:-sm_90}
gpus=$(nvidia-smi --list-gpus | grep -c '^GPU')
end=$(($(date +%s) + ${2:-1000000})) # seconds
shift $(($# < 2 ? $# : 2))
pattern='.*'
[ $# -eq 0 ] || pattern=$(IFS='|' && echo "$*")
work=$folder/programs # kept, for the next time
mkdir -p "$work"
initcheck=''
compute-sanitizer --help | grep -q -e --initcheck-address-space && initcheck='--initcheck-address-space all'
export sources table arch gpus end work initcheck
jobs=${JOBS:-$(nproc)}

build() { # NAME WAY
  local define=''
  [ "$work/$1.$2" -nt "$sources/$1.cu" ] && return
  [ "$2" = right ] && define=-DRIGHT
  # shellcheck disable=SC2046 # one word for each option
  nvcc -arch="$arch" -lineinfo $(sed -n 's|^// gpu: nvcc ||p' "$sources/$1.cu") $define \
    "$sources/$1.cu" -o "$work/$1.$2" 2>"$work/$1.$2.log"
}

add_line() { # NAME WAY TOOL FOUND COUNT ENDED MESSAGE LINES
  local IFS=,
  echo "$*" >>"$table"
}

# Why this program is not run; nothing if it can be.
obstacle() { # NAME WAY
  local source=$sources/$1.cu devices
  devices=$(sed -n 's|^// environment: CPU_DEVICE_COUNT=||p' "$source")
  if [ ! -x "$work/$1.$2" ]; then
    echo 'does not compile'
  elif [ "$2" = wrong ] && sed -n 2p "$source" | grep -q '^// gpu: hangs'; then
    echo 'not run: hangs'
  elif [ "${devices:-1}" -gt "$gpus" ]; then
    echo "not run: needs $devices GPUs"
  elif [ "$(date +%s)" -ge "$end" ]; then
    echo 'not run: no time'
  fi
}

examine() { # NAME WAY TOOL
  local log=$work/$1.$2.$3.log options='' why count ended message lines found=no
  why=$(obstacle "$1" "$2")
  if [ -n "$why" ]; then
    add_line "$1" "$2" "$3" '' '' "$why" '' ''
    return
  fi
  [ "$3" = memcheck ] && options='--track-stream-ordered-races all'
  [ "$3" = initcheck ] && options=$initcheck
  # shellcheck disable=SC2046,SC2086 # one word for each setting and option
  (cd "$work" && env $(sed -n 's|^// environment: ||p' "$sources/$1.cu") timeout -k 2 25 \
    compute-sanitizer --tool "$3" $options "./$1.$2") >"$log" 2>&1 </dev/null
  ended=$?
  case $ended in 124 | 137) ended=timeout ;; esac
  count=$(sed -nE 's/^=+ (ERROR|RACECHECK) SUMMARY: ([0-9]+) .*/\2/p' "$log" | tail -n 1)
  # The first line of a record is the only one that is not indented. Of a program that crashed, or
  # called nothing of CUDA, ENDED says enough.
  message=$(grep -E '^========= [A-Z]' "$log" |
    grep -Ev "^=+ (COMPUTE-SANITIZER|(ERROR|RACECHECK|LEAK) SUMMARY|Target application returned|\
Warning: CUDA Dynamic Parallelism is not supported|Error: (process didn.t terminate|Target application terminated before))" |
    head -n 1 | cut -c 11- | tr -d '"')
  # A tool that does not support kernels which launch kernels counts that as an error, without a record.
  if [ "$count" = 1 ] && [ -z "$message" ] && grep -q 'CUDA Dynamic Parallelism is not supported' "$log"; then
    count=0
  fi
  # Without a summary (it was killed) a record counts.
  if [ "${count:-0}" -gt 0 ] || { [ -z "$count" ] && [ -n "$message" ]; }; then found=yes; fi
  lines=$(grep -oE "\b$1\.cu:[0-9]+" "$log" | sed 's/.*://' | sort -nu | tr '\n' ' ')
  add_line "$1" "$2" "$3" "$found" "$count" "$ended" "\"$message\"" "${lines% }"
}
export -f build add_line obstacle examine

programs() { # PATTERN: those of the files in which it is found
  (cd "$sources" && grep -lE "$1" -- *.cu) | sed 's/\.cu$//' | grep -xE "$pattern" |
    awk '{ print $0, "wrong"; print $0, "right" }'
}
shared='__shared__'
meets='__sync|_sync\(|sync\(|barrier'
# Most can be learned from the first, in case the time is short.
{
  programs '' | sed 's/$/ memcheck/'
  programs "$shared" | sed 's/$/ racecheck/'
  programs "$meets" | sed 's/$/ synccheck/'
  programs '' | sed 's/$/ initcheck/'
  programs '' | sed 's/$/ racecheck/'
  programs '' | sed 's/$/ synccheck/'
} | awk '!seen[$0]++' >"$work/plan"

# What an earlier call has seen is kept.
touch "$table"
grep -vE 'not run: no time|^name,' "$table" >"$work/seen"
{
  echo "name,way,tool,found,count,ended,message,lines"
  cat "$work/seen"
} >"$table"
awk -F, 'FILENAME == ARGV[1] { seen[$1 " " $2 " " $3]; next } !($0 in seen)' "$work/seen" "$work/plan" >"$work/left"
{
  date -u '+%F %T UTC'
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  nvcc --version | tail -n 2
  compute-sanitizer --version
} | tee "$folder/versions.log"

programs '' | xargs -P "$jobs" -L 1 bash -c 'build "$@"' build
echo "compiled after $SECONDS s: $(find "$work" -type f -perm -u+x | wc -l) programs"
xargs -r -P "$jobs" -L 1 bash -c 'examine "$@"' examine <"$work/left"
echo "finished after $SECONDS s: $(($(wc -l <"$table") - 1)) lines," \
  "$(grep -c 'not run: no time' "$table") not run for want of time"
(cd "$work" && find . -name '*.log' | tar -czf "$folder/logs.tgz" -T -)
