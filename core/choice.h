/* SPDX-License-Identifier: Apache-2.0
 *
 * choice.h: which dtypes, and what else, a file asked for.
 *
 * Every dtype costs each build of a kernel. A file that defines TS_USE_<dtype> for some of them, before the include or
 * by a build option, gets these and no other; a file that defines none gets all.
 *
 * TS_USE_DYNAMIC_LAYOUTS is asked for in the same way, and is not there unless it is: layouts that are known at run time
 * (layout_dynamic.h) and copies between them (copy_dynamic.h).
 */
#ifndef TS_CORE_CHOICE_H
#define TS_CORE_CHOICE_H

/* TS_USES, for #if: whether the dtype T is there: its macro is 1 or empty (then the sum is 0 - -1), not 0 or undefined.
 * TS_IF_USED: `used` or `unused`, by whether T is a dtype that is there. */
#if defined(TS_USE_b8) || defined(TS_USE_i8) || defined(TS_USE_u8) || defined(TS_USE_i16) || defined(TS_USE_u16) ||            \
    defined(TS_USE_i32) || defined(TS_USE_u32) || defined(TS_USE_i64) || defined(TS_USE_u64) || defined(TS_USE_f16) ||         \
    defined(TS_USE_bf16) || defined(TS_USE_f32) || defined(TS_USE_f64) || defined(TS_USE_f8e4m3fn) || defined(TS_USE_f8e5m2)
#define TS_USES(T) (0 - TS_USE_##T - 1 != -1)
#define TS_IF_USED(T, used, unused) TS_IF_USED_BY(TS_USE_##T, used, unused)
#define TS_IF_USED_BY(value, used, unused) TS_IF_USED_PASTED(value, used, unused)
#define TS_IF_USED_PASTED(value, used, unused) TS_IF_COMMA(TS_USED_##value, used, unused)
#define TS_USED_1 ,
#define TS_USED_ ,
#else
#define TS_USES(T) 1
#define TS_IF_USED(T, used, unused) TS_IF_DTYPE(TS_DTYPE_ROW_##T, used, unused)
#endif

/* The same of a vector, which also has a width: one of the numbers that tables.h lists. */
#define TS_IF_USED_AT(T, W, used, unused) TS_IF_USED(T, TS_IF_WIDTH(W, used, unused), unused)
#define TS_IF_WIDTH(W, yes, no) TS_IF_COMMA(TS_WIDTH_##W, yes, no)
#define TS_WIDTH_1 ,
#define TS_WIDTH_2 ,
#define TS_WIDTH_4 ,
#define TS_WIDTH_8 ,
#define TS_WIDTH_16 ,

/* `yes` if the probe is a macro for a comma, `no` if there is no such macro: then the probe is one argument, not two. */
#define TS_IF_COMMA(probe, yes, no) TS_NINTH(probe, , , , , , , yes, no, )

/* `yes` if the row is one of tables.h; a name that is no macro is one argument, and not the five or three of a row. */
#define TS_IF_DTYPE(row, yes, no) TS_NINTH(row, , , , yes, , , , no, )
#define TS_IF_POLICY(row, yes, no) TS_NINTH(row, , , , , , yes, , no, )
#define TS_IF_POLICY_AT(row, width, yes, no, no_width) TS_NINTH(row, width, , , , yes, no_width, no, no_width, )

/* What a dtype or a width that is not there becomes: an error, in an expression, a declaration, the type of a parameter.
 * Nothing else is made of it, so that it is the first error that is read, and of few. */
#define TS_UNUSED_DTYPE(T) TS_CHECKED(0, 0, TS_UNUSED_SENTENCE(T))
#define TS_UNUSED_VECTOR(T, W) TS_CHECKED(0, 0, TS_IF_WIDTH(W, TS_NO_SCALAR, TS_NO_WIDTH)(T, W))
#define TS_NO_SCALAR(T, W) TS_UNUSED_SENTENCE(T)
#define TS_NO_WIDTH(T, W) #W " is no width of a vector; use 1, 2, 4, 8 or 16"
#define TS_UNUSED_MEMORY(name, T, count) TS_STATIC_ASSERT(0, #name ": " TS_UNUSED_SENTENCE(T))
#define TS_UNUSED_TABLE(name, T, count, values) TS_UNUSED_MEMORY(name, T, count)
#define TS_UNUSED_SENTENCE(T) TS_IF_DTYPE(TS_DTYPE_ROW_##T, TS_NOT_CHOSEN, TS_NO_DTYPE)(T)
#define TS_NOT_CHOSEN(T)                                                                                                       \
#T " is not among the dtypes that this file asked for: define TS_USE_" #T " to 1 before it includes the header"
#define TS_NO_DTYPE(T) #T " is no dtype; use one such as f32, bf16 or i64"
#define TS_TYPE_OF_ARG(T) TS_IF_USED(T, TS_PASTE_SCALAR, TS_IF_DTYPE(TS_DTYPE_ROW_##T, TS_ARG_NOT_CHOSEN, TS_ARG_NO_DTYPE))(T)
#define TS_ARG_NOT_CHOSEN(T) TS_NO_TYPE(T##_is_not_chosen_define_TS_USE_##T##_to_1)
#define TS_ARG_NO_DTYPE(T) TS_NO_TYPE(T##_is_no_dtype)

#endif
