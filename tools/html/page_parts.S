/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page up to its data, and the rest of it, with their lengths
 */
	.section .rodata
	.global page_head, page_head_len, page_tail, page_tail_len
	.balign 8
page_head_len:
	.quad	page_tail - page_head
page_tail_len:
	.quad	page_end - page_tail
page_head:
	.incbin	"page.head"
page_tail:
	.incbin	"page.tail"
page_end:
	.section .note.GNU-stack, "", @progbits
