// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx selftests - emit overflows of an event from all contexts at once
 *
 * A job serves one EMIT request. All contexts emit on the CPU to which the caller is
 * pinned, so they interrupt each other at arbitrary points:
 * - task: the caller
 * - hard interrupt: a timer
 * - soft interrupt: a tasklet that the timer schedules
 * - NMI: the NMI handler; a worker on another CPU sends one NMI at a time
 *
 * Each context has its own count.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/ptrace.h>
#include <asm/segment.h>

#include "fake.h"

#define TICK_NS		(20 * NSEC_PER_USEC)

/* What each sample costs. */
#define FAKE_CYCLES	1000

/**
 * struct fake_job - an EMIT request under way
 * @event:	event that overflows
 * @emit:	the request; each context writes its own element of @emit.emitted
 * @regs:	registers of all samples, except for the program counter
 * @cpu:	CPU of the caller
 * @is_over:	all contexts must stop emitting: the event no longer runs on @cpu, or
 *		the job ends; any context may set this
 * @nmi_asked:	an NMI was sent; the worker sets this, the NMI handler clears it
 * @nmi_owed:	fake_nmi() must claim the next NMI that finds no work; used only in
 *		NMIs on @cpu
 * @timer:	emits in hard interrupts and schedules @tasklet
 * @tasklet:	emits in soft interrupts
 * @prompt:	work on another CPU that sends NMIs to @cpu
 */
struct fake_job {
	struct fake_event		*event;
	struct tprof_lx_fake_emit	emit;
	struct pt_regs			regs;
	int				cpu;
	bool				is_over;
	bool				nmi_asked;
	bool				nmi_owed;
	struct hrtimer			timer;
	struct tasklet_struct		tasklet;
	struct work_struct		prompt;
};

/* A CPU has at most one job: hold fake_cpu_lock while fake_cpu_job is not NULL. */
static DEFINE_PER_CPU(struct mutex, fake_cpu_lock);
static DEFINE_PER_CPU(struct fake_job *, fake_cpu_job);

static bool is_wanted(const struct fake_job *job, int context)
{
	return !READ_ONCE(job->is_over) &&
	       READ_ONCE(job->emit.emitted[context]) < job->emit.count[context];
}

static bool is_unfinished(const struct fake_job *job)
{
	return is_wanted(job, TPROF_LX_FAKE_SOFTIRQ) ||
	       is_wanted(job, TPROF_LX_FAKE_HARDIRQ) ||
	       is_wanted(job, TPROF_LX_FAKE_NMI);
}

static bool can_overflow(const struct fake_event *event, int cpu)
{
	return (!event->pmu->is_gated || cpumask_test_cpu(cpu, &event->open)) &&
	       !cpumask_test_cpu(cpu, &event->stalled);
}

static void emit_one(struct fake_job *job, int context)
{
	struct tprof_pmu_event *pmu = job->event->pmu;
	u64 nth = job->emit.emitted[context];
	struct pt_regs regs = job->regs;

	regs.ip = job->emit.ip[context];
	if (job->emit.span)
		regs.ip += nth % job->emit.span;
	if (can_overflow(job->event, job->cpu)) {
		pmu->sink(pmu, &regs, job->emit.period, 0);
		/* Tests compare the number of interrupts. */
		tprof_cost_spend(&pmu->cost, FAKE_CYCLES, 1);
	}
	WRITE_ONCE(job->emit.emitted[context], nth + 1);
}

/*
 * Preemption is disabled from the check of @running until the sink returns, so that
 * the grace period in fake_stop() waits for all calls of the sink.
 */
static void emit_batch(struct fake_job *job, int context)
{
	u64 left = job->emit.batch;

	preempt_disable();
	for (; left && is_wanted(job, context); left--) {
		if (smp_processor_id() != job->cpu ||
		    !cpumask_test_cpu(job->cpu, &job->event->running)) {
			WRITE_ONCE(job->is_over, true);
			break;
		}
		emit_one(job, context);
	}
	preempt_enable();
}

/*
 * An NMI does not name its sender. If an NMI of prompt_one() arrives right after a
 * foreign NMI, the handler does the work during the foreign NMI, and finds no work
 * during the NMI of prompt_one(). So after each NMI with work, the handler claims
 * one NMI without work, as long as the job runs.
 */
static int fake_nmi(unsigned int type, struct pt_regs *regs)
{
	struct fake_job *job = READ_ONCE(*this_cpu_ptr(&fake_cpu_job));

	if (!job)
		return NMI_DONE;
	/* Pairs with the store in prompt_one(), which is ordered before the IPI. */
	if (smp_load_acquire(&job->nmi_asked)) {
		emit_batch(job, TPROF_LX_FAKE_NMI);
		job->nmi_owed = true;
		/* Publish emitted[]: pairs with the acquire in prompt_one(). */
		smp_store_release(&job->nmi_asked, false);
		return NMI_HANDLED;
	}
	if (job->nmi_owed) {
		job->nmi_owed = false;
		return NMI_HANDLED;
	}
	return NMI_DONE;
}

