// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - a C++ program with known call chains
 *
 * usage: classes NAME SECONDS
 *
 *	main -> corpus::Worker<int>::work(int) const -> corpus::through<...> -> leaf
 */
#include <cstdlib>
#include <sys/prctl.h>

#include "../workloads/now.h"
#include "corpus.h"

namespace corpus {

template <typename Call> FRAME unsigned long through(unsigned long value, Call call)
{
	return call(value) + 1;
}

template <typename T> class Worker {
      public:
	FRAME unsigned long work(T value) const
	{
		return through(value, leaf) + 1;
	}
};

} // namespace corpus

int main(int argc, char **argv)
{
	corpus::Worker<int> worker;
	unsigned long value = 1;

	if (argc < 3)
		return 2;
	prctl(PR_SET_NAME, argv[1]);
	double end = now() + atof(argv[2]);

	do {
		value = worker.work(value) + 1;
	} while (now() < end);
	return value == 0;
}
