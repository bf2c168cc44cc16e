// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - match a module's signature with a certificate
 *
 * A signature identifies the certificate of its key by issuer and serial number. In the
 * signature, the serial number follows the issuer, and both are encoded as in the
 * certificate.
 */
#include <string.h>

#include "doctor/certificate.h"

/* Tags of DER fields. */
enum {
	DER_INTEGER	= 0x02,
	DER_SEQUENCE	= 0x30,
	DER_VERSION	= 0xa0,	/* [0], missing in X.509 version 1 */
};

/**
 * struct der - a DER field
 * @start:	its tag, which is its first byte
 * @content:	first byte of its contents
 * @end:	one past its last byte
 */
struct der {
	const u8 *start;
	const u8 *content;
	const u8 *end;
};

/* Parse the field at @at. Return false if its tag is not @tag or it exceeds @end. */
static bool read_field(struct der *field, const u8 *at, const u8 *end, u8 tag)
{
	size_t len, bytes;

	if (end - at < 2 || *at != tag)
		return false;
	field->start = at;
	len = at[1];
	at += 2;
	if (len & 0x80) {
		bytes = len & 0x7f;
		if (bytes > sizeof(u32) || (size_t)(end - at) < bytes)
			return false;
		for (len = 0; bytes; bytes--)
			len = len << 8 | *at++;
	}
	if ((size_t)(end - at) < len)
		return false;
	field->content = at;
	field->end = at + len;
	return true;
}

/*
 * Find the serial number and the issuer in a certificate, which has the structure
 * { tbs { [version,] serial, algorithm, issuer, ... }, ... }.
 */
static bool read_names(const u8 *at, const u8 *end, struct der *serial, struct der *issuer)
{
	struct der outer, tbs, skipped;

	if (!read_field(&outer, at, end, DER_SEQUENCE) ||
	    !read_field(&tbs, outer.content, outer.end, DER_SEQUENCE))
		return false;
	at = tbs.content;
	if (read_field(&skipped, at, tbs.end, DER_VERSION))
		at = skipped.end;
	return read_field(serial, at, tbs.end, DER_INTEGER) &&
	       read_field(&skipped, serial->end, tbs.end, DER_SEQUENCE) &&
	       read_field(issuer, skipped.end, tbs.end, DER_SEQUENCE);
}

/*
 * Return true if @signature contains the issuer of @certificate, followed by its serial
 * number. Do not verify the signature: the kernel does.
 */
bool certificate_has_signed(const void *certificate, size_t len, const void *signature,
			    size_t signature_len)
{
	const u8 *at = signature, *end = at + signature_len;
	struct der serial, issuer;
	size_t serial_len, issuer_len;

	if (!read_names(certificate, (const u8 *)certificate + len, &serial, &issuer))
		return false;
	serial_len = serial.end - serial.start;
	issuer_len = issuer.end - issuer.start;
	while ((at = memmem(at, end - at, issuer.start, issuer_len))) {
		if ((size_t)(end - at) >= issuer_len + serial_len &&
		    !memcmp(at + issuer_len, serial.start, serial_len))
			return true;
		at++;
	}
	return false;
}
