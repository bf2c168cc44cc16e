# SPDX-License-Identifier: GPL-2.0-only
#
# How DKMS builds the module, in its copy of the sources: as it does by default, but with a
# line that says why a build has failed. DKMS adds -j and variables to the command in
# dkms.conf, and make passes them on.

modules:
	@sh scripts/dkms-build.sh $(MAKE) -C $(KDIR) M=$(CURDIR) modules

.PHONY: modules
