// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - the trackers that are attached
 */
#include "track/track_list.h"

LIST_HEAD(tprof_track_list);
