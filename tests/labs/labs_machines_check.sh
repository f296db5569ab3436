#!/usr/bin/env bash
# The two machines that LABS.md promises, made from scratch and tried without a network: a bare Debian with g++
# alone, where a student checks a lab; and what .devcontainer/Dockerfile makes, where a program runs and
# a lab is graded. As root on Debian 12, with debootstrap and a mirror of its packages.
set -u
cd "$(dirname "$0")/../.." || exit 1
skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] || skip 'for root'
command -v debootstrap >/dev/null || skip 'there is no debootstrap (apt-get install debootstrap)'
grep -q '^VERSION_CODENAME=bookworm' /etc/os-release || skip 'this is not Debian 12, whose mirror it takes'
# What is mounted here is mounted for this script alone, and goes with it.
[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare --mount --propagation private bash "$0" "$@" || exit 1

mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +([^ ]+).*/\3/p' | head -n 1)
machine=$(mktemp -d "${TMPDIR:-/tmp}/labs_machine.XXXXXX")
chmod 755 "$machine"  # the student comes in, too
trap 'umount "$machine/proc" "$machine/dev" 2>/dev/null; rm -rf --one-file-system "$machine"' EXIT
home=$machine/home/student
failures=0

fail() {
  echo "FAILED: $1"
  sed 's/^/  | /' "$machine/log" | tail -n 20
  failures=$((failures + 1))
}

# as_student COMMAND: in the machine, without a network; what it says goes to the log.
as_student() {
  unshare --net chroot --userspec=student "$machine" env -i HOME=/home/student USER=student LC_ALL=C.UTF-8 \
    PATH=/usr/bin:/bin bash -c "$1" >"$machine/log" 2>&1
}

# expect STATUS TEXT COMMAND
expect() {
  as_student "$3"
  local status=$?
  { [ $status -eq "$1" ] && grep -qF -- "$2" "$machine/log"; } || fail "$3: exit code $status instead of $1, or not '$2'"
}

debootstrap --variant=minbase bookworm "$machine" "$mirror" >"$machine.log" 2>&1 || {
  tail -n 1 "$machine.log"; rm -f "$machine.log"; skip 'no Debian could be made'; }
rm -f "$machine.log"
cp -r /etc/apt/. "$machine/etc/apt/"
cp -r /usr/share/keyrings/. "$machine/usr/share/keyrings/"
cp /etc/resolv.conf "$machine/etc/"
mount -t proc proc "$machine/proc" && mount --bind /dev "$machine/dev" || exit 1

in_machine() { chroot "$machine" env DEBIAN_FRONTEND=noninteractive bash -c "$1" >"$machine/log" 2>&1; }
in_machine 'apt-get update && apt-get install -y --no-install-recommends g++' || { fail 'g++ alone'; exit 1; }
in_machine 'useradd --create-home --shell /bin/bash student'

echo 'a bare Debian with g++'
python3 -B tools/lab hand-out ch04_vector_add --to "$home/labs" >/dev/null || exit 1
chroot "$machine" chown -R student: /home/student
expect 1 'ok  compiles' 'cd ~/labs/ch04_vector_add && ./lab check'
expect 0 'Hint 1 of' 'cd ~/labs/ch04_vector_add && ./lab hint'
python3 -B tools/lab solution ch04_vector_add >"$home/labs/ch04_vector_add/vector_add.cu"
expect 0 'hand in' 'cd ~/labs/ch04_vector_add && ./lab submit && grep "all right" *_submission.cu'

echo 'what the Dockerfile makes'
# Its RUN commands, each as one line.
sed -e ':a' -e '/\\$/N; s/\\\n//; ta' .devcontainer/Dockerfile | sed -n 's/^RUN //p' >"$machine/commands"
grep -q 'apt-get install' "$machine/commands" || { fail 'the Dockerfile installs nothing'; exit 1; }
chroot "$machine" userdel -r student >/dev/null 2>&1
while read -r command; do in_machine "$command" || fail "$command"; done <"$machine/commands"
mkdir "$home/course"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$home/course"
chroot "$machine" chown -R student: /home/student
expect 0 'dot product of' 'cd ~/course && ./course run dot'
expect 0 'hand this folder out' 'cd ~/course && ./course lab hand-out ch05_dot --to ~/labs'
expect 1 'ok  compiles' 'cd ~/labs/ch05_dot && ./lab check'
expect 0 '100 of 100 points' 'cd ~/course && ./course lab solution ch05_dot >~/dot.cu && ./course lab grade ch05_dot ~/dot.cu'

[ $failures -eq 0 ] && echo '2 machines, no failures'
exit $((failures > 0))
