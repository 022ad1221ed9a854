/* SPDX-License-Identifier: Apache-2.0
 *
 * launch.h: what a kernel on the host device and the library that launches it agree on.
 *
 * A kernel file is compiled to a shared object of its own; nothing is resolved by name from the library. All that a
 * running work-item can ask for is behind the one pointer that its launch function is given.
 */
#ifndef TS_HOST_LAUNCH_H
#define TS_HOST_LAUNCH_H

/* One work-item. The library fills it before the launch function is called, and it stays valid until that returns. */
struct ts_host_item {
  long long global_id[3];
  int item_in_group[3];
  int group_id[3];
  int group_size[3];
  int group_count[3];

  /* Wait for all work-items of the group. Other work-items run on this thread before it returns. */
  void (*barrier)(struct ts_host_item *self);

  /* The group's memory for one TS_SHARED declaration: the same for all work-items of a group, aligned to 128 bytes,
   * with undefined contents when the group starts. `site` tells declarations apart. */
  void *(*shared)(struct ts_host_item *self, const void *site, unsigned long long bytes);

  /* End the launch with this sentence, which is copied, as its error. Does not return. */
  void (*refuse)(struct ts_host_item *self, const char *sentence);
};

/* The launch function of kernel NAME is ts_host_launch_NAME. arguments[i] points at the value of parameter i. */
typedef void ts_host_launch_function(struct ts_host_item *item, void *const *arguments);

#endif
