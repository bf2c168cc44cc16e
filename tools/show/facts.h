/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx info - print labelled values as text or JSON
 */
#ifndef TPROF_FACTS_H
#define TPROF_FACTS_H

#include "base/json.h"

/**
 * struct facts - output of labelled values
 * @json:	print JSON here; NULL for text
 */
struct facts {
	struct json *json;
};

void facts_text(const struct facts *facts, const char *key, const char *label, const char *value);
void facts_count(const struct facts *facts, const char *key, const char *label, u64 value);
void facts_size(const struct facts *facts, const char *key, const char *label, u64 bytes);
void facts_seconds(const struct facts *facts, const char *key, const char *label, u64 ns);
void facts_begin(const struct facts *facts, const char *key, const char *label);
void facts_end(const struct facts *facts);

#endif /* TPROF_FACTS_H */
