#!/usr/bin/env bash
# Checks the answer in this folder. ./lab --help lists its commands. It needs g++, and no network.
if [ -z "${BASH_VERSION:-}" ]; then exec bash "$0" "$@"; fi # started as `sh lab`
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 2

usage() {
  cat <<'END'
usage: ./lab check     compiles your answer, tries it, and does a checked run
       ./lab watch     checks whenever you save the file; Ctrl-C ends it
       ./lab debug     starts the debugger in the case that failed first in the last check
       ./lab debug N   starts the debugger in case N of ./lab check
       ./lab hint      shows the next hint, one more each time
       ./lab hint N    shows hint N
       ./lab submit    checks, and writes one file with your answer and the result, to hand in

  SEED=7 ./lab check               uses this seed for the random case
  NVCC=/path/to/nvcc ./lab check   runs on a GPU, with the CUDA Toolkit's nvcc
  CPU_DEVICE_CACHE=DIR ./lab check builds the parts that all labs share in DIR (default: ~/.cache/cpu_device)
END
}

die() {
  printf 'lab: %s\n' "$*" >&2
  exit 2
}

value() { sed -n "s/^$1 //p" machinery/lab.txt; } # value WORD: from lab.txt

[[ -r machinery/lab.txt ]] || die 'the folder machinery/ is missing; unpack the lab again'
name=$(value name) file=$(value file)
built=machinery/built
run_seconds=20 checked_seconds=60
device_nvcc=machinery/common/cpu_device/nvcc
nvcc=${NVCC:-$device_nvcc}
flags=(-O1 -std=c++17 -I machinery/common -I machinery)
command -v g++ >/dev/null || die 'there is no g++; on Debian and Ubuntu: sudo apt-get install g++'
command -v "$nvcc" >/dev/null || die "there is no '$nvcc' (NVCC)"
mkdir -p "$built" || die 'cannot write to this folder'
# One cache for all labs, where the home folder can have one.
shared=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/cpu_device
if [[ -z ${CPU_DEVICE_CACHE:-} ]] && mkdir -p "$shared" 2>/dev/null && [[ -w $shared ]]; then
  export CPU_DEVICE_CACHE=$shared
fi

if [[ -t 1 ]]; then good=$'\e[32mok\e[0m' bad=$'\e[31m--\e[0m'; else good=ok bad=--; fi
report() { printf '  %s  %s\n' "$@" | tee -a "$built/result.txt"; } # report MARK TEXT

# make_part STEP TARGET SOURCE COMMAND...: runs the command if the target is not there or older, and says every
# ten seconds that it is still at it.
make_part() {
  [[ $2 -nt $3 ]] && return
  local began=$SECONDS ticker
  echo "lab: building $1 ..." >&2
  # Its last sleep outlives it, and must not keep a reader of the output waiting.
  (while sleep 10 >/dev/null 2>&1; do echo "lab: building $1 ... $((SECONDS - began)) s" >&2; done) &
  ticker=$!
  "${@:4}"
  local status=$?
  kill "$ticker"
  wait "$ticker" 2>/dev/null
  ((status == 0)) || die "$3 does not compile; unpack the lab again, or tell your teacher"
}

build_parts() {
  [[ -e $built/harness-checked.o ]] ||
    echo 'lab: the first check of the first lab builds the CPU device: one to four minutes. The next ones take seconds.' >&2
  make_part 'part 1 of 3, the comparison of results' "$built/judge" machinery/judge.cpp \
    g++ -std=c++17 -O1 -I machinery -I machinery/common machinery/judge.cpp -o "$built/judge"
  make_part 'part 2 of 3, the checked run' "$built/harness-checked.o" machinery/harness.cu \
    "$device_nvcc" "${flags[@]}" --check -c machinery/harness.cu -o "$built/harness-checked.o"
  if [[ -z ${NVCC:-} ]]; then
    make_part 'part 3 of 3, the plain run' "$built/harness.o" machinery/harness.cu \
      "$nvcc" "${flags[@]}" -c machinery/harness.cu -o "$built/harness.o"
  fi
}

# compile PROGRAM NVCC OBJECT [OPTION]: the answer, with what calls it.
compile() {
  "$2" "${flags[@]}" "${@:4}" -c "$file" -o "$built/answer.o" >"$built/compiler.txt" 2>&1 &&
    "$2" "${flags[@]}" "${@:4}" "$built/answer.o" "$3" -o "$built/$1" >>"$built/compiler.txt" 2>&1 && return
  report "$bad" 'compiles'
  grep -E "error|undefined|multiple" "$built/compiler.txt" | head -n 8 | sed 's/^/        /'
  return 1
}

