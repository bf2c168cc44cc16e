// SPDX-License-Identifier: GPL-2.0-only
/*
 * tprof-lx - whose signature a module has
 *
 * A signature names the certificate of its key by the issuer and the serial number,
 * one behind the other and encoded as they are in the certificate.
 */
#include <string.h>

#include "doctor/certificate.h"

/* Of DER, what stands before what a field holds. */
enum {
	DER_INTEGER	= 0x02,
	DER_SEQUENCE	= 0x30,
	DER_VERSION	= 0xa0,	/* [0], which old certificates do without */
};

/**
 * struct der - one field
 * @start:	its tag
 * @content:	what it holds
 * @end:	behind it
 */
struct der {
	const u8 *start;
	const u8 *content;
	const u8 *end;
};

/* The field of kind @tag at @at; false if there is another, or it does not end by @end. */
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

/* Certificate { tbs { [version,] serial, algorithm, issuer, ... }, ... } */
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
 * Is a signature by the key of a certificate?
 *
 * @signature: what has the signature in it
 *
 * Return true if it says so; whether it is right the kernel finds out.
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
