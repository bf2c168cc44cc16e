# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The programs of chains.sh and chains_guest.sh, and what they do. Sourced, in the
# top directory.

# shellcheck disable=SC2034	# used by the sourcing script
readonly programs=(gcc python3 git clang sqlite3 perl node java)
readonly sources="tools/symbols/objects.c tools/symbols/symtab.c tools/perfdata/reader.c"
readonly c_options="-D_GNU_SOURCE -Itools -Iinclude/uapi -fPIC -shared -w -o /tmp/work.so"

# Set the array work to the command of program $1.
set_work()
{
	# shellcheck disable=SC2016,SC2034,SC2206	# perl's; used by the sourcing script; several words
	case $1 in
	gcc) work=(/usr/bin/gcc -O2 $c_options $sources) ;;
	clang) work=(/usr/bin/clang -O1 $c_options $sources) ;;
	git) work=(/usr/bin/git log --oneline --stat -n 60) ;;
	python3) work=(/usr/bin/python3 -c '
import json, re
for i in range(60):
    words = {str(k): [k, str(k) * 3] for k in range(300)}
    text = json.dumps(words, indent=1)
    assert json.loads(text) == words and len(re.findall(r"\d+", text)) > 300') ;;
	perl) work=(/usr/bin/perl -MPOSIX -MList::Util -e '
for my $i (1 .. 60) {
	my %words = map { $_ => "x" x ($_ % 50) } 1 .. 2000;
	my $text = join ",", map { "$_=$words{$_}" } sort keys %words;
	my $sum = List::Util::sum(map { POSIX::fmod(length, 7) } split /,/, $text);
}') ;;
	node) work=(/usr/bin/node -e '
for (let i = 0; i < 60; i++) JSON.parse(JSON.stringify([...Array(3000).keys()].map(String)))') ;;
	java) work=(/usr/bin/java -version) ;;
	sqlite3) work=(/usr/bin/sqlite3 :memory: '
create table t(a integer primary key, b text, c int);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
insert into t select i, hex(i * 7919 % 10007), i % 97 from n;
create index tb on t(b, c);
select c, count(*), max(b), sum(a) from t group by c order by 3, 2;
select count(*) from t x join t y on x.b = y.b and x.c < y.c;') ;;
	esac
}
