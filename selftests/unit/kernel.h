/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx unit tests - kernel definitions for the module's files
 *
 * In the module, one CPU and its interrupts write the ring, and another CPU reads it.
 * Here, tprof_test_step() calls tprof_test_interrupt() in place of an
 * interrupt. The other CPU is another thread, so the operations of local_t are
 * atomic here.
 *
 * Barriers, ordered accesses and operations of local_t call tprof_test_step() first, so
 * that a test can interrupt the code under test before each of them.
 */
#ifndef TPROF_UNIT_KERNEL_H
#define TPROF_UNIT_KERNEL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define __percpu
#ifndef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#endif

extern void (*tprof_test_interrupt)(void);

static inline void tprof_test_step(void)
{
	if (tprof_test_interrupt)
		tprof_test_interrupt();
}

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define min(a, b)		((a) < (b) ? (a) : (b))
#define max(a, b)		((a) > (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((typeof(x))(a) - 1))
#define ____cacheline_aligned_in_smp __attribute__((aligned(64)))

#define array_index_nospec(index, size)	((index) < (size) ? (index) : 0)
#define cond_resched()		((void)0)

/* There is one CPU. */
#define smp_processor_id()	0
#define this_cpu_ptr(variable)	(variable)
#define this_cpu_read(variable)	READ_ONCE(variable)
#define this_cpu_add(variable, n)	((variable) += (n))
#define DECLARE_PER_CPU_ALIGNED(type, name) extern type name

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define barrier()		tprof_test_step()
#define barrier_data(data)	((void)(data), tprof_test_step())
#define OPTIMIZER_HIDE_VAR(var)	__asm__("" : "+r"(var))
/* As in the kernel: x86 does not reorder loads. */
#define smp_rmb()							\
	do {								\
		tprof_test_step();					\
		__asm__ __volatile__("" : : : "memory");		\
	} while (0)

#define smp_load_acquire(p)						\
	({								\
		tprof_test_step();					\
		__atomic_load_n((p), __ATOMIC_ACQUIRE);			\
	})
#define smp_store_release(p, v)						\
	do {								\
		tprof_test_step();					\
		__atomic_store_n((p), (v), __ATOMIC_RELEASE);		\
	} while (0)

typedef struct {
	long value;
} local_t;

static inline long local_read(const local_t *local)
{
	tprof_test_step();
	return __atomic_load_n(&local->value, __ATOMIC_RELAXED);
}

static inline void local_set(local_t *local, long value)
{
	tprof_test_step();
	__atomic_store_n(&local->value, value, __ATOMIC_RELAXED);
}

static inline void local_inc(local_t *local)
{
	tprof_test_step();
	__atomic_fetch_add(&local->value, 1, __ATOMIC_RELAXED);
}

static inline void local_dec(local_t *local)
{
	tprof_test_step();
	__atomic_fetch_sub(&local->value, 1, __ATOMIC_RELAXED);
}

static inline long local_cmpxchg(local_t *local, long old, long new)
{
	tprof_test_step();
	__atomic_compare_exchange_n(&local->value, &old, new, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

#endif /* TPROF_UNIT_KERNEL_H */
