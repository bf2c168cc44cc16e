# SPDX-License-Identifier: GPL-2.0-only
#
# All output goes to build/: modules to build/<release>/, the command line to build/tools/,
# tests to build/selftests/ and build/unit/, logs to build/logs/.

TPROF_CACHE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/tprof-lx
KSFT ?= $(TPROF_CACHE)/source/tools/testing/selftests
export TPROF_CACHE

PREFIX ?= /usr/local
DESTDIR ?=
export PREFIX DESTDIR

# Build tree of the kernel to build for. The default is the running kernel's, or the
# newest one found if the running kernel has none.
KDIR ?=

# A recording for check-page and check-export, and one that check-page compares it to. By
# default, both make theirs.
RECORDING ?=
NEW ?=

# Kernel of check-newest, such as 7.3.4+deb13-amd64. The default is the newest in Debian.
RELEASE ?=

# The version of Debian that check-fresh makes. By default, it makes 12 and 13.
DEBIAN ?=

MODULE := ./scripts/module.sh
LINTS := $(notdir $(basename $(wildcard scripts/lint/*.sh)))

all: modules tools	## the module for KDIR (running kernel) and the tools

modules:		## build/<release>/tprof-lx.ko for KDIR
	@$(MODULE) $(KDIR)

selftest-modules:	## the modules that the tests load, for KDIR
	@$(MODULE) --selftests $(KDIR)

modules-all:		## the module for all header trees here, by gcc and clang, warnings are errors
	@./scripts/modules-all.sh

tools:			## build/tools/tprof-lx
	@$(MAKE) --no-print-directory -C tools O=$(CURDIR)/build/tools

selftests:		## the programs that run in a guest
	@$(MAKE) --no-print-directory -C selftests KSFT=$(KSFT) \
		O=$(CURDIR)/build/selftests
	@$(MAKE) --no-print-directory -C selftests/corpus O=$(CURDIR)/build/selftests/corpus
	@./selftests/larger.sh $(CURDIR)/build/larger
	@$(MAKE) --no-print-directory -C tools O=$(CURDIR)/build/larger/tools CFLAGS=-O0 \
		UAPI=$(CURDIR)/build/larger/include/uapi $(CURDIR)/build/larger/tools/tprof-lx

workloads:		## two of these programs, for make demo
	@$(MAKE) --no-print-directory -C selftests KSFT=$(KSFT) O=$(CURDIR)/build/selftests \
		$(CURDIR)/build/selftests/workloads/hotcold $(CURDIR)/build/selftests/workloads/burn

unit:			## unit tests under ASan and UBSan, the ring under TSan
	@$(MAKE) --no-print-directory -C selftests/unit O=$(CURDIR)/build/unit \
		check

fuzz:			## libFuzzer on all parsers, FUZZ_SECONDS each (60)
	@$(MAKE) --no-print-directory -C selftests/fuzz O=$(CURDIR)/build/fuzz \
		check

deps:			## install the packages and kernels to build and test with (as root)
	@./scripts/deps.sh

demo:			## record a small program in a VM and print its hot functions
	@./scripts/demo.sh

check:			## the tests, each on the kernels where it can fail
	@./scripts/check.sh $(PARTS)

check-quick:		## style, unit tests and one guest, in a few minutes
	@./scripts/check.sh quick

check-fresh:		## what shows a missing dependency, in a new Debian 12 and 13 (as root)
	@./scripts/check-fresh.sh $(DEBIAN)

check-newest:		## a few tests on the newest kernel of any release of Debian (as root)
	@./scripts/check-newest.sh $(RELEASE)

check-all:		## every test on every kernel and mode, before a release
	@TPROF_FULL=yes ./scripts/check.sh all debug fresh

check-debug:		## the tests of the module on kernels with KASAN and with KCSAN
	@TPROF_FULL=yes ./scripts/check.sh debug

check-page:		## the pages of html and diff in Chromium, with axe-core (as root)
	@./scripts/deps.sh page
	@$(MAKE) --no-print-directory -s tools
	@./selftests/page/run.sh $(RECORDING) $(NEW)

check-export:		## what other programs read in exports of made recordings, or of RECORDING
	@./scripts/deps.sh export
	@$(MAKE) --no-print-directory -s tools
	@./selftests/export/run.sh build/tools/tprof-lx $(RECORDING)

soak:			## check-debug for half an hour on each kernel, with random calls and floods
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-300} FLOOD_SECONDS=$${FLOOD_SECONDS:-5} \
		TPROF_FULL=yes ./scripts/check.sh debug

soak-nmi:		## ten minutes of NMIs at 10 kHz in a VM, not part of check
	@./selftests/soak.sh nmi

soak-pmu:		## ten minutes of overflows at 50 kHz in the lab, not part of check
	@./selftests/soak.sh pmu

lab:			## build the emulator with a PMU that PMU tests run on
	@./selftests/lab/build.sh

bench:			## the cost of a sample, compared with perf, in the lab
	@./selftests/bench/bench.sh

bench-trace:		## instructions and register accesses of a sample, by function
	@./selftests/bench/trace.py

bench-switch:		## the cost of a task switch while events of processes count, in the lab
	@./selftests/bench/switch.sh

bench-report:		## the speed of report, compared with perf, on 10 million samples
	@./selftests/bench/report.sh

bench-annotate:		## the speed of annotate, compared with perf, on functions of libLLVM
	@./selftests/bench/annotate.sh

bench-top:			## the CPU time of top, compared with perf top, in a guest
	@./selftests/bench/top.sh

bench-chains:			## how many call chains of compilers and others are whole
	@./selftests/bench/chains.sh

bench-tables:			## how long the unwind tables of large binaries take
	@./selftests/bench/tables.sh

lint: $(LINTS:%=lint-%)	## style, static analysis, layers, spelling

lint-%:			## one lint of scripts/lint/*.sh
	@./scripts/lint/$*.sh && echo "lint $*: ok"

install:		## the tools, manual and completions to PREFIX, the module by DKMS
	@./scripts/dkms.sh check
	@$(MAKE) --no-print-directory install-tools
	@./scripts/dkms.sh install

install-tools:		## install without the module
	@$(MAKE) --no-print-directory -C tools O=$(CURDIR)/build/tools install

uninstall:		## undo install
	@./scripts/dkms.sh check
	@$(MAKE) --no-print-directory -C tools O=$(CURDIR)/build/tools uninstall
	@./scripts/dkms.sh uninstall

html: tools		## the manual as build/html/index.html
	@./scripts/html.sh

dist:			## build/dist/tprof-lx-VERSION.tar.gz, from HEAD
	@./scripts/dist.sh

deb:			## Debian's packages, in build/deb
	@./scripts/deb.sh

rpm:			## RPM packages, in build/rpm
	@./scripts/rpm.sh

arch:			## Arch's packages, in build/arch
	@./scripts/arch.sh

clean:			## remove build/
	rm -rf build

help:			## this list
	@sed -n 's/^\([a-z%-]*\):[^#]*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r target text; do \
			printf '  %-18s %s\n' "$$target" "$$text"; \
		done
	@echo
	@echo "  PARTS=...          parts of check to run (see scripts/check.sh)"
	@echo "  KDIR=...           build tree of the kernel to build for"
	@echo "  RELEASE=...        kernel of check-newest (the newest)"
	@echo "  RECORDING=...      recording of check-page and check-export (they make theirs)"
	@echo "  NEW=...            recording that check-page compares to RECORDING (the same)"
	@echo "  DEBIAN=...         version of Debian that check-fresh makes (12 and 13)"
	@echo "  PREFIX=, DESTDIR=  where install puts the tools (/usr/local)"
	@echo "  TPROF_CACHE=...    where deps keeps kernels (~/.cache/tprof-lx)"

.PHONY: all modules selftest-modules modules-all tools selftests workloads unit fuzz deps demo \
	check check-quick check-fresh check-newest check-all check-debug check-page check-export soak \
	soak-nmi soak-pmu lab bench bench-trace bench-switch bench-report bench-annotate bench-top \
	bench-chains bench-tables lint install install-tools uninstall html dist deb rpm arch clean help
