// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the places in the kernel where software events happen
 *
 * Most of these places are tracepoints. The tick has no tracepoint, so a kprobe
 * counts the calls of update_process_times(), the function that both kinds of
 * tick (periodic and NO_HZ) call.
 *
 * Context: hooks run in the context of what they count: with the scheduler's raw locks held,
 * in a page fault or in the timer interrupt, with interrupts off; or, for a contended lock,
 * anywhere, NMI included. They take no lock, do not allocate and do not sleep.
 */
#include <linux/errno.h>
#include <linux/instruction_pointer.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <asm/irq_regs.h>
#include <asm/unwind.h>
#include TPROF_TRACE_EXCEPTIONS_H
#include <trace/events/lock.h>
#include <trace/events/sched.h>

#include "base/grace.h"
#include "base/mono.h"
#include "base/tracepoints.h"
#include "soft/off_cpu.h"
#include "soft/soft_hooks.h"

/* The function that calls the hook in which this macro is used. */
#define CALLER_OF_HOOK							\
	(&(struct tprof_soft_place){					\
		.ip = _RET_IP_,						\
		.frame = (unsigned long)__builtin_frame_address(0),	\
	})

/* The context that @regs_ describes. */
#define INTERRUPTED(regs_)	(&(struct tprof_soft_place){ .regs = (regs_) })

/*
 * Count a context switch for @prev, the task that leaves the CPU. As with perf,
 * the last switch of a thread, after its exit, counts for no process.
 */
static void count_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	tprof_soft_event_count(TPROF_SOFT_CONTEXT_SWITCHES,
			       prev_state & TASK_DEAD ? NULL : prev, CALLER_OF_HOOK);
}

/*
 * Count a migration. The tracepoint is also hit if @cpu is the task's present
 * CPU.
 */
static void count_migration(void *data, struct task_struct *task, int cpu)
{
	if (task_cpu(task) != cpu)
		tprof_soft_event_count(TPROF_SOFT_CPU_MIGRATIONS, task, CALLER_OF_HOOK);
}

/*
 * Count a page fault if perf would count it. The tracepoints are hit for every
 * fault. perf counts only the faults for which the kernel looks for a mapping:
 * those at addresses of user space, in code that may fault. in_atomic() is
 * true in each probe up to Linux 6.18, so in_interrupt() replaces it. Interrupts are
 * off.
 */
static void count_fault(void *data, unsigned long address, struct pt_regs *regs,
			unsigned long error_code)
{
	if (address >= TASK_SIZE_MAX || !current->mm || pagefault_disabled() || in_interrupt())
		return;
	tprof_soft_event_count(TPROF_SOFT_PAGE_FAULTS, current, INTERRUPTED(regs));
}

static void count_contention(void *data, void *lock, unsigned int flags)
{
	/* Newer kernels than 6.18 call probes with preemption enabled. */
	preempt_disable_notrace();
	tprof_soft_event_count(TPROF_SOFT_LOCK_CONTENTION, current, CALLER_OF_HOOK);
	preempt_enable_notrace();
}

/* Count a wakeup of @task, by the current task or in an interrupt. */
static void count_wakeup(void *data, struct task_struct *task)
{
	struct tprof_soft_place *place = CALLER_OF_HOOK;

	/* Racy read: a thread in exec may be taking its leader's pid. */
	place->raw = READ_ONCE(task->pid);
	tprof_soft_event_count(TPROF_SOFT_WAKEUPS, task, place);
}

static int count_tick(struct kprobe *probe, struct pt_regs *regs)
{
	tprof_soft_event_count(TPROF_SOFT_TICKS, current, INTERRUPTED(get_irq_regs()));
	return 0;
}

/**
 * struct arrival - a thread that was switched in, and has samples due
 * @kick:	irq_work that takes them
 * @task:	the thread; only compared
 * @state:	letter of the state in which it was switched out
 */
struct arrival {
	struct irq_work			kick;
	const struct task_struct	*task;
	char				state;
};

static DEFINE_PER_CPU(struct arrival, arrivals);

/* Return the registers that the interrupt in which this function runs has saved. */
static struct pt_regs *interrupted_regs(void)
{
	struct unwind_state state;
	struct pt_regs *regs;

	for (unwind_start(&state, current, NULL, NULL); !unwind_done(&state);
	     unwind_next_frame(&state)) {
		regs = unwind_get_entry_regs(&state, NULL);
		if (regs)
			return regs;
	}
	return NULL;
}

