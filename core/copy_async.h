/* SPDX-License-Identifier: Apache-2.0
 *
 * copy_async.h: copies from global to shared memory that go on while the work-items do something else. Written at file scope:
 *
 *   TS_COPY_ASYNC(name, T, layout, flags,  layout, flags)      destination first: shared memory, then ts_global_const
 *
 *   ts_copy_event e = ts_copy_begin();
 *   e = name_async(dst, src, e);         any number of copies may go by one event; at least one does
 *   ts_copy_wait(e);                     they have ended, and all work-items of the group see what they copied
 *
 * It is a TS_COPY from ts_global_const to ts_shared, of one dtype: the spaces and dtypes are not given, since there is no
 * choice of them. All that TS_COPY defines is there, too, and the law, layouts, flags and the width are its own. All work-items
 * of the group must call name_async and ts_copy_wait, with the same arguments. From the one to the other nobody may read or
 * write the destination, nor write the source. There is a barrier in ts_copy_wait and none in name_async: who copies to a tile
 * that others still read calls ts_barrier() first. A wait may also end copies that go by other events, so the copy of a next
 * tile is begun after the wait for this one.
 *
 * NAME_is_async, an integer constant, is 1 if bits move in the background: where the prelude has an instruction for it that
 * takes the copy's widths and alignments, and where that is worth it. Otherwise name_async copies as name_by_group does, and
 * TS_INVARIANT and TS_NON_TEMPORAL count only then.
 *
 *   OpenCL, unless TS_GROUP_IS_SERIAL   async_work_group_copy, one or two calls for each run that both sides have in common:
 *                                       if runs have 64 bytes or more, and no more than 64 calls are needed
 *   CUDA from sm_80 on                  cp.async of 4, 8 or 16 bytes, if name_width elements are 4 bytes or more; what is left
 *                                       of runs goes element by element, by the work-items
 *
 * Names no backend: a prelude must have come before.
 */
#ifndef TS_CORE_COPY_ASYNC_H
#define TS_CORE_COPY_ASYNC_H

#ifndef TS_INLINE
#error "core/copy_async.h is a part of TensorStorage: include tensorstorage.h instead."
#endif

/* clang-format off */
#define TS_COPY_ASYNC(name, T, D, dst_flags, S, src_flags) \
  TS_COPY_CHECKED(TS_COPY_ASYNC_OF, name, ts_shared, T, D, T, S, (dst_flags) | (src_flags), (name, T, D, dst_flags, S, src_flags))
#define TS_COPY_ASYNC_OF(name, T, D, dst_flags, S, src_flags) \
  TS_COPY_OF(name, ts_shared, T, D, dst_flags, ts_global_const, T, S, src_flags) \
  TS_ASYNC_FACTS(name, T) \
  TS_INLINE ts_copy_event name##_async(ts_shared_##T dst, ts_global_const_##T src, ts_copy_event e) { \
    TS_ASYNC_BODY(name, T) \
    return e; \
  }

/* A prelude that has no instructions for it: an event has nothing to carry. */
#ifndef TS_ASYNC_BODY
typedef int ts_copy_event;
#define ts_copy_begin() 0
#define ts_copy_wait(e) ((void)(e), ts_barrier())
#define TS_ASYNC_FACTS(name, T) TS_ENUM { name##_is_async = 0 };
#define TS_ASYNC_BODY(name, T) name##_by_group(dst, src);
#endif
/* clang-format on */

#endif