# What the grader will refuse: functions of the C library that no lab needs, such as system(), and words of the
# answer that hide what it does. words.txt has three patterns: words, attributes, and the pragmas that pass.
forbidden() {
  [[ -z ${NVCC:-} ]] || return 1
  local names words patterns
  mapfile -t patterns <machinery/words.txt
  names=$({
    nm -u "$built/answer.o" | awk '{print $NF}' |
      grep -vE '^(_Z|cuda|cpu_device|__cxa_|__dso_handle|__.*_chk$)' | grep -vxFf machinery/names.txt
    nm -uC "$built/answer.o" | grep -oE 'std::filesystem' | sort -u
  } | tr '\n' ' ')
  # The preprocessor removes comments, and sed strings.
  g++ -fpreprocessed -dD -E -P -x c++ "$file" 2>/dev/null | sed -E 's/"(\\.|[^"\\])*"//g' >"$built/bare.txt"
  words=$(grep -oE '[A-Za-z_][A-Za-z_0-9]*' "$built/bare.txt" | sort -u)
  names+=$({
    grep -xE "${patterns[0]}" <<<"$words"
    grep -E '__attribute|\[\[' "$built/bare.txt" | grep -oE '[A-Za-z_]+' | grep -xE "_*(${patterns[1]})_*"
    grep -E '^\s*#\s*pragma' "$built/bare.txt" | grep -vE "^\s*#\s*pragma${patterns[2]}"
  } | tr '\n' ' ')
  [[ -n $names ]] || return 1
  report "$bad" "the grader will not accept: $names(no lab needs processes, signals, assembler, or what changes how it is compiled)"
}

# show FILE INDENT: its first lines, and that there are more.
show() {
  head -n 24 "$1" | sed "s/^/$2/"
  (($(wc -l <"$1") <= 24)) || echo "$2... (all of it: $1)"
}

# name_case KIND PARAMETERS...: sets what a run of the case needs, seed and order, and shown, its name.
name_case() {
  local word kept=()
  for word in "${@:2}"; do
    [[ $word == checked=* || $word == most_* || $word == least_* || $word == stages=* ]] || kept+=("$word")
  done
  seed=1 order=forward shown=${kept[*]}
  [[ $1 == fresh ]] || return 0
  seed=$fresh_seed order=shuffle:$fresh_seed
  shown="$("$built/judge" drawn "$seed" "${kept[@]}") (random data; to repeat it: SEED=$seed ./lab check)"
}