/*
 * Take the samples of the thread that was switched in. If a hypervisor or an emulator has
 * delayed the irq_work, another thread may run now; then the next samples have the time.
 *
 * Context: hard interrupt, on PREEMPT_RT too.
 */
static void sample_arrival(struct irq_work *kick)
{
	struct arrival *arrival = container_of(kick, struct arrival, kick);
	struct pt_regs *regs = arrival->task == current ? interrupted_regs() : NULL;

	if (regs)
		tprof_soft_event_sample_off_cpu(regs, arrival->state);
}

/*
 * Return the letter of the state in which a task is switched out. A task that is preempted
 * could have gone on, whatever its state. 'R' stands for all states that the kernel does not
 * report, too; the task sleeps in these.
 */
static char state_letter(bool preempt, unsigned int state)
{
	char letter = task_index_to_char(__task_state_index(state, 0));

	if (preempt || !state)
		return 'R';
	return letter == 'R' ? 'D' : letter;
}

/*
 * Count the time off CPU of @next, which ends now, and note when that of @prev begins. In
 * this probe, the stack and the memory of @prev are current. So let an irq_work sample
 * @next: it runs as soon as the scheduler has switched to @next and enables interrupts. Idle
 * tasks have no time off CPU.
 */
static void count_off_cpu(void *data, bool preempt, struct task_struct *prev,
			  struct task_struct *next, unsigned int prev_state)
{
	struct arrival *arrival = this_cpu_ptr(&arrivals);
	struct tprof_off_cpu_wait wait;
	u64 now = tprof_mono_ns();

	if (prev->pid && !(prev_state & TASK_DEAD))
		tprof_off_cpu_leave(prev, now, state_letter(preempt, prev_state));
	if (!next->pid)
		return;
	wait = tprof_off_cpu_return(next);
	if (!tprof_soft_event_add_off_cpu(next, wait.since_ns, now))
		return;
	arrival->task = next;
	arrival->state = wait.state;
	irq_work_queue(&arrival->kick);
}

/* The build fails if the prototype of a probe differs from its tracepoint's. */
static void __maybe_unused check_hooks(void)
{
	check_trace_callback_type_sched_switch(count_switch);
	check_trace_callback_type_sched_switch(count_off_cpu);
	check_trace_callback_type_sched_migrate_task(count_migration);
	check_trace_callback_type_page_fault_user(count_fault);
	check_trace_callback_type_page_fault_kernel(count_fault);
	check_trace_callback_type_contention_begin(count_contention);
	check_trace_callback_type_sched_waking(count_wakeup);
}

/**
 * struct hook - a tracepoint where events happen
 * @kind:	what happens there
 * @tracepoint:	its name
 * @probe:	function to call
 */
struct hook {
	enum tprof_soft_kind	kind;
	const char		*tracepoint;
	void			*probe;
};

static const struct hook hooks[] = {
	{ TPROF_SOFT_PAGE_FAULTS, "page_fault_user", count_fault },
	{ TPROF_SOFT_PAGE_FAULTS, "page_fault_kernel", count_fault },
	{ TPROF_SOFT_CONTEXT_SWITCHES, "sched_switch", count_switch },
	{ TPROF_SOFT_CPU_MIGRATIONS, "sched_migrate_task", count_migration },
	{ TPROF_SOFT_LOCK_CONTENTION, "contention_begin", count_contention },
	{ TPROF_SOFT_OFF_CPU, "sched_switch", count_off_cpu },
	{ TPROF_SOFT_WAKEUPS, "sched_waking", count_wakeup },
};

static struct kprobe tick_probe = {
	.symbol_name = "update_process_times",
	.pre_handler = count_tick,
};

/* Unregister the probes of @kind among the first @nr hooks. */
static void unregister_hooks(enum tprof_soft_kind kind, int nr)
{
	while (nr--) {
		if (hooks[nr].kind == kind)
			tprof_tracepoint_unregister(hooks[nr].tracepoint, hooks[nr].probe, NULL);
	}
}

static int register_hooks(enum tprof_soft_kind kind)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i].kind != kind)
			continue;
		err = tprof_tracepoint_register(hooks[i].tracepoint, hooks[i].probe, NULL);
		if (err) {
			unregister_hooks(kind, i);
			return err;
		}
	}
	return 0;
}

