/* SPDX-License-Identifier: Apache-2.0
 *
 * accesses.h: the kernels of the contract of instructions: each has one access that rules.txt speaks of, and as little else as
 * an access needs. Only to be compiled. cases.awk writes a line for each kernel, and check.awk knows what else is in them.
 *
 * The access is n bytes into its cells, so that no compiler knows more of its address than was promised.
 */
#include "tensorstorage.h"

/* Another for each work-item where that makes a difference: AMDGPU has instructions of its own where it is the same. */
#ifdef __AMDGCN__
#define CONTRACT_ITEM ((int)__builtin_amdgcn_workitem_id_x())
#else
#define CONTRACT_ITEM n
#endif

#define CONTRACT_AT(P, T, B, h, offset) ts_unsafe_cast(P, T, B, u8, ts_offset(B, u8, h, offset))
#define CONTRACT_BIND(B, cells) ts_bind(B, u8, cells)

/* The other side of the access: W elements of global memory, as aligned as can be. */
#define CONTRACT_FAR(T, cells) CONTRACT_AT(ts_global, T, ts_global, CONTRACT_BIND(ts_global, cells), CONTRACT_ITEM * 256)
#define CONTRACT_PUT(T, W, cells, value) ts_store(ts_global, T, W, CONTRACT_FAR(T, cells), 0, value, TS_ALIGN(256))
#define CONTRACT_GET(T, W, cells) ts_load(ts_global, T, W, CONTRACT_FAR(T, cells), 0, TS_ALIGN(256))

/* The access of kernels whose cells are a parameter of any space: it is loaded and put, or got and stored. */
#define CONTRACT_LOAD(name, ARG, P, T, W, B, offset, flags)                                                                    \
  TS_KERNEL(name, (ARG(u8) x, TS_GLOBAL_ARG(u8) y, int n)) {                                                                   \
    (void)n;                                                                                                                   \
    CONTRACT_PUT(T, W, y, ts_load(P, T, W, CONTRACT_AT(P, T, B, CONTRACT_BIND(B, x), offset), 0, flags));                      \
  }
#define CONTRACT_STORE(name, ARG, P, T, W, B, offset, flags)                                                                   \
  TS_KERNEL(name, (ARG(u8) x, TS_GLOBAL_ARG(u8) y, int n)) {                                                                   \
    (void)n;                                                                                                                   \
    ts_store(P, T, W, CONTRACT_AT(P, T, B, CONTRACT_BIND(B, x), offset), 0, CONTRACT_GET(T, W, y), flags);                     \
  }

#define LOAD_global(name, P, T, W, flags) CONTRACT_LOAD(name, TS_GLOBAL_ARG, P, T, W, ts_global, CONTRACT_ITEM, flags)
#define STORE_global(name, P, T, W, flags) CONTRACT_STORE(name, TS_GLOBAL_ARG, P, T, W, ts_global, CONTRACT_ITEM, flags)
#define LOAD_shared(name, P, T, W, flags) CONTRACT_LOAD(name, TS_SHARED_ARG, P, T, W, ts_shared, CONTRACT_ITEM, flags)
/* And a byte of global memory is stored: in a kernel that stores none, nvcc itself makes loads of it ld.global.nc. */
#define STORE_shared(name, P, T, W, flags)                                                                                     \
  TS_KERNEL(name, (TS_SHARED_ARG(u8) x, TS_GLOBAL_ARG(u8) y, TS_GLOBAL_ARG(u8) z, int n)) {                                    \
    (void)n;                                                                                                                   \
    ts_store(P, T, W, CONTRACT_AT(P, T, ts_shared, CONTRACT_BIND(ts_shared, x), CONTRACT_ITEM), 0, CONTRACT_GET(T, W, y),      \
             flags);                                                                                                           \
    CONTRACT_PUT(u8, 1, z, (ts_u8)n);                                                                                          \
  }
