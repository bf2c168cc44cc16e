#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The part of vm.sh that runs in the guest: bring up the network, run steps.sh, and power
# off.

exec >/dev/ttyS1 2>&1
stty -F /dev/ttyS1 -opost
ip link set eth0 up
ip address add 10.0.2.15/24 dev eth0
ip route add default via 10.0.2.2
echo nameserver 10.0.2.3 >/etc/resolv.conf
bash /packages/tcg.sh
echo began >/dev/ttyS2
/packages/steps.sh /packages vm
echo $? >/dev/ttyS2
systemctl poweroff
