/* SPDX-License-Identifier: Apache-2.0
 *
 * builtins.cl: the built-in functions of OpenCL C that opencl/prelude.h and core/ use, in OpenCL C and by items.c. The backend
 * (backend.c) puts this text in front of a kernel's, and clang makes x86 code of both.
 *
 * It is no OpenCL: what the header does not use is not there, and a kernel that needs it fails to load. The compiler's own
 * declarations stand beside these definitions, so a call that they would not allow is refused.
 */

/* ---- work-items: items.c ------------------------------------------------------------------------------------------- */

struct ts_host_item;
void ts_x86_enter(struct ts_host_item *item);
size_t ts_x86_global_id(uint d);
size_t ts_x86_local_id(uint d);
size_t ts_x86_group_id(uint d);
size_t ts_x86_local_size(uint d);
size_t ts_x86_num_groups(uint d);
void ts_x86_barrier(void);
void ts_x86_copy_begin(__local void *to, const __global void *from, size_t bytes, size_t align_bytes);
void ts_x86_copy_wait(void);

#define get_global_id(d) ts_x86_global_id(d)
#define get_local_id(d) ts_x86_local_id(d)
#define get_group_id(d) ts_x86_group_id(d)
#define get_local_size(d) ts_x86_local_size(d)
#define get_num_groups(d) ts_x86_num_groups(d)
#define barrier(flags) ((void)(flags), ts_x86_barrier())

/* A copy is done when all work-items wait for it, and not before. The wait is one for all copies that were begun. */
#define async_work_group_copy(to, from, count, e)                                                                              \
  (ts_x86_copy_begin(to, from, (count) * sizeof *(to), __alignof__(*(to))), (e))
#define wait_group_events(count, events) ((void)(count), (void)(events), ts_x86_copy_wait())

/* An address that no work-item may use is AddressSanitizer's business. */
#define atomic_add(cells, x) __atomic_fetch_add(cells, x, __ATOMIC_RELAXED)

/* ---- maths, lane by lane ------------------------------------------------------------------------------------------- */

#define TS_X86_DEFINE static inline __attribute__((overloadable, unused))
#define TS_X86_VECTORS(X, name, type) X(name, type, 2) X(name, type, 4) X(name, type, 8) X(name, type, 16)

#define TS_X86_MATHS_1(name, type, function)                                                                                   \
  TS_X86_DEFINE type name(type a) { return function(a); }                                                                      \
  TS_X86_VECTORS(TS_X86_WIDE_1, name, type)
#define TS_X86_WIDE_1(name, type, n)                                                                                           \
  TS_X86_DEFINE type##n name(type##n a) {                                                                                      \
    type##n r;                                                                                                                 \
    for (int k = 0; k < n; ++k) r[k] = name(a[k]);                                                                             \
    return r;                                                                                                                  \
  }
#define TS_X86_MATHS_2(name, type, function)                                                                                   \
  TS_X86_DEFINE type name(type a, type b) { return function(a, b); }                                                           \
  TS_X86_VECTORS(TS_X86_WIDE_2, name, type)
#define TS_X86_WIDE_2(name, type, n)                                                                                           \
  TS_X86_DEFINE type##n name(type##n a, type##n b) {                                                                           \
    type##n r;                                                                                                                 \
    for (int k = 0; k < n; ++k) r[k] = name(a[k], b[k]);                                                                       \
    return r;                                                                                                                  \
  }
#define TS_X86_MATHS_3(name, type, function)                                                                                   \
  TS_X86_DEFINE type name(type a, type b, type c) { return function(a, b, c); }                                                \
  TS_X86_VECTORS(TS_X86_WIDE_3, name, type)
#define TS_X86_WIDE_3(name, type, n)                                                                                           \
  TS_X86_DEFINE type##n name(type##n a, type##n b, type##n c) {                                                                \
    type##n r;                                                                                                                 \
    for (int k = 0; k < n; ++k) r[k] = name(a[k], b[k], c[k]);                                                                 \
    return r;                                                                                                                  \
  }
/* clang-format off */
TS_X86_MATHS_1(fabs, float, __builtin_fabsf) TS_X86_MATHS_1(fabs, double, __builtin_fabs)
TS_X86_MATHS_1(sqrt, float, __builtin_sqrtf) TS_X86_MATHS_1(sqrt, double, __builtin_sqrt)
TS_X86_MATHS_1(exp, float, __builtin_expf) TS_X86_MATHS_1(exp, double, __builtin_exp)
TS_X86_MATHS_2(fmin, float, __builtin_fminf) TS_X86_MATHS_2(fmin, double, __builtin_fmin)
TS_X86_MATHS_2(fmax, float, __builtin_fmaxf) TS_X86_MATHS_2(fmax, double, __builtin_fmax)
TS_X86_MATHS_3(fma, float, __builtin_fmaf) TS_X86_MATHS_3(fma, double, __builtin_fma)

/* ---- f16 in memory, at any multiple of 2 bytes ----------------------------------------------------------------------- */

TS_X86_DEFINE float vload_half(size_t i, const __private half *p) { return __builtin_load_halff(p + i); }
TS_X86_DEFINE void vstore_half_rte(float v, size_t i, __private half *p) { __builtin_store_halff(v, p + i); }
#define TS_X86_HALVES(name, type, n)                                                                                           \
  TS_X86_DEFINE type##n vload_half##n(size_t i, const __private half *p) {                                                     \
    type##n r;                                                                                                                 \
    for (int k = 0; k < n; ++k) r[k] = vload_half(n * i + (size_t)k, p);                                                       \
    return r;                                                                                                                  \
  }                                                                                                                            \
  TS_X86_DEFINE void vstore_half##n##_rte(type##n v, size_t i, __private half *p) {                                            \
    for (int k = 0; k < n; ++k) vstore_half_rte(v[k], n * i + (size_t)k, p);                                                   \
  }
TS_X86_VECTORS(TS_X86_HALVES, , float)
/* clang-format on */
#undef TS_X86_HALVES
#undef TS_X86_MATHS_1
#undef TS_X86_WIDE_1
#undef TS_X86_MATHS_2
#undef TS_X86_WIDE_2
#undef TS_X86_MATHS_3
#undef TS_X86_WIDE_3
#undef TS_X86_VECTORS
#undef TS_X86_DEFINE