# run_case PROGRAM SECONDS SEED PARAMETERS...: sets verdict; returns 0 if right.
run_case() {
  local program=$1 seconds=$2 devices=1 word status
  shift 2
  for word; do [[ $word == devices=* ]] && devices=${word#*=}; done
  "$built/judge" input "$@" >"$built/input" || die 'the judge does not run; unpack the lab again'
  (
    ulimit -c 0 -f 400000
    CPU_DEVICE_COUNT=$devices CPU_DEVICE_ORDER=$order timeout -k 2 "$seconds" "$built/$program" <"$built/input" \
      3>"$built/results" >"$built/output.txt" 2>&1
  ) 2>/dev/null
  status=$?
  if ((status == 124 || status == 137)); then
    verdict="it did not end within $seconds seconds and was stopped"
  elif ((status != 0 && status != 41)); then
    verdict="it ended with code $status: $(grep -m 1 . "$built/output.txt" | cut -c 1-300)"
  else
    verdict=$("$built/judge" verify "$@" <"$built/results")
    [[ $verdict == right ]] && return
    [[ $verdict == *'no result came' ]] && verdict='it ended without a result: does it call exit()?'
  fi
  return 1
}

# Tries every case; sets right and tried. What is wrong in the same way as before is not said again.
run_cases() {
  local kind words seed order shown key stopped='' alike='' more=0
  local -A said=()
  while read -r kind words; do
    [[ $kind == given || $kind == fresh ]] || continue
    tried=$((tried + 1))
    [[ -z $stopped ]] || continue
    # shellcheck disable=SC2086  # Words.
    name_case "$kind" $words
    # shellcheck disable=SC2086
    if run_case program "$run_seconds" "$seed" $words; then
      right=$((right + 1))
      report "$good" "right: $shown"
      continue
    fi
    [[ -e $built/first_failure ]] || echo "$tried" >"$built/first_failure"
    { printf '== %s: %s\n' "$shown" "$verdict" && cat "$built/output.txt"; } >>last_failures.txt
    key=$(sed -E 's/0x[0-9a-f]+|-?[0-9.]+(e[-+][0-9]+)?/#/g' <<<"$verdict")
    if [[ -n ${said[$key]-} ]]; then
      more=$((more + 1)) alike+=${alike:+', '}$shown
      continue
    fi
    said[$key]=1
    report "$bad" "$shown: $verdict"
    cp "$built/output.txt" "$built/rest.txt"
    [[ $verdict != 'it ended with code'* ]] || sed -i '0,/./d' "$built/rest.txt" # its first line is in the verdict
    show "$built/rest.txt" '        | '
    [[ $verdict == *'was stopped' ]] && stopped=$tried
  done <machinery/cases.txt
  ((more == 0)) || report "$bad" "and so in $more more: $alike"
  [[ -z $stopped ]] || ((tried == stopped)) || report "$bad" "$((tried - stopped)) more not tried, because that one was stopped"
}

# What of a checked run's text is about the answer: one case need not reach everything, and lines of machinery/ mean
# nothing to the reader.
student_lines() {
  awk '/^CPU device: checked run|^  not covered, / { next }
       /^[^ ]/ { theirs = sub(/^[^ ]*machinery\/[^ ]*:[0-9]+: CPU device:/, "in the code that calls your function:") }
       theirs && /^ *[0-9]+ \| / { next }
       !/machinery\//'
}

# The checked run: findings come in the words of the CPU device.
run_checked() {
  local kind words seed order shown clean=1 launched option=--check
  launched=$((1 - $(value kernels)))
  grep -q '^counts' machinery/cases.txt && option=--branches # --check, and a run can count
  compile checked "$device_nvcc" "$built/harness-checked.o" "$option" || return
  while read -r kind words; do
    [[ ($kind == given || $kind == fresh) && " $words " != *" checked=no "* ]] || continue
    # shellcheck disable=SC2086  # Words.
    name_case "$kind" $words
    # shellcheck disable=SC2086
    CPU_DEVICE_LEAKS=none CPU_DEVICE_CHECK_EXIT=41 CPU_DEVICE_TIMEOUT=10 run_case checked "$checked_seconds" "$seed" $words
    grep -q 'no kernel was launched' "$built/output.txt" || launched=1
    if [[ ${verdict:-} == *'was stopped' ]]; then
      clean=0
      report "$bad" "the checked run, $shown: $verdict; nothing is known of the rest"
      break
    fi
    if grep -q 'checked run: no findings' "$built/output.txt"; then
      [[ ${verdict:-} == *'no kernel wrote it'* ]] || continue
      clean=0
      report "$bad" "the checked run, $shown: $verdict"
      break
    fi
    clean=0
    report "$bad" "the checked run, $shown:"
    student_lines <"$built/output.txt" >"$built/findings.txt"
    show "$built/findings.txt" '        '
    break
  done <machinery/cases.txt
  if ((clean && !launched)); then
    clean=0
    report "$bad" 'no kernel was launched; the work belongs on the device'
  fi
  ((clean)) && report "$good" 'no finding in the checked run'
  unclean=$((1 - clean))
}

# What was counted in the run, and in the text without its comments.
counted() {
  local waits
  waits=$(sed 's://.*::' "$file" | grep -oE '\bcuda(\w+Synchronize|\w+Query|Memcpy|Memset) ?\(' | wc -l)
  cat "$built/counts.json"
  printf '\n{"kind": "host_waits", "calls": %s}\n' "$waits"
}

# What the CPU device counts, in cases that have limits.
run_counts() {
  local kind words seed order shown
  while read -r kind words; do
    [[ $kind == counts ]] || continue
    tried=$((tried + 1))
    # shellcheck disable=SC2086  # Words.
    name_case "$kind" $words
    # shellcheck disable=SC2086
    if CPU_DEVICE_PROFILE=$PWD/$built/counts.json run_case checked "$checked_seconds" "$seed" $words &&
      verdict=$(counted | "$built/judge" counts 1 $words); then
      right=$((right + 1))
      report "$good" "counts within the limits: $shown"
    else
      report "$bad" "counts, $shown: $verdict"
    fi
  done <machinery/cases.txt
}

check() {
  local right=0 tried=0 unclean=1 fresh_seed=${SEED:-$((RANDOM * 32768 + RANDOM))}
  [[ -f $file ]] || die "there is no $file here; it is the file for your answer"
  [[ $(tr -d '\0' <"$file" | wc -c) == "$(wc -c <"$file")" ]] ||
    die "$file: it contains zero bytes; save it as plain text"
  build_parts
  : >"$built/result.txt"
  echo "$name:"
  if [[ -n ${NVCC:-} ]]; then
    compile program "$nvcc" machinery/harness.cu -arch=native
  else
    compile program "$nvcc" "$built/harness.o"
  fi || return 1
  report "$good" 'compiles'
  forbidden && return 1
  rm -f last_failures.txt "$built/first_failure"
  run_cases
  [[ ! -e last_failures.txt ]] || echo '        (the output of failed cases is in last_failures.txt)'
  run_checked && run_counts
  if ((right == tried && unclean == 0)); then
    report "$good" "all right; your teacher has further cases (hidden). ./lab submit"
    return 0
  fi
  local but=''
  ((right == tried)) && but=', but see above'
  echo "  $right of $tried cases right$but; ./lab hint helps"
  return 1
}

watch() {
  echo "lab: checking $file whenever it is saved; Ctrl-C ends this" >&2
  while true; do
    touch "$built/watched"
    [[ -t 1 ]] && printf '\e[2J\e[H'
    check
    until [[ $file -nt $built/watched ]]; do sleep 0.5; done
  done
}

# The debugger, with the input of a case: gdb that knows kernels, blocks and threads.
debug() {
  local kind words seed order shown number=0 wanted=${1:-} fresh_seed=${SEED:-1} input=$PWD/$built/debug_input
  command -v gdb >/dev/null || die 'there is no gdb; on Debian and Ubuntu: sudo apt-get install gdb'
  [[ $wanted =~ ^[0-9]{0,3}$ ]] || die "debug takes the number of a case, not '$wanted'"
  [[ -n $wanted ]] || wanted=$(cat "$built/first_failure" 2>/dev/null || echo 1)
  build_parts
  compile debugged "$device_nvcc" machinery/harness.cu -g -G || return 1
  while read -r -u 9 kind words; do # 0 is the keyboard, for the debugger
    [[ $kind == given || $kind == fresh ]] || continue
    number=$((number + 1))
    ((number == wanted)) || continue
    # shellcheck disable=SC2086  # Words.
    name_case "$kind" $words
    # shellcheck disable=SC2086
    "$built/judge" input "$seed" $words >"$input" || die 'the judge does not run; unpack the lab again'
    echo "lab: case $number, $shown. Set a breakpoint, then: run" >&2
    exec "${device_nvcc%/*}/bin/cuda-debug" -ex "set args < '$input' 3> /dev/null" ${GDB_OPTIONS:-} "$built/debugged" 9<&-
  done 9<machinery/cases.txt
  die "there is no case $wanted"
}

hint() {
  local count=0 shown
  while [[ -e hints/$((count + 1)).md ]]; do count=$((count + 1)); done
  shown=$(cat "$built/hints_shown" 2>/dev/null || echo 0)
  local number=${1:-$((shown + 1 > count ? count : shown + 1))}
  [[ $number =~ ^[0-9]{1,3}$ ]] && ((number >= 1 && number <= count)) ||
    die "there is no hint '$number'; there are $count"
  cat "hints/$number.md"
  ((number > shown)) && echo "$number" >"$built/hints_shown"
  return 0
}

submit() {
  local to=${name}_submission.cu
  check
  {
    sed '/^\/\* Checked with \.\/lab:/,$d' "$file"
    printf '/* Checked with ./lab: %s, %s\n' "$name" "$(date -u +'%Y-%m-%d %H:%M UTC')"
    sed 's/\x1b\[[0-9]*m//g; s/\*\// /g' "$built/result.txt"
    printf 'hints used: %s of %s\n*/\n' "$(cat "$built/hints_shown" 2>/dev/null || echo 0)" "$(find hints -name '*.md' | wc -l)"
  } >"$to"
  echo "lab: hand in $PWD/$to"
}

case ${1:-} in
  check | watch | submit) (($# == 1)) || die "$1 takes nothing more; try ./lab --help" && "$1" ;;
  hint | debug) "$1" "${@:2}" ;;
  -h | --help) usage ;;
  '') usage >&2 && exit 2 ;;
  *) die "there is no command '$1'; try ./lab --help" ;;
esac