/* Wait until no hook runs and no irq_work is pending, then free the table. */
static void unregister_off_cpu(void)
{
	int cpu;

	unregister_hooks(TPROF_SOFT_OFF_CPU, ARRAY_SIZE(hooks));
	tprof_grace_of_probes();
	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu(arrivals, cpu).kick);
	tprof_off_cpu_uninit();
}

static int register_off_cpu(void)
{
	int cpu, err = tprof_off_cpu_init();

	if (err)
		return err;
	for_each_possible_cpu(cpu)
		per_cpu(arrivals, cpu).kick = IRQ_WORK_INIT_HARD(sample_arrival);
	err = register_hooks(TPROF_SOFT_OFF_CPU);
	if (err)
		tprof_off_cpu_uninit();
	return err;
}

/*
 * What the last attempt to register the probe of ticks has shown; only an attempt shows whether
 * the kernel can probe that function.
 */
static struct {
	bool	is_known;
	bool	exists;
	bool	can_sample;
} tick;

static int register_tick(void)
{
	int err;

	/* An earlier register_kprobe() has set these two fields. */
	tick_probe.addr = NULL;
	tick_probe.flags = 0;
	err = register_kprobe(&tick_probe);
	tick.is_known = err != -ENOMEM;
	tick.exists = !err;
	tick.can_sample = !err && kprobe_ftrace(&tick_probe);
	return err;
}

/* While the probe is registered, all is known. */
static void learn_tick(void)
{
	if (!tick.is_known && !register_tick())
		unregister_kprobe(&tick_probe);
}

/**
 * tprof_soft_hooks_exist - report whether this kernel has the hooks of a kind of events
 * @kind:	kind of events; its hooks may be registered
 *
 * Context: same as tprof_soft_hooks_get().
 * Return: true if tprof_soft_hooks_get() can register them, as far as that is known before.
 */
bool tprof_soft_hooks_exist(enum tprof_soft_kind kind)
{
	int i;

	if (kind == TPROF_SOFT_TICKS) {
		learn_tick();
		return tick.exists;
	}
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		if (hooks[i].kind == kind && !tprof_tracepoint_exists(hooks[i].tracepoint))
			return false;
	}
	return true;
}

/**
 * tprof_soft_hooks_get - register the hooks of a kind of events
 * @kind:	kind of events whose hooks are not registered
 *
 * Context: process, may sleep, under the soft lock, without the CPU hotplug lock.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if this kernel lacks a hook.
 */
int tprof_soft_hooks_get(enum tprof_soft_kind kind)
{
	int err;

	if (kind == TPROF_SOFT_TICKS)
		err = register_tick();
	else if (kind == TPROF_SOFT_OFF_CPU)
		err = register_off_cpu();
	else
		err = register_hooks(kind);
	return err && err != -ENOMEM ? -EOPNOTSUPP : err;
}

/**
 * tprof_soft_hooks_can_sample - report whether the hooks of a kind of events can take
 * samples
 * @kind:	kind of events whose hooks are registered or exist
 *
 * A sample has the registers of the current task, but a migrated task does not run. A
 * kprobe that uses a breakpoint runs as in an NMI, in which no samples are taken. The
 * guessing unwinder does not find the registers of an interrupt.
 *
 * Context: same as tprof_soft_hooks_get().
 * Return: true if they can.
 */
bool tprof_soft_hooks_can_sample(enum tprof_soft_kind kind)
{
	if (kind == TPROF_SOFT_TICKS)
		return tick.can_sample;
	if (kind == TPROF_SOFT_OFF_CPU)
		return !IS_ENABLED(CONFIG_UNWINDER_GUESS);
	return kind != TPROF_SOFT_CPU_MIGRATIONS;
}

/**
 * tprof_soft_hooks_put - undo tprof_soft_hooks_get()
 * @kind:	kind of events
 *
 * A hook may run until tprof_grace_of_probes() returns.
 *
 * Context: same as tprof_soft_hooks_get().
 */
void tprof_soft_hooks_put(enum tprof_soft_kind kind)
{
	if (kind == TPROF_SOFT_TICKS)
		unregister_kprobe(&tick_probe);
	else if (kind == TPROF_SOFT_OFF_CPU)
		unregister_off_cpu();
	else
		unregister_hooks(kind, ARRAY_SIZE(hooks));
}