static enum hrtimer_restart fake_tick(struct hrtimer *timer)
{
	struct fake_job *job = container_of(timer, struct fake_job, timer);

	emit_batch(job, TPROF_LX_FAKE_HARDIRQ);
	if (is_wanted(job, TPROF_LX_FAKE_SOFTIRQ))
		tasklet_schedule(&job->tasklet);
	else if (!is_wanted(job, TPROF_LX_FAKE_HARDIRQ))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, TICK_NS);
	return HRTIMER_RESTART;
}

static void fake_softirq(struct tasklet_struct *tasklet)
{
	emit_batch(container_of(tasklet, struct fake_job, tasklet),
		   TPROF_LX_FAKE_SOFTIRQ);
}

/* Send an NMI. Return false if it is not handled: the CPU may be offline. */
static bool prompt_one(struct fake_job *job)
{
	unsigned long deadline = jiffies + 5 * HZ;

	WRITE_ONCE(job->nmi_asked, true);
	apic->send_IPI(job->cpu, NMI_VECTOR);
	/* Pairs with the release in fake_nmi(). */
	while (smp_load_acquire(&job->nmi_asked)) {
		if (time_after(jiffies, deadline))
			return false;
		cpu_relax();
	}
	return true;
}

static void fake_prompt(struct work_struct *work)
{
	struct fake_job *job = container_of(work, struct fake_job, prompt);

	while (is_wanted(job, TPROF_LX_FAKE_NMI)) {
		if (!cpu_online(job->cpu) || !prompt_one(job))
			WRITE_ONCE(job->is_over, true);
		cond_resched();
	}
}

static int other_cpu(int cpu)
{
	unsigned int other = cpumask_any_but(cpu_online_mask, cpu);

	return other < nr_cpu_ids ? other : cpu;
}

static void job_start(struct fake_job *job)
{
	hrtimer_setup(&job->timer, fake_tick, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	tasklet_setup(&job->tasklet, fake_softirq);
	INIT_WORK(&job->prompt, fake_prompt);

	WRITE_ONCE(per_cpu(fake_cpu_job, job->cpu), job);
	if (is_wanted(job, TPROF_LX_FAKE_SOFTIRQ) ||
	    is_wanted(job, TPROF_LX_FAKE_HARDIRQ))
		hrtimer_start(&job->timer, TICK_NS,
			      HRTIMER_MODE_REL_PINNED_HARD);
	if (is_wanted(job, TPROF_LX_FAKE_NMI))
		queue_work_on(other_cpu(job->cpu), system_highpri_wq,
			      &job->prompt);
}

static void job_nmi_barrier(void *unused)
{
}

/*
 * A CPU takes an NMI before any interrupt that was sent after the NMI. So when
 * job_nmi_barrier() has run on job->cpu, no NMI of the job is pending any more, and
 * the handler may stop claiming NMIs.
 */
static void job_stop(struct fake_job *job)
{
	WRITE_ONCE(job->is_over, true);
	flush_work(&job->prompt);
	hrtimer_cancel(&job->timer);
	tasklet_kill(&job->tasklet);
	smp_call_function_single(job->cpu, job_nmi_barrier, NULL, 1);
	WRITE_ONCE(per_cpu(fake_cpu_job, job->cpu), NULL);
	/* Wait for NMI handlers that still use @job. */
	synchronize_rcu();
}

static void job_work(struct fake_job *job)
{
	job_start(job);
	while (is_wanted(job, TPROF_LX_FAKE_TASK) && !signal_pending(current)) {
		emit_batch(job, TPROF_LX_FAKE_TASK);
		cond_resched();
	}
	while (is_unfinished(job) && !signal_pending(current))
		usleep_range(50, 100);
	job_stop(job);
}

static void fill_regs(struct pt_regs *regs, bool user)
{
	*regs = *task_pt_regs(current);
	if (user)
		return;
	regs->cs = __KERNEL_CS;
	regs->ss = __KERNEL_DS;
	regs->sp = (unsigned long)regs;
}

/**
 * fake_job_run - serve one EMIT request
 * @event:	event that overflows; the caller holds a reference
 * @emit:	request and result
 *
 * Context: process, pinned to one CPU.
 * Return: 0 or -ENOMEM.
 */
int fake_job_run(struct fake_event *event, struct tprof_lx_fake_emit *emit)
{
	struct fake_job *job;

	job = kzalloc(sizeof(*job), GFP_KERNEL);
	if (!job)
		return -ENOMEM;
	job->event = event;
	job->emit = *emit;
	job->cpu = raw_smp_processor_id();
	fill_regs(&job->regs, emit->user);

	mutex_lock(&per_cpu(fake_cpu_lock, job->cpu));
	job_work(job);
	mutex_unlock(&per_cpu(fake_cpu_lock, job->cpu));
	*emit = job->emit;
	kfree(job);
	return 0;
}

int fake_job_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu(fake_cpu_lock, cpu));
	return register_nmi_handler(NMI_LOCAL, fake_nmi, 0, "tprof-lx-fake");
}

void fake_job_uninit(void)
{
	unregister_nmi_handler(NMI_LOCAL, "tprof-lx-fake");
}
