// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - binaries that are kept open, as their paths may not lead to them any more
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ordered_set.h"
#include "symbols/kept_files.h"

struct kept_file {
	struct build_id id;
	int	fd;
};

static int compare(const void *a, const void *b)
{
	const struct kept_file *x = a, *y = b;

	return memcmp(&x->id, &y->id, sizeof(x->id));
}

/* Keep @fd, the binary @id. Return false if it is kept already, or if there is no room. */
bool kept_files_add(struct kept_files *kept, const struct build_id *id, int fd)
{
	const struct kept_file key = { .id = *id, .fd = fd };
	bool is_new = false;

	if (kept->nr < KEPT_FILES)
		ordered_get(&kept->root, &key, sizeof(key), compare, &is_new);
	kept->nr += is_new;
	return is_new;
}

/* Return the descriptor of the binary @id, or -1. */
int kept_files_find(const struct kept_files *kept, const struct build_id *id)
{
	const struct kept_file key = { .id = *id };
	const struct kept_file *file = ordered_find(&kept->root, &key, compare);

	return file ? file->fd : -1;
}

static void free_file(void *file)
{
	close(((struct kept_file *)file)->fd);
	free(file);
}

void kept_files_free(struct kept_files *kept)
{
	tdestroy(kept->root, free_file);
	*kept = (struct kept_files){ 0 };
}
