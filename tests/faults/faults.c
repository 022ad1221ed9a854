/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.c: count calls, and choose the one that fails. See faults.h.
 */
#include "tests/faults/faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static faults none; /* nothing fails */
static faults *here = &none;

faults *faults_here(void) { return here; }

void faults_use(faults *own) { here = own; }

/* Before main, when there is one thread. */
static void __attribute__((constructor)) find_file(void) {
  const char *path = getenv(FAULTS_VARIABLE);
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof *here, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (shared != MAP_FAILED) here = shared;
}

bool faults_strike(faults_kind kind, const char *name, unsigned question) {
  if (here->kind != kind) return false;
  long number = atomic_fetch_add(&here->calls, 1) + 1;
  bool fails = here->at > 0 && (here->is_sticky ? number >= here->at : number == here->at);
  if (!fails) return false;
  if (atomic_fetch_add(&here->injected, 1) == 0) {
    snprintf(here->name, sizeof here->name, "%s", name);
    here->question = question;
  }
  return true;
}
