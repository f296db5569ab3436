#!/usr/bin/env bash
# The CPU device on machines with pages of 16 and 64 KB (aarch64), as far as it can be told here: its test
# runs with a library that pretends them and ends what does not keep to them (large_pages.c).
set -uo pipefail
if [[ -n ${ASAN_OPTIONS:-} ]]; then # its library must be the first, and so must ours
  echo 'skipped: not beside the sanitizers'
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
program=$COURSE_BUILD/tests/cpu_device_test
[[ -x $program ]] || { echo 'cpu_device_test is not built'; exit 77; }
compiler=$(command -v gcc || command -v clang) || { echo 'no C compiler'; exit 77; }
"$compiler" -shared -fPIC "${0%/*}/large_pages.c" -o "$work/large_pages.so" || exit 1
for page in 16384 65536; do
  if ! LD_PRELOAD=$work/large_pages.so PRETENDED_PAGE=$page "$program" >"$work/output" 2>&1; then
    echo "with pages of $page bytes:"
    cat "$work/output"
    exit 1
  fi
done
