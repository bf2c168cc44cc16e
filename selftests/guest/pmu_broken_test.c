// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - counters that CPUID reports, but that do not work
 *
 * On some hypervisors the counters do not count, or accesses to their MSRs fault.
 * When an event is added, the module has to detect either defect. INFO then has to
 * report it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "harness/counters.h"
#include "harness/test.h"
#include "harness/stream.h"

FIXTURE(pmu_broken) {
	int			fd;
	struct tprof_lx_backend	backend;
	struct perf_event_attr	attr;
};

FIXTURE_SETUP(pmu_broken)
{
	if (!lab_breaks_counters())
		SKIP(return, "only where the lab breaks the counters");
	self->fd = session_open(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, counters_backend(self->fd, &self->backend));
	expect_counters();
	attr_user(&self->attr, PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS);
}

FIXTURE_TEARDOWN(pmu_broken)
{
	close(self->fd);
}

/* Try several times: each attempt must fail in the same way. */
TEST_F(pmu_broken, broken_counters_are_refused_and_named)
{
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(-EIO, event_add(self->fd, self->backend.name,
					  &self->attr));
	}
	ASSERT_EQ(0, counters_backend(self->fd, &self->backend));
	EXPECT_TRUE(self->backend.flags & TPROF_LX_BACKEND_DEGRADED);
	TH_LOG("%s", self->backend.text);
	EXPECT_TRUE(!!strstr(self->backend.text,
			     strcmp(lab_mode(), "amd-fault") ? "count" :
			     "fault"));
	/* The back end's text in INFO names the hypervisor. */
	EXPECT_TRUE(!!strstr(self->backend.text, "(QEMU without KVM)"));
}

TEST_F(pmu_broken, other_backends_still_work)
{
	struct stream stream = {};
	struct tprof_lx_stats stats;

	EXPECT_EQ(-EIO, event_add(self->fd, self->backend.name, &self->attr));
	ASSERT_EQ(0, event_clock(self->fd, "nmi", 1000));
	ASSERT_EQ(0, session_start(self->fd, 1));
	spin_ms(100);
	ASSERT_EQ(0, session_stop(self->fd, 1));
	ASSERT_EQ(0, session_stats(self->fd, TPROF_LX_SUM, 0, &stats));
	EXPECT_LT(0, stats.ledger.taken);
	ASSERT_EQ(0, stream_read_all(&stream, self->fd));
	EXPECT_TRUE(ledgers_add_up(self->fd, 1));
	stream_free(&stream);
}

TEST_HARNESS_MAIN
