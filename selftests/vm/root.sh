#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run in a guest of vm.sh: replace its root by one that caches files.
#
# virtme-ng mounts the host's files over 9p without a cache. Then each directory of each
# path is a request to the host, and each program is read again whenever it is executed.
# While one CPU sends a request, the other one often spins on the lock of the queue. So
# mount the same files again, with a cache. Only the guest may change files of TREE then.
#
# usage: root.sh TREE DIR...	TREE and each DIR are writable, DIR without a cache

set -eu

modules=/usr/lib/modules/$(uname -r)
readonly tree=$1 new=/mnt modules
shift

# Mount the files with tag $1 on directory $2.
mount_files()
{
	mkdir -p "$2"
	mount -t 9p -o "$3,version=9p2000.L,trans=virtio,access=any,msize=524288,cache=loose" \
		"$1" "$2"
}

# Let programs write to directory $1 of the new root.
add_overlay()
{
	local upper=$new/run/overlay/$1

	mkdir -p "$upper/files" "$upper/work"
	mount -t overlay -o "lowerdir=$new/$1,upperdir=$upper/files,workdir=$upper/work" \
		overlay "$new/$1"
}

mount_files root $new ro
for dir in run tmp; do
	mount -t tmpfs -o mode=1777 tmpfs $new/$dir
done
for dir in etc home opt root srv usr var; do
	[ ! -d $new/$dir ] || add_overlay $dir
done
for dir in dev proc sys; do
	mount --rbind /$dir $new/$dir
done
mount_files tree "$new$tree" rw
for dir; do
	mkdir -p "$new$dir"
	mount --bind "$dir" "$new$dir"
done
# For each recording, perf visits every file below /lib/modules. So provide only the
# lists of modules.
if [ -d "$modules" ]; then
	mkdir -p "$new$modules"
	cp "$modules"/modules.* "$new$modules"
fi
pivot_root $new $new/mnt
