#!/usr/bin/env bash
# Tests of unless_passed.sh: what is repeated, and what is not.
set -u
script=$(cd "$(dirname "$0")" && pwd)/unless_passed.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# The test of which it is all about: notes each run, and returns what the file `status` says.
cat >command <<'END'
#!/bin/sh
echo "$*" >>runs
exit "$(cat status)"
END
chmod +x command
mkdir -p folder/deep
touch folder/deep/file 'with space'

# try WHAT RUNS STATUS: runs the test with the settings of now.
try() {
  rm -f runs
  touch runs
  sh "$script" stamp command 'with space' folder -- ./command one 'two words' >out 2>&1
  local status=$?
  if [[ $(wc -l <runs) != "$2" || $status != "$3" ]]; then
    echo "FAILED: $1: ran $(wc -l <runs) times with status $status, expected $2 with $3; output:"
    cat out
    failures=$((failures + 1))
  fi
}
later() { find . -name "$1" -exec touch -d '1 minute' {} +; }
# Everything is old, and the test has passed since.
earlier() {
  find . -exec touch -h -d '1 hour ago' {} +
  touch -d '1 minute ago' stamp
}

earlier
rm stamp
export COURSE_REMEMBER=1
echo 0 >status
try 'the first time' 1 0
[[ $(cat runs) == 'one two words' ]] || { echo "FAILED: arguments: $(cat runs)"; failures=1; }
try 'passed, unchanged' 0 0
grep -qx 'passed before, and nothing has changed since' out || { echo 'FAILED: no word'; failures=1; }
COURSE_REMEMBER=0 try 'not to be remembered' 1 0
COURSE_REMEMBER='' try 'by hand' 1 0
for changed in command 'with space' file deep; do
  earlier
  try "before $changed" 0 0
  later "$changed"
  try "changed: $changed" 1 0
done
earlier
mv folder/deep folder/renamed
try 'renamed' 1 0
earlier
mv folder elsewhere
try 'gone' 1 0
mv elsewhere folder
for failure in 1 2 77 255; do
  echo $failure >status
  COURSE_REMEMBER=0 try "status $failure" 1 $failure
  try "status $failure is not remembered" 1 $failure
done
echo 0 >status
try 'mended' 1 0
try 'passed again' 0 0
((failures == 0)) && echo 'all as it should be'
exit $((failures > 0))
