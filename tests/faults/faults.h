/* SPDX-License-Identifier: Apache-2.0
 *
 * faults.h: let one call fail: the k-th of OpenCL's, for memory or on files, of a program and all its processes.
 *
 * A program that is linked with opencl.c calls OpenCL's loader through it; one that is linked with memory.c, files.c and their
 * --wrap options asks for memory, and uses files, through them. What is to fail, and what was seen, stands in one struct that
 * check_faults shares with the processes of the program by a file. Without that file nothing fails.
 */
#ifndef TS_TESTS_FAULTS_H
#define TS_TESTS_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>

#define FAULTS_VARIABLE "TENSORSTORAGE_TEST_FAULTS" /* the file, of sizeof(faults) bytes */

typedef enum faults_kind {
  FAULTS_NONE,
  FAULTS_OPENCL, /* a call returns `code`, and does nothing; one that releases does that and returns it */
  FAULTS_EVENT,  /* a command is said to have ended with `code` */
  FAULTS_MEMORY, /* an allocation returns NULL */
  FAULTS_MCPP,   /* one of libmcpp's does */
  FAULTS_FILE,   /* a call on a file fails with `code`; of a write half was written */
  FAULTS_SHORT,  /* a read or write does half of what it is asked */
  FAULTS_END,    /* the process is killed where FAULTS_FILE fails */
} faults_kind;

/* Objects of OpenCL, those that a program holds. */
typedef enum faults_object {
  FAULTS_CONTEXT,
  FAULTS_QUEUE,
  FAULTS_BUFFER,
  FAULTS_PROGRAM,
  FAULTS_KERNEL,
  FAULTS_EVENT_OBJECT,
  FAULTS_OBJECTS
} faults_object;

enum { FAULTS_NAME_BYTES = 64 };

typedef struct faults {
  faults_kind kind;
  int code;       /* of OpenCL, negative; of files, errno */
  long at;        /* which call of that kind, from 1; 0: none, they are only counted */
  bool is_sticky; /* all calls after it fail, too */

  atomic_long calls;                /* of that kind, in all processes */
  atomic_long injected;             /* that failed */
  atomic_long held[FAULTS_OBJECTS]; /* made and retained, less those released */
  char name[FAULTS_NAME_BYTES];     /* of the first that failed */
  unsigned question;                /* what it was asked; 0: it is no question */
} faults;

/* The struct of this program; never NULL. */
faults *faults_here(void);

/* Have check_faults's own struct, without a file, from now on: it tries the library in its own process. */
void faults_use(faults *own);

/* Count a call. Returns whether it has to fail. */
bool faults_strike(faults_kind kind, const char *name, unsigned question);

#endif
