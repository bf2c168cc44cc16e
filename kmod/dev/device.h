/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx - the misc device
 */
#ifndef TPROF_DEVICE_H
#define TPROF_DEVICE_H

int tprof_device_init(void);
void tprof_device_uninit(void);

#endif /* TPROF_DEVICE_H */
