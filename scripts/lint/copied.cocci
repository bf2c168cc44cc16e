// SPDX-License-Identifier: GPL-2.0-only
//
// copy_to_user() etc. return the number of bytes not copied: return -EFAULT instead.
//
// Confidence: High
// Options: --no-includes

virtual report

@left@
position p;
@@
(
return copy_to_user@p(...);
|
return copy_from_user@p(...);
|
return clear_user@p(...);
)

@script:python depends on report@
p << left.p;
@@
coccilib.report.print_report(p[0], "bytes that were left are returned as an error")
