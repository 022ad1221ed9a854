/* SPDX-License-Identifier: Apache-2.0
 *
 * check_instructions.c: each instruction set's memory instructions are read as what they are. The lines are written by hand, in
 * the spelling of the compilers that instructions.h names.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/instructions.h"

/* ---- one instruction ------------------------------------------------------------------------------------------- */

static const char ptx_head[] = ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .b32 \t%r<2>;\n";
static const char sass_head[] = "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n";
static const char amdgcn_head[] = "\t.type\tk,@function\nk:\n";
static const char x86_head[] = "\t.type\tk, @function\nk:\n\t.cfi_startproc\n";
static const char spirv_head[] =
    "%1 = OpString \"k.c\"\nOpEntryPoint Kernel %50 \"k\"\nOpName %2 \"k\"\n%3 = OpTypeFloat 32\n%4 = OpTypeVector %3 4\n"
    "%5 = OpTypePointer CrossWorkgroup %4\n%6 = OpTypePointer Workgroup %3\n"
    "%7 = OpTypeInt 16 0\n%8 = OpTypePointer UniformConstant %7\n%9 = OpTypePointer Input %4\n"
    "%10 = OpTypeInt 32 0\n%13 = OpTypePointer CrossWorkgroup %10\n%14 = OpTypePointer Function %3\n"
    "%15 = OpTypePointer CrossWorkgroup %3\n%16 = OpTypeVoid\n"
    "%2 = OpFunction %16 None %17\n%20 = OpFunctionParameter %5\n%21 = OpFunctionParameter %6\n"
    "%22 = OpFunctionParameter %8\n%23 = OpFunctionParameter %9\n%24 = OpFunctionParameter %13\n"
    "%25 = OpFunctionParameter %14\n%26 = OpFunctionParameter %15\n%30 = OpFunctionParameter %4\n";

enum { NV = TS_ACCESS_INVARIANT, NT = TS_ACCESS_NON_TEMPORAL, ARG = TS_ACCESS_PARAMETER };

