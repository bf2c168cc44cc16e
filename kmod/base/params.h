/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - module parameters with bounds
 */
#ifndef TPROF_PARAMS_H
#define TPROF_PARAMS_H

#include <linux/bits.h>
#include <linux/printk.h>
#include <linux/types.h>

#define TPROF_RING_BYTES_MIN	(16UL << 10)
#define TPROF_RING_BYTES_MAX	(64UL << 20)
#define TPROF_FIFO_BYTES_MIN	(64UL << 10)
#define TPROF_FIFO_BYTES_MAX	BIT(30)
#define TPROF_FLUSH_MS_MIN	1U
#define TPROF_FLUSH_MS_MAX	10000U
#define TPROF_STACK_FRAMES_MAX	512U
#define TPROF_TABLE_BYTES_MAX	BIT(30)

/* Topics of the parameter `debug`. */
enum tprof_topic {
	TPROF_TOPIC_SESSION	= BIT(0),
	TPROF_TOPIC_CPU		= BIT(1),
	TPROF_TOPIC_TRACK	= BIT(2),
	TPROF_TOPIC_PMU		= BIT(3),
};

#define TPROF_TOPICS	GENMASK(3, 0)

/**
 * struct tprof_param - a number with bounds
 * @value:	current value; may be written at any time
 * @fallback:	default
 * @min:	smallest valid value
 * @max:	largest valid value
 */
struct tprof_param {
	unsigned long	value;
	unsigned long	fallback;
	unsigned long	min;
	unsigned long	max;
};

struct kernel_param;

int tprof_param_set(const char *text, const struct kernel_param *kp);
unsigned long tprof_params_ring_bytes(void);
unsigned long tprof_params_fifo_bytes(void);
unsigned int tprof_params_flush_ms(void);
unsigned long tprof_params_max_rate(void);
unsigned int tprof_params_max_stack(void);
u32 tprof_params_access(void);
void tprof_params_set_access(u32 access);
unsigned int tprof_params_unprivileged_counters(void);
unsigned long tprof_params_unprivileged_rate(void);
unsigned long tprof_params_table_bytes(void);
bool tprof_params_is_debug(enum tprof_topic topic);

/* Log if @topic is enabled. Context: any but NMI. */
#define tprof_debug(topic, fmt, ...)					\
	do {								\
		if (unlikely(tprof_params_is_debug(topic)))		\
			pr_info(fmt, ##__VA_ARGS__);			\
	} while (0)

#endif /* TPROF_PARAMS_H */
