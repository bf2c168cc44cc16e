/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx export - encode messages of protocol buffers
 *
 * A message is a sequence of fields. A field is its number and type, then a number of
 * variable length, or a length and that many bytes. Errors remain in the buffer: see
 * bytes_err().
 */
#ifndef TPROF_EXPORT_PROTOBUF_H
#define TPROF_EXPORT_PROTOBUF_H

#include "base/bytes.h"

void protobuf_varint(struct bytes *out, u64 value);
void protobuf_number(struct bytes *out, u32 field, u64 value);
void protobuf_member(struct bytes *out, u32 field, u64 value);
void protobuf_fixed64(struct bytes *out, u32 field, u64 value);
void protobuf_bytes(struct bytes *out, u32 field, const void *data, size_t len);
void protobuf_text(struct bytes *out, u32 field, const char *text);
void protobuf_message(struct bytes *out, u32 field, struct bytes *message);

#endif /* TPROF_EXPORT_PROTOBUF_H */