/* name NULL: it is no access. */
static const struct {
  ts_isa isa;
  const char *text, *name;
  ts_access access;
  ts_space space;
  size_t bytes;
  unsigned flags;
} lines[] = {
#define PTX(text, name, access, space, bytes, flags)                                                                           \
  {TS_ISA_PTX, text, name, TS_ACCESS_##access, TS_SPACE_##space, bytes, flags},
    PTX("\tld.global.nc.v4.u16 {%rs1, %rs2, %rs3, %rs4}, [%rd1];", "ld.global.nc.v4.u16", LOAD, global, 8,
        NV) PTX("\tld.global.v4.f32 \t{%f1, %f2, %f3, %f4}, [%rd4+16];", "ld.global.v4.f32", LOAD, global, 16,
                0) PTX("\tld.global.v8.f32 \t{%f1}, [%rd4];", "ld.global.v8.f32", LOAD, global, 32,
                       0) PTX("\tst.global.cs.v4.f32 [%rd3], {%f1, %f2, %f3, %f4};", "st.global.cs.v4.f32", STORE, global, 16,
                              NT) PTX("\tld.shared.b8 \t%rs1, [%r1];", "ld.shared.b8", LOAD, shared, 1,
                                      0) PTX("\tst.shared.v2.b64 \t[%r1], {%rd1, %rd2};", "st.shared.v2.b64", STORE, shared, 16,
                                             0) PTX("\tld.const.f32 \t%f1, [%rd1];", "ld.const.f32", LOAD, constant, 4, 0)
        PTX("\t@%p1 ld.local.u64 \t%rd1, [%rd2];", "ld.local.u64", LOAD, local, 8, 0) PTX("\tld.v2.u32 \t{%r1, %r2}, [%rd2];", "ld.v2.u32", LOAD, generic, 8, 0) PTX(
            "\tatom.global.add.u32 \t%r3, [%rd1], 1;",
            "atom.global.add.u32",
            ATOMIC,
            global,
            4, 0) PTX("\tred.shared.add.u32 \t[%r1], %r2;", "red.shared.add.u32", ATOMIC, shared, 4,
                      0) PTX("\tld.param.u64 \t%rd1, [k_param_0];", "ld.param.u64", LOAD, constant, 8, ARG)
            PTX("{ st.local.u16 [%rd1], %rs1; }", "st.local.u16", STORE, local, 2, 0) PTX("\tmov.u32 \t%r1, %tid.x;", NULL, LOAD, generic, 0, 0) PTX(
                "\tredux.sync.add.s32 %r1, %r2, %r3;",
                NULL, LOAD,
                generic,
                0, 0) PTX("$L__BB0_2:", NULL, LOAD, generic, 0,
                          0) PTX("\t// ld.global.f32 %f1, [%rd1];", NULL, LOAD, generic, 0, 0)
#define SASS(text, name, access, space, bytes, flags)                                                                          \
  {TS_ISA_SASS, "        /*0050*/                   " text " ;", name, TS_ACCESS_##access, TS_SPACE_##space, bytes, flags},
                SASS("LDG.E.128.CONSTANT R4, desc[UR4][R2.64]", "LDG.E.128.CONSTANT", LOAD, global, 16, NV) SASS(
                    "LDG.E.64 R4, [R2]",
                    "LDG.E.64",
                    LOAD, global,
                    8, 0) SASS("LDG.E R4, [R2]", "LDG.E", LOAD, global,
                               4, 0) SASS("LDG.E.U16.CONSTANT R4, [R2.64]", "LDG.E.U16.CONSTANT", LOAD, global, 2, NV)
                    SASS("@!P0 STG.E.EF.128 desc[UR4][R2.64], R4", "STG.E.EF.128", STORE, global, 16,
                         NT) SASS("LDS.U8 R0, [R1]", "LDS.U8", LOAD, shared, 1,
                                  0) SASS("STS.128 [R1], R4", "STS.128", STORE, shared, 16,
                                          0) SASS("LDC R1, c[0x0][0x37c]", "LDC", LOAD, constant, 4, ARG)
                        SASS("LDC.64 R2, c[0x3][R4]", "LDC.64", LOAD, constant, 8, 0) SASS(
                            "STL [R1], R4",
                            "STL", STORE, local,
                            4, 0) SASS("LD.E.128 R4, [R2.64]", "LD.E.128", LOAD, generic, 16,
                                       0) SASS("REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", "REDG.E.ADD.STRONG.GPU", ATOMIC,
                                               global,
                                               4, 0) SASS("ATOMS.ADD RZ, [R1], R4", "ATOMS.ADD", ATOMIC, shared, 4, 0)
                            SASS("REDUX.SUM UR4, R1", NULL, LOAD, generic, 0,
                                 0) SASS("IMAD.WIDE R2, R0, 0x4, R4", NULL, LOAD, generic, 0, 0)
#define GCN(text, name, access, space, bytes, flags)                                                                           \
  {TS_ISA_AMDGCN, "\t" text, name, TS_ACCESS_##access, TS_SPACE_##space, bytes, flags},
                                GCN("global_load_dwordx4 v[0:3], v4, s[0:1]", "global_load_dwordx4", LOAD, global, 16,
                                    0) GCN("global_load_dwordx4 v[0:3], v4, s[0:1] offset:16 glc slc",
                                           "global_load_dwordx4 glc slc",
                                           LOAD, global, 16, NT) GCN("global_store_dwordx2 v[0:1], v[2:3], off nt",
                                                                     "global_store_dwordx2 nt", STORE, global, 8, NT)
                                    GCN("global_load_ushort v0, v[1:2], off", "global_load_ushort", LOAD, global, 2, 0) GCN(
                                        "global_load_short_d16_hi v0, v[1:2], off",
                                        "global_load_short_d16_hi",
                                        LOAD, global,
                                        2, 0) GCN("global_load_b128 v[0:3], v4, s[0:1] slc dlc", "global_load_b128 slc dlc",
                                                  LOAD,
                                                  global,
                                                  16,
                                                  NT) GCN("global_load_u16 v0, v4, s[0:1]", "global_load_u16", LOAD, global, 2,
                                                          0) GCN("global_store_byte v0, v1, s[0:1]", "global_store_byte", STORE, global, 1, 0)
                                        GCN("global_atomic_add v0, v1, v2, s[0:1] glc", "global_atomic_add glc", ATOMIC, global, 4, 0) GCN(
                                            "ds_read_b128 v[0:3], v4",
                                            "ds_read_b128",
                                            LOAD, shared,
                                            16,
                                            0) GCN("ds_read2_b64 v[0:3], v4 offset1:1", "ds_read2_b64", LOAD, shared, 16,
                                                   0) GCN("ds_load_2addr_b32 v[0:1], v4 offset1:1", "ds_load_2addr_b32", LOAD, shared,
                                                          8, 0) GCN("ds_write_b16 v0, v1", "ds_write_b16", STORE, shared, 2, 0)
                                            GCN("ds_add_u32 v0, v1", "ds_add_u32", ATOMIC, shared, 4, 0) GCN(
                                                "ds_add_rtn_u32 v2, v0, v1",
                                                "ds_add_rtn_u32",
                                                ATOMIC,
                                                shared,
                                                4,
                                                0) GCN("s_load_dwordx4 s[0:3], s[8:9], 0x0", "s_load_dwordx4", LOAD, constant,
                                                       16,
                                                       0)
                                                GCN("s_load_b64 s[0:1], s[8:9], 0x0", "s_load_b64", LOAD, constant, 8, 0) GCN(
                                                    "scratch_store_dword off, v0, s32",
                                                    "scratch_store_dword",
                                                    STORE,
                                                    local,
                                                    4,
                                                    0) GCN("buffer_load_dword v0, off, s[0:3], s32 offset:4",
                                                           "buffer_load_dword",
                                                           LOAD, local,
                                                           4, 0)
                                                    GCN("flat_load_dword v0, v[0:1]", "flat_load_dword", LOAD, generic, 4, 0) GCN(
                                                        "s_waitcnt vmcnt(0)",
                                                        NULL, LOAD,
                                                        generic,
                                                        0, 0) GCN("v_readfirstlane_b32 s0, v0", NULL, LOAD, generic, 0,
                                                                  0) GCN("; %bb.0: global_load_dword", NULL, LOAD, generic, 0, 0)
#define X86(text, name, access, space, bytes, flags)                                                                           \
  {TS_ISA_X86, "\t" text, name, TS_ACCESS_##access, TS_SPACE_##space, bytes, flags},
                                                        X86("vmovaps\t(%rdi,%rax,4), %ymm0", "vmovaps", LOAD, generic, 32, 0) X86(
                                                            "vmovups\t%xmm0, 16(%rsi)",
                                                            "vmovups",
                                                            STORE,
                                                            generic, 16,
                                                            0) X86("vmovntps\t%xmm0, (%rsi)", "vmovntps", STORE, generic, 16,
                                                                   NT) X86("vmovntdqa\t(%rdi), %zmm0", "vmovntdqa",
                                                                           LOAD, generic, 64,
                                                                           NT)
                                                            X86("movntil\t%eax, (%rsi)", "movntil", STORE, generic, 4, NT) X86(
                                                                "vmovss\t(%rdi,%rax,4), %xmm0 # xmm0 = mem[0],zero,zero,zero",
                                                                "vmovss", LOAD,
                                                                generic,
                                                                4, 0) X86("vmovsd\t%xmm0, 8(%rsi)", "vmovsd", STORE, generic, 8,
                                                                          0) X86("vmulss\t(%rdi), %xmm1, %xmm0", "vmulss", LOAD, generic, 4,
                                                                                 0)
                                                                X86("vmulps\t(%rdi), %ymm1, %ymm0", "vmulps", LOAD, generic, 32, 0) X86(
                                                                    "vaddps\t(%rdi){1to16}, %zmm1, %zmm0", "vaddps", LOAD,
                                                                    generic, 4,
                                                                    0) X86("vpabsd\t(%rdi), %xmm0", "vpabsd", LOAD, generic, 16,
                                                                           0) X86("vcvtph2ps\t(%rdi), %xmm0", "vcvtph2ps", LOAD, generic,
                                                                                  8, 0)
                                                                    X86("vcvtps2ph\t$0, %ymm0, (%rdi)", "vcvtps2ph", STORE, generic, 16, 0) X86(
                                                                        "vbroadcastss\t(%rdi), %ymm0",
                                                                        "vbroadcastss",
                                                                        LOAD, generic,
                                                                        4, 0) X86("vpmovzxbd\t(%rdi), %xmm0", "vpmovzxbd", LOAD,
                                                                                  generic,
                                                                                  4, 0)
                                                                        X86("vmovdqu\t(%rdi), %xmm0", "vmovdqu", LOAD, generic, 16, 0) X86(
                                                                            "vmovd\t%xmm0, (%rdi)",
                                                                            "vmovd", STORE,
                                                                            generic, 4,
                                                                            0) X86("movzwl\t(%rdi,%rcx,2), %eax", "movzwl",
                                                                                   LOAD, generic,
                                                                                   2, 0) X86("movb\t%al, (%rdi)", "movb", STORE, generic, 1, 0)
                                                                            X86("movq\t$0, (%rdi)", "movq", STORE, generic, 8, 0) X86(
                                                                                "addl\t%eax, (%rdi)", "addl",
                                                                                UPDATE,
                                                                                generic, 4,
                                                                                0) X86("addq\t(%rdi), %rax", "addq",
                                                                                       LOAD, generic, 8, 0)
                                                                                X86("cmpl\t$3, (%rdi)", "cmpl", LOAD, generic, 4, 0) X86(
                                                                                    "cmove\t(%rdi), %rax",
                                                                                    "cmove", LOAD,
                                                                                    generic, 8,
                                                                                    0) X86("lock\t\taddl\t%eax, "
                                                                                           "(%rdi)",
                                                                                           "addl",
                                                                                           ATOMIC,
                                                                                           generic,
                                                                                           4, 0)
                                                                                    X86("xchgl\t%eax, (%rdi)", "xchgl", ATOMIC, generic, 4, 0) X86(
                                                                                        "movaps\t%xmm0, -24(%rsp)",
                                                                                        "movaps", STORE, local,
                                                                                        16,
                                                                                        0) X86("vmulps\t.LCPI0_0(%rip), %xmm0, "
                                                                                               "%xmm0",
                                                                                               "vmulps", LOAD,
                                                                                               constant, 16, 0)
                                                                                        X86("leaq\t(%rdi,%rax,4), %rax", NULL,
                                                                                            LOAD, generic,
                                                                                            0,
                                                                                            0) X86("prefetcht0\t(%rdi)", NULL,
                                                                                                   LOAD, generic, 0, 0)
                                                                                            X86("vaddps\t%xmm0, %xmm1, %xmm2",
                                                                                                NULL, LOAD,
                                                                                                generic, 0,
                                                                                                0) X86("jmp\t.L3", NULL,
                                                                                                       LOAD, generic, 0, 0)
#define SPIRV(text, name, access, space, bytes, flags)                                                                         \
  {TS_ISA_SPIRV, text, name, TS_ACCESS_##access, TS_SPACE_##space, bytes, flags},
                                                                                                SPIRV(
                                                                                                    "%31 = OpLoad %4 %20 "
                                                                                                    "Aligned 16",
                                                                                                    "OpLoad Aligned 16", LOAD,
                                                                                                    global, 16,
                                                                                                    0) SPIRV("%31 = OpLoad %4 "
                                                                                                             "%20 "
                                                                                                             "Aligned|"
                                                                                                             "Nontemporal 16",
                                                                                                             "OpLoad "
                                                                                                             "Aligned|"
                                                                                                             "Nontemporal 16",
                                                                                                             LOAD,
                                                                                                             global, 16,
                                                                                                             NT)
                                                                                                    SPIRV(
                                                                                                        "OpStore %21 %30 "
                                                                                                        "Aligned 4",
                                                                                                        "OpStore Aligned 4",
                                                                                                        STORE, shared, 4,
                                                                                                        0) SPIRV("%31 = OpLoad "
                                                                                                                 "%7 %22",
                                                                                                                 "OpLoad", LOAD,
                                                                                                                 constant, 2,
                                                                                                                 0)
                                                                                                        SPIRV(
                                                                                                            "%31 = OpLoad %4 "
                                                                                                            "%23 Aligned 32",
                                                                                                            "OpLoad Aligned "
                                                                                                            "32",
                                                                                                            LOAD, constant,
                                                                                                            16,
                                                                                                            ARG) SPIRV("OpSto"
                                                                                                                       "re "
                                                                                                                       "%25 "
                                                                                                                       "%31",
                                                                                                                       "OpSto"
                                                                                                                       "re",
                                                                                                                       STORE,
                                                                                                                       local,
                                                                                                                       4, 0)
                                                                                                            SPIRV(
                                                                                                                "%31 = "
                                                                                                                "OpAtomicIAdd "
                                                                                                                "%10 %24 %32 "
                                                                                                                "%33 %34",
                                                                                                                "OpAtomicIAdd",
                                                                                                                ATOMIC, global,
                                                                                                                4,
                                                                                                                0) SPIRV("%31 "
                                                                                                                         "= "
                                                                                                                         "OpExt"
                                                                                                                         "Inst "
                                                                                                                         "%4 "
                                                                                                                         "%40 "
                                                                                                                         "vload"
                                                                                                                         "n "
                                                                                                                         "%41 "
                                                                                                                         "%26 "
                                                                                                                         "4",
                                                                                                                         "vload"
                                                                                                                         "n",
                                                                                                                         LOAD,
                                                                                                                         global,
                                                                                                                         16, 0)
                                                                                                                SPIRV("%31 = "
                                                                                                                      "OpExtI"
                                                                                                                      "nst "
                                                                                                                      "%16 "
                                                                                                                      "%40 "
                                                                                                                      "vstore"
                                                                                                                      "n %30 "
                                                                                                                      "%41 "
                                                                                                                      "%26",
                                                                                                                      "vstore"
                                                                                                                      "n",
                                                                                                                      STORE,
                                                                                                                      global,
                                                                                                                      16, 0)
                                                                                                                    SPIRV(
                                                                                                                        "%3"
                                                                                                                        "1 "
                                                                                                                        "= "
                                                                                                                        "Op"
                                                                                                                        "FA"
                                                                                                                        "dd"
                                                                                                                        " %"
                                                                                                                        "4 "
                                                                                                                        "%3"
                                                                                                                        "0 "
                                                                                                                        "%3"
                                                                                                                        "0",
                                                                                                                        NULL,
                                                                                                                        LOAD,
                                                                                                                        generic,
                                                                                                                        0, 0)};
enum { LINES = sizeof lines / sizeof lines[0] };

static ts_code code;
static ts_error error;

static void read_code(ts_isa isa, const char *head, const char *text, const char *source) {
  char whole[4096];
  snprintf(whole, sizeof whole, "%s%s\n", head, text);
  code = (ts_code){0};
  error = (ts_error){.status = TS_OK};
  ck_assert_int_eq(ts_code_read(&code, isa, whole, source, &error), TS_OK);
}

START_TEST(code_read__reads_each_instruction_as_what_it_is) {
  static const char *const heads[] = {[TS_ISA_PTX] = ptx_head,
                                      [TS_ISA_SASS] = sass_head,
                                      [TS_ISA_AMDGCN] = amdgcn_head,
                                      [TS_ISA_X86] = x86_head,
                                      [TS_ISA_SPIRV] = spirv_head};
  read_code(lines[_i].isa, heads[lines[_i].isa], lines[_i].text, NULL);
  const char *text = lines[_i].text;
  size_t accesses = code.count ? code.routines[0].access_count : 0;
  ck_assert_msg(accesses == (lines[_i].name ? 1 : 0), "%s: %zu accesses", text, accesses);
  if (lines[_i].name) {
    const ts_instruction *access = &code.routines[0].accesses[0];
    ck_assert_str_eq(code.routines[0].name, "k");
    ck_assert_str_eq(access->name, lines[_i].name);
    ck_assert_msg(access->access == lines[_i].access, "%s: a %s", text, ts_access_name(access->access));
    ck_assert_msg(access->space == lines[_i].space, "%s: space %s", text, ts_space_name(access->space));
    ck_assert_msg(access->bytes == lines[_i].bytes, "%s: %zu bytes", text, access->bytes);
    ck_assert_msg(access->flags == lines[_i].flags, "%s: flags %u", text, access->flags);
  }
  ts_code_free(&code);
}
END_TEST

/* ---- texts ----------------------------------------------------------------------------------------------------- */

/* The accesses as "routine line name", each on a line. */
static void check_places(const char *expected) {
  char found[2048] = "";
  for (size_t i = 0; i < code.count; i++)
    for (size_t k = 0; k < code.routines[i].access_count; k++) {
      const ts_instruction *a = &code.routines[i].accesses[k];
      size_t length = strlen(found);
      snprintf(found + length, sizeof found - length, "%s %s:%zu %s\n", code.routines[i].name, a->file ? a->file : "-", a->line,
               a->name);
    }
  ck_assert_str_eq(found, expected);
  ts_code_free(&code);
}

static const char ptx_text[] = ".visible .entry first(\n\t.param .u64 first_param_0\n)\n{\n"
                               "\t.loc\t1 10 3\n\tld.global.f32 %f1, [%rd1];\n"
                               "\t.loc\t1 11 5, function_name $L__info_string0, inlined_at 1 10 3\n"
                               "\t.loc\t2 300 7, function_name $L__info_string1, inlined_at 1 11 5\n"
                               "\tst.global.f32 [%rd1], %f1;\n"
                               "\t.loc\t2 400 7, function_name $L__info_string1, inlined_at 2 300 7\n"
                               "\tst.global.u32 [%rd1], %r1;\n"
                               "\t.loc\t2 7 1\n\tst.global.u8 [%rd1], %rs1;\n"
                               "\tcall.uni (retval0),\n\tvprintf,\n\t(\n\tparam0\n\t);\n\tret;\n}\n"
                               ".func  (.param .b32 func_retval0) second(\n\t.param .b64 second_param_0\n)\n{\n"
                               "\tld.shared.f32 %f1, [%r1];\n\tret;\n}\n"
                               ".extern .func (.param .b32 func_retval0) vprintf\n(\n\t.param .b64 vprintf_param_0\n)\n;\n"
                               "\t.file\t1 \"/src/k.c\"\n\t.file\t2 \"tensorstorage.h\"\n";

START_TEST(code_read__follows_inlined_functions_to_the_source) {
  read_code(TS_ISA_PTX, "", ptx_text, "k.c");
  ck_assert_uint_eq(code.count, 2);
  ck_assert_uint_eq(code.routines[0].instruction_count, 6); /* a load, three stores, a call, a return */
  ck_assert_uint_eq(code.routines[1].instruction_count, 2);
  check_places("first /src/k.c:10 ld.global.f32\n"
               "first /src/k.c:11 st.global.f32\n"
               "first /src/k.c:11 st.global.u32\n"
               "first tensorstorage.h:7 st.global.u8\n"
               "second -:0 ld.shared.f32\n");
}
END_TEST

START_TEST(code_read__follows_them_to_the_outermost_place_of_any_file) {
  read_code(TS_ISA_PTX, "", ptx_text, NULL);
  check_places("first /src/k.c:10 ld.global.f32\n"
               "first /src/k.c:10 st.global.f32\n"
               "first /src/k.c:10 st.global.u32\n"
               "first tensorstorage.h:7 st.global.u8\n"
               "second -:0 ld.shared.f32\n");
}
END_TEST

START_TEST(code_read__ends_where_places_are_inlined_into_each_other) {
  read_code(
      TS_ISA_PTX, "",
      "\t.file\t1 \"a.h\"\n.entry k()\n{\n\t.loc\t1 1 1, function_name $L, inlined_at 1 1 1\n\tld.global.u8 %rs1, [%rd1];\n}\n",
      "k.c");
  check_places("k a.h:1 ld.global.u8\n");
}
END_TEST

START_TEST(code_read__takes_the_places_of_nvdisasm) {
  read_code(TS_ISA_SASS, "",
            "\t.section\t.text.k,\"ax\",@progbits\n"
            "\t//## File \"tensorstorage.h\", line 900 inlined at \"k.c\", line 13\n"
            "\t//## File \"k.c\", line 13\n"
            "        /*0000*/                   LDG.E R4, [R2.64] ;\n"
            "\t//## File \"k.c\", line 14\n"
            "        /*0010*/                   STG.E [R2.64], R4 ;\n"
            "        /*0020*/                   EXIT ;\n"
            "\t.section\t.nv.info,\"\"\n        /*0000*/ \t.byte\t0x04\n",
            "k.c");
  ck_assert_uint_eq(code.count, 1);
  ck_assert_uint_eq(code.routines[0].instruction_count, 3);
  check_places("k k.c:13 LDG.E\nk k.c:14 STG.E\n");
}
END_TEST

START_TEST(code_read__tells_arguments_from_constants_by_the_registers) {
  read_code(TS_ISA_AMDGCN, "",
            "\t.file\t0 \"/work\" \"k.c\" md5 0x1\n\t.type\tk,@function\nk:\n\t.loc\t0 7 3\n"
            "\ts_mov_b64 s[10:11], s[4:5]\n"
            "\ts_load_dwordx2 s[0:1], s[4:5], 0x0\n"
            "\ts_load_dwordx4 s[4:7], s[4:5], 0x8\n"
            "\ts_load_dword s8, s[4:5], 0x0\n"
            "\ts_load_dword s9, s[0:1], 0x0\n"
            "\ts_load_dword s9, s[10:11], 0x10\n"
            "\ts_endpgm\n\t.section\t.rodata\n\t.amdhsa_kernel k\n\t\t.amdhsa_user_sgpr_count 8\n",
            "k.c");
  const ts_routine *routine = ts_code_find(&code, "k");
  ck_assert_ptr_nonnull(routine);
  ck_assert_uint_eq(routine->access_count, 5);
  ck_assert_uint_eq(routine->accesses[0].flags, TS_ACCESS_PARAMETER);
  ck_assert_uint_eq(routine->accesses[1].flags, TS_ACCESS_PARAMETER);
  ck_assert_uint_eq(routine->accesses[2].flags, 0);
  ck_assert_uint_eq(routine->accesses[3].flags, 0);
  ck_assert_uint_eq(routine->accesses[4].flags, TS_ACCESS_PARAMETER);
  ck_assert_uint_eq(ts_routine_count(routine, TS_ACCESS_LOAD, TS_SPACE_constant, 4, 0), 3);
  ck_assert_uint_eq(ts_routine_count(routine, TS_ACCESS_LOAD, TS_SPACE_constant, 8, 0), 1);
  ck_assert_uint_eq(ts_routine_count(routine, TS_ACCESS_LOAD, TS_SPACE_constant, 8, TS_ACCESS_NON_TEMPORAL), 0);
  ck_assert_ptr_null(ts_code_find(&code, "s_endpgm"));
  check_places("k k.c:7 s_load_dwordx2\nk k.c:7 s_load_dwordx4\nk k.c:7 s_load_dword\nk k.c:7 s_load_dword\n"
               "k k.c:7 s_load_dword\n");
}
END_TEST

START_TEST(code_read__takes_the_lines_of_spirv) {
  read_code(TS_ISA_SPIRV, spirv_head,
            "OpLine %1 13 0\n%31 = OpLoad %4 %20 Aligned 16\nOpNoLine\nOpStore %20 %31 Aligned 16\nOpReturn\nOpFunctionEnd\n"
            "%50 = OpFunction %16 None %17\n%51 = OpFunctionCall %16 %2\nOpReturn\nOpFunctionEnd\n",
            "k.c");
  ck_assert_uint_eq(code.count, 1);
  ck_assert_uint_eq(code.routines[0].instruction_count, 3);
  check_places("k k.c:13 OpLoad Aligned 16\nk -:0 OpStore Aligned 16\n");
}
END_TEST

START_TEST(code_read__takes_ids_that_nothing_declares) {
  read_code(
      TS_ISA_SPIRV, spirv_head,
      "OpLine %90000 13 0\n%80000 = OpTypeStruct %99000 %99001\nOpStore %95000 %96000 Aligned 4\nOpReturn\nOpFunctionEnd\n",
      "k.c");
  ck_assert_uint_eq(code.count, 1);
  ck_assert_uint_eq(code.routines[0].access_count, 1);
  ck_assert_int_eq(code.routines[0].accesses[0].space, TS_SPACE_generic);
  ck_assert_uint_eq(code.routines[0].accesses[0].bytes, 0);
  check_places("k -:13 OpStore Aligned 4\n");
}
END_TEST

/* The routines as "kernel NAME" or "function NAME", each on a line. */
static void check_kernels(ts_isa isa, const char *before, const char *text, const char *expected) {
  read_code(isa, before, text, "k.c");
  char found[2048] = "";
  for (size_t i = 0; i < code.count; i++) {
    size_t end = strlen(found);
    int length;
    const char *name = ts_routine_name(code.routines[i].name, &length);
    snprintf(found + end, sizeof found - end, "%s %.*s\n", code.routines[i].is_kernel ? "kernel" : "function", length, name);
  }
  ck_assert_str_eq(found, expected);
  ts_code_free(&code);
}

START_TEST(code_read__tells_kernels_from_functions) {
  check_kernels(TS_ISA_PTX, "", ptx_text, "kernel first\nfunction second\n");
  check_kernels(TS_ISA_SASS, "",
                "\t.section\t.text.k,\"ax\",@progbits\n"
                "        .global         k\n        .type           k,@function\n"
                "        .other          k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\nk:\n.text.k:\n"
                "        /*0000*/                   LDG.E R4, [R2.64] ;\n"
                "        .type           $k$_ZN12_INTERNAL_a44helpEi,@function\n$k$_ZN12_INTERNAL_a44helpEi:\n"
                "        /*0010*/                   STL [R1], R4 ;\n.L_x_3:\n        /*0020*/                   RET.ABS.NODEC "
                "R20 0x0 ;\n",
                "kernel k\nfunction help\n");
  check_kernels(TS_ISA_AMDGCN, "",
                "\t.globl\tf\n\t.type\tf,@function\nf:\n\ts_setpc_b64 s[30:31]\n"
                "\t.globl\tk\n\t.type\tk,@function\nk:\n\ts_endpgm\n\t.section\t.rodata\n\t.amdhsa_kernel k\n",
                "function f\nkernel k\n");
  /* Of an entry point that only calls it, the function is what is kept. */
  check_kernels(TS_ISA_SPIRV, spirv_head,
                "OpStore %20 %31 Aligned 16\nOpReturn\nOpFunctionEnd\n"
                "%50 = OpFunction %16 None %17\n%51 = OpFunctionCall %16 %2\nOpReturn\nOpFunctionEnd\n"
                "%60 = OpFunction %16 None %17\nOpStore %20 %31 Aligned 16\nOpReturn\nOpFunctionEnd\n",
                "kernel k\nfunction %60\n");
}
END_TEST

START_TEST(routine_name__is_the_functions_own) {
  static const struct {
    const char *name, *expected;
  } rows[] = {{"scale", "scale"},
              {"_Z4helpPfi", "help"},
              {"_ZN28_INTERNAL_00000000_5_dyn_c_k12ts_plan_copyE9ts_layoutS0_iiii", "ts_plan_copy"},
              {"$k$_ZN1a4helpEv", "help"},
              {"$__internal_0_$__cuda_sm20_div_s64", "__cuda_sm20_div_s64"},
              {"_Z99short", "_Z99short"},
              {"_Z", "_Z"},
              {"", ""}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int length;
    const char *name = ts_routine_name(rows[i].name, &length);
    ck_assert_msg(strlen(rows[i].expected) == (size_t)length && !strncmp(name, rows[i].expected, (size_t)length),
                  "%s is %s, not %.*s", rows[i].name, rows[i].expected, length, name);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("instructions");
  TCase *cases = tcase_create("instructions");
  tcase_add_loop_test(cases, code_read__reads_each_instruction_as_what_it_is, 0, LINES);
  tcase_add_test(cases, code_read__follows_inlined_functions_to_the_source);
  tcase_add_test(cases, code_read__follows_them_to_the_outermost_place_of_any_file);
  tcase_add_test(cases, code_read__ends_where_places_are_inlined_into_each_other);
  tcase_add_test(cases, code_read__takes_the_places_of_nvdisasm);
  tcase_add_test(cases, code_read__tells_arguments_from_constants_by_the_registers);
  tcase_add_test(cases, code_read__takes_the_lines_of_spirv);
  tcase_add_test(cases, code_read__takes_ids_that_nothing_declares);
  tcase_add_test(cases, code_read__tells_kernels_from_functions);
  tcase_add_test(cases, routine_name__is_the_functions_own);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
