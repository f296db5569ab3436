#!/usr/bin/env bash
# The course on a new machine with another Debian, whose compiler and C library are newer: outside of CI.
#
#   sudo apt-get install debootstrap
#   sudo tests/course/clean_machine.sh SUITE FOLDER [ARGUMENTS OF ./course]
#   sudo tests/course/clean_machine.sh trixie /var/tmp/trixie test --thorough
#
# Puts SUITE (trixie, forky, sid ...) into FOLDER, unless it is there, clones the last commit into its
# /root/course, and calls ./course there (default: test), which installs what it needs. FOLDER stays for
# the next call; to remove it: umount -R FOLDER/proc FOLDER/sys FOLDER/dev; rm -rf FOLDER
set -euo pipefail
(($# >= 2)) || { sed -n '2,/^set/s/^# \?//p' "$0" >&2; exit 2; }
suite=$1 folder=$2
shift 2
source_folder=$(cd "$(dirname "$0")/../.." && pwd)
mirror=http://deb.debian.org/debian
[[ -e $folder/etc/debian_version ]] ||
  debootstrap --variant=minbase "$suite" "$folder" "$mirror" /usr/share/debootstrap/scripts/sid
mountpoint -q "$folder/proc" || mount -t proc proc "$folder/proc"
mountpoint -q "$folder/sys" || mount -t sysfs -o ro sysfs "$folder/sys"
mountpoint -q "$folder/dev" || mount --rbind --make-rslave /dev "$folder/dev"
cp /etc/resolv.conf /etc/hosts "$folder/etc/"
cp /etc/apt/apt.conf.d/*proxy* "$folder/etc/apt/apt.conf.d/" 2>/dev/null || true
if [[ -e $folder/root/course ]]; then
  git -c safe.directory='*' -C "$folder/root/course" pull -q "$source_folder"
else
  git clone -q "$source_folder" "$folder/root/course"
fi
(($# > 0)) || set -- test
exec chroot "$folder" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
  bash -c 'cd /root/course && g++ --version 2>/dev/null | head -n 1; ./course "$@" </dev/null' course "$@"
