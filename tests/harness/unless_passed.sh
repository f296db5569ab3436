#!/bin/sh
# unless_passed.sh STAMP FILE... -- COMMAND...
# Runs a test, and returns what it returns. If it passes, the file STAMP remembers when it began.
# With COURSE_REMEMBER=1, which `./course test` sets, a test that passed is not repeated while
# nothing that it depends on, the FILEs and all that is in them if they are folders, has changed.
stamp=$1
shift
count=0
for word; do
  [ "$word" = -- ] && break
  count=$((count + 1))
done

if [ "${COURSE_REMEMBER:-}" = 1 ] && [ -e "$stamp" ]; then
  # What is not there any more is named on stderr: a change, too.
  changed=$(i=0; for file; do
    [ $i -lt $count ] && find "$file" -newer "$stamp" 2>&1
    i=$((i + 1))
  done)
  if [ -z "$changed" ]; then
    echo "passed before, and nothing has changed since"
    exit 0
  fi
fi

shift $((count + 1))
rm -f "$stamp"
: >"$stamp.began"
"$@"
status=$?
[ $status -eq 0 ] && mv -f "$stamp.began" "$stamp"
rm -f "$stamp.began"
exit $status
