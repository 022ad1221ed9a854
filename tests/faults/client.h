/* SPDX-License-Identifier: Apache-2.0
 *
 * client.h: programs that use the library, to be disturbed by faults.h. They ask for no memory themselves.
 */
#ifndef TS_TESTS_FAULTS_CLIENT_H
#define TS_TESTS_FAULTS_CLIENT_H

#include "tensorstorage_host.h"

typedef struct client {
  const char *name;
  /* Undisturbed, before each run; may be NULL. */
  ts_status (*prepare)(const char *device, ts_error *error);
  /* Disturbed: do all of the work, or stop at the first failure and clean up. Returns what the library said first that is not
   * TS_OK, or of a wrong result TS_STATUS_COUNT. */
  ts_status (*run)(const char *device, ts_error *error);
  /* Undisturbed, after each run; may be NULL. Returns what is wrong, or NULL. */
  const char *(*verify)(void);
} client;

/* The one of this name: "life", "chooses", "builds", "compiles", "commands", "caches". Others are bad, so that it is seen
 * whether they are caught: "leaks", "forgets", "crashes", "hangs", "swallows", "overwrites". NULL: there is none. */
const client *client_find(const char *name);

#endif