/* Constant memory is for what all work-items read at once. */
#define LOAD_constant(name, P, T, W, flags) CONTRACT_LOAD(name, TS_CONSTANT_ARG, P, T, W, ts_constant, n, flags)

/* Local memory: the index is known at run time only, or there would be none. One byte more is stored before the load, and
 * loaded after the store, so that neither is for nothing. */
#define LOAD_local(name, P, T, W, flags)                                                                                       \
  TS_KERNEL(name, (TS_GLOBAL_ARG(u8) y, int n, int m)) {                                                                       \
    TS_LOCAL(x, u8, 4096);                                                                                                     \
    (void)n;                                                                                                                   \
    ts_store(ts_local, u8, 1, x, m, (ts_u8)m, 0);                                                                              \
    CONTRACT_PUT(T, W, y, ts_load(P, T, W, CONTRACT_AT(P, T, ts_local, x, CONTRACT_ITEM), 0, flags));                          \
  }
#define STORE_local(name, P, T, W, flags)                                                                                      \
  TS_KERNEL(name, (TS_GLOBAL_ARG(u8) y, int n, int m)) {                                                                       \
    TS_LOCAL(x, u8, 4096);                                                                                                     \
    (void)n;                                                                                                                   \
    ts_store(P, T, W, CONTRACT_AT(P, T, ts_local, x, CONTRACT_ITEM), 0, CONTRACT_GET(T, W, y), flags);                         \
    CONTRACT_PUT(u8, 1, y, ts_load(ts_local, u8, 1, x, m, 0));                                                                 \
  }

/* Generic: in shared or in global memory, as is known at run time only. */
#define CONTRACT_GENERIC(name, P, T, W, access)                                                                                \
  TS_KERNEL(name, (TS_GLOBAL_ARG(u8) x, TS_SHARED_ARG(u8) s, TS_GLOBAL_ARG(u8) y, int n, int m)) {                             \
    ts_generic_u8 both = ts_unsafe_cast(ts_generic, u8, ts_global, u8, CONTRACT_BIND(ts_global, x));                           \
    (void)n;                                                                                                                   \
    if (m) both = ts_unsafe_cast(ts_generic, u8, ts_shared, u8, CONTRACT_BIND(ts_shared, s));                                  \
    ts_handle(P, T) h = CONTRACT_AT(P, T, ts_generic, both, CONTRACT_ITEM);                                                    \
    access;                                                                                                                    \
  }
#define LOAD_generic(name, P, T, W, flags) CONTRACT_GENERIC(name, P, T, W, CONTRACT_PUT(T, W, y, ts_load(P, T, W, h, 0, flags)))
#define STORE_generic(name, P, T, W, flags)                                                                                    \
  CONTRACT_GENERIC(name, P, T, W, ts_store(P, T, W, h, 0, CONTRACT_GET(T, W, y), flags))

/* Order: what is stored at x may be what is then loaded at z. In CUDA, where some of it is assembly, in a loop, out of which a
 * compiler takes what it need not leave in its place. */
#if TS_LANGUAGE_CUDA
#define CONTRACT_AGAIN for (int k = 0; k < n; ++k)
#else
#define CONTRACT_AGAIN
#endif
#define ORDER_global(name, P, T, W, store_flags, load_flags)                                                                   \
  TS_KERNEL(name, (TS_GLOBAL_ARG(u8) x, TS_GLOBAL_ARG(u8) z, TS_GLOBAL_ARG(u8) y, int n)) {                                    \
    ts_vector(T, W) value = CONTRACT_GET(T, W, y);                                                                             \
    (void)n;                                                                                                                   \
    CONTRACT_AGAIN {                                                                                                           \
      ts_store(P, T, W, CONTRACT_FAR(T, x), 0, value, store_flags);                                                            \
      value = ts_load(P, T, W, CONTRACT_FAR(T, z), 0, load_flags);                                                             \
    }                                                                                                                          \
    CONTRACT_PUT(T, W, y, value);                                                                                              \
  }
