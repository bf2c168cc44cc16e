/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tprof-lx html - the page up to its data, and the rest of it
 */
	.section .rodata
	.global page_head, page_head_end, page_tail, page_tail_end
page_head:
	.incbin "page.head"
page_head_end:
page_tail:
	.incbin "page.tail"
page_tail_end:
	.section .note.GNU-stack, "", @progbits
