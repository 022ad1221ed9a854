# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# compile_test.sh TARGET: `build` and `show` for one target: the instructions of examples/scale.c by their lines, the report, the
# file that is written, and the user's line where it does not build. Compiled only: nothing runs.
#
# TARGET may be "sass": sm_90, with nvdisasm.
. "$TS_SOURCE_DIR/tests/lib.sh"
target=$1
tool=$TS_BUILD_DIR/tensorstorage
show_options=
kernel_lines=4
cd "$TS_SOURCE_DIR"

has_nvrtc() { "$tool" build examples/scale.c --target compute_75; }
has_nvdisasm() { command -v nvdisasm || [ -x /usr/local/cuda/bin/nvdisasm ]; }
has_clang_for() { "$tool" build examples/scale.c --target "$1"; }

# What `show` says of scale: line, instruction, access, space, bytes. The first four lines are of the accesses.
case $target in
  sm_90 | compute_75)
    need cuda "NVRTC is not installed" has_nvrtc
    cat >"$scratch/expected" <<'END'
scale.c:17 ld.global.nc.v4.u16 load global 8 bytes
scale.c:18 st.shared.v4.f32 store shared 16 bytes
scale.c:20 ld.shared.v4.f32 load shared 16 bytes
scale.c:21 st.global.cs.v4.f32 store global 16 bytes
END
    kind=cubin
    [ "$target" = sm_90 ] || kind=PTX
    ;;
  sass)
    need cuda "NVRTC is not installed" has_nvrtc
    need nvdisasm "nvdisasm is not installed" has_nvdisasm
    target=sm_90
    show_options=--sass
    cat >"$scratch/expected" <<'END'
scale.c:17 LDG.E.64.CONSTANT load global 8 bytes
scale.c:18 STS.128 store shared 16 bytes
scale.c:20 LDS.128 load shared 16 bytes
scale.c:21 STG.E.EF.128 store global 16 bytes
END
    kind=cubin
    ;;
  gfx90a)
    need clang "there is no clang that compiles for gfx90a" has_clang_for gfx90a
    cat >"$scratch/expected" <<'END'
scale.c:17 global_load_dwordx2 load global 8 bytes
scale.c:18 ds_write_b128 store shared 16 bytes
scale.c:20 ds_read_b128 load shared 16 bytes
scale.c:21 global_store_dwordx4 glc slc store global 16 bytes
END
    kind="AMDGCN assembly"
    ;;
  spirv)
    need llvm-spirv "clang and llvm-spirv of the same number are not installed" has_clang_for spirv
    need llvm-spirv "spirv-dis is not installed" command -v spirv-dis
    cat >"$scratch/expected" <<'END'
scale.c:17 OpLoad Aligned 8 load global 8 bytes
scale.c:18 OpStore Aligned 16 store shared 16 bytes
scale.c:20 OpLoad Aligned 16 load shared 16 bytes
scale.c:21 OpStore Aligned|Nontemporal 16 store global 16 bytes
END
    kind=SPIR-V
    ;;
  x86)
    need clang "there is no clang" has_clang_for x86
    # The rest is the stack's, over the barrier and the conversion; v * a reads its operand where it is.
    cat >"$scratch/expected" <<'END'
scale.c:17 vmovsd load memory 8 bytes
scale.c:18 vmovaps store memory 16 bytes
scale.c:21 vmulps load memory 16 bytes
scale.c:21 vmovntps store memory 16 bytes
END
    kind="x86 assembly"
    ;;
  cl)
    use_pocl
    kind="PoCL binary"
    ;;
  host)
    need cc "there is no C compiler" command -v "$CC"
    kind="x86 assembly"
    ;;
  *)
    echo "compile_test.sh does not know $target"
    exit 1
    ;;
esac

shows_what_was_asked_for() {
  sed '1d; /stack/d; s/ bytes .*/ bytes/; s/  */ /g; s/^ //' "$scratch/out" | diff "$scratch/expected" -
}

# ---- show ------------------------------------------------------------------------------------------------------------------

if [ -e "$scratch/expected" ]; then
  # shellcheck disable=SC2086 # no option or one
  expect "show exits with 0" exits 0 "$tool" show examples/scale.c --target "$target" $show_options
  expect "each access is the instruction that it asks for, at its line" shows_what_was_asked_for
  expect "the line's text stands beside it" says "bytes  ts_store(ts_shared, f32, 4, tile, in_tile, ts_convert(f32, f16, 4, h), TS_ALIGN(16));"
  expect "the kernel is named" grep -q "^scale ($target" "$scratch/out"
  expect "the same as JSON" exits 0 "$tool" show examples/scale.c --target "$target" --json
  expect "JSON has the line" says '"line":17}'
  expect "JSON has the hint" says '"non_temporal":true'
  expect "a kernel that is not there exits with 2" exits 2 "$tool" show examples/scale.c --target "$target" --kernel scal
  expect "and is told with the nearest" complains 'examples/scale.c has no kernel "scal"; the nearest is "scale"'
else
  case $target in
    cl)
      expect "instructions of a driver's binary exit with 3" exits 3 "$tool" show examples/scale.c --target cl
      expect "and the targets that can be shown are told" complains "can't be read; choose another target: sm_NN, compute_NN, gfxNN, spirv, x86, host"
      ;;
    host)
      expect "show exits with 0" exits 0 "$tool" show examples/scale.c --target host
      expect "the kernel is named" says "scale (host, x86): "
      ;;
  esac
fi

# ---- build -----------------------------------------------------------------------------------------------------------------

expect "build exits with 0" exits 0 "$tool" build examples/scale.c --target "$target"
expect "the kind is told" says "examples/scale.c for $target: $kind, "
expect "the kernel is told" says "  scale(global const f16 x_cells, global f32 y_cells, f32 a)"
case $target in
  sm_* | gfx*) expect "its shared memory is told" says " registers, 4608 bytes shared, 0 bytes local, 0 bytes spilled" ;;
esac
expect "nothing is left in the folder" [ -z "$(git status --porcelain --untracked-files=all -- examples 2>/dev/null | grep '^??' || true)" ]

expect "build -o exits with 0" exits 0 "$tool" build examples/scale.c --target "$target" -o "$scratch/made"
if [ "$target" = spirv ]; then
  # llvm-spirv 14 refuses these as clang optimises them; others need not.
  for kernel in stencil matmul; do
    "$tool" build "examples/$kernel.c" --target spirv >"$scratch/out" 2>"$scratch/err" ||
      expect "a module of $kernel that is refused is told with a way around it" complains "\`--option -O0\` is a way around it"
    expect "there $kernel builds" exits 0 "$tool" build "examples/$kernel.c" --target spirv --option -O0
  done
  expect "build -o exits with 0" exits 0 "$tool" build examples/scale.c --target "$target" -o "$scratch/made"
fi
bytes=$(wc -c <"$scratch/made")
expect "the file has the bytes that are told" says "for $target: $kind, $bytes bytes, by "
expect "the file is told" says "written to $scratch/made"
case $kind in
  cubin) expect "it is an ELF file" sh -c 'head -c 4 "$1" | od -c | grep -q "177   E   L   F"' sh "$scratch/made" ;;
  PTX) expect "it is PTX" grep -q '\.entry scale(' "$scratch/made" ;;
  SPIR-V) expect "it is a SPIR-V module" sh -c 'head -c 4 "$1" | od -t x4 | grep -q 07230203' sh "$scratch/made" ;;
  "PoCL binary") expect "it is PoCL's" grep -q poclbin "$scratch/made" ;;
  *) expect "it is assembly of the kernel" grep -q '^scale:' "$scratch/made" ;;
esac

expect "build --json exits with 0" exits 0 "$tool" build examples/scale.c --target "$target" --json
expect "JSON has the parameters" says '{"name":"x_cells","dtype":"f16","space":"global","is_const":true}'

sed 's/v \* a/w * a/' examples/scale.c >"$scratch/broken.c"
echo before >"$scratch/made"
expect "a mistake exits with 5" exits 5 "$tool" build "$scratch/broken.c" --target "$target" -o "$scratch/made"
expect "it is told for what it did not build" complains "broken.c did not build for "
expect "the user's line is shown" complains "ts_store(ts_global, f32, 4, y, i, w * a, TS_ALIGN(16) | TS_NON_TEMPORAL);"
expect "a caret stands under it" grep -q '^[ |]*^' "$scratch/err"
expect "the file from before is as it was" grep -qx before "$scratch/made"
expect "no temporary is left" [ "$(find "$scratch" -name 'made*' | wc -l)" = 1 ]

# Macros, folders and options arrive.
mkdir "$scratch/include"
echo '#define BASE 4' >"$scratch/include/base.h"
cat >"$scratch/options.c" <<'END'
#include "tensorstorage.h"
#include "base.h"
TS_STATIC_ASSERT(BASE + COUNT + EXTRA == 7, "all three arrive");
TS_KERNEL(k, (TS_GLOBAL_ARG(f32) y)) { ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y), 0, 1.0f, 0); }
END
expect "macros, folders and options arrive" exits 0 "$tool" build "$scratch/options.c" --target "$target" -D COUNT=2 \
  -I "$scratch/include" --option -DEXTRA=1 --fast-math
expect "a macro that is missing is told" exits 5 "$tool" build "$scratch/options.c" --target "$target" -I "$scratch/include"

# A kernel keeps layouts in memory of its own, the function that it calls has none: what is told is the kernel's.
if [ "$target" = sm_90 ]; then
  cat >"$scratch/calls.c" <<'END'
#define TS_USE_DYNAMIC_LAYOUTS 1
#include "tensorstorage.h"
TS_COPY_DYNAMIC(copy_any, ts_global, f32, 0, ts_global_const, f32, 0)
TS_KERNEL(calls, (TS_GLOBAL_ARG(f32) y_cells, TS_GLOBAL_CONST_ARG(f32) x_cells, int n)) {
  ts_layout x = ts_layout_make_2(n, n, 1, n), y = ts_layout_make_2(n, n, n, 1);
  copy_any(ts_bind(ts_global, f32, y_cells), y, ts_bind(ts_global_const, f32, x_cells), x);
}
END
  "$tool" build "$scratch/calls.c" --target sm_90 >"$scratch/calls" 2>&1 || :
  expect "a kernel that calls has its memory told" grep -q '[1-9][0-9]* bytes local' "$scratch/calls"

  # The function is no kernel, and stands behind it. A line of the source stands beside the first of its instructions alone.
  heads() { sed -n 's/^\([^ ].*\) (sm_90.*/\1/p' "$scratch/out" | diff "$scratch/heads" -; }
  # Of a row, what follows place, instruction, access, space, number and "bytes" is the line.
  says_lines_once() {
    awk '/^  calls\.c/ { if ((NF > 6) != ($1 != place)) wrong = 1; rows++ } { place = $1 } END { exit wrong || !rows }' "$scratch/out"
  }
  printf 'calls\nfunction ts_plan_copy\n' >"$scratch/heads"
  expect "show exits with 0" exits 0 "$tool" show "$scratch/calls.c" --target sm_90
  expect "a function is shown as one, after the kernel" heads
  expect "a line of the source stands once in a run of its instructions" says_lines_once
  expect "a function is not asked for by --kernel" exits 2 "$tool" show "$scratch/calls.c" --target sm_90 --kernel ts_plan_copy
  echo calls >"$scratch/heads"
  expect "the kernel alone is" exits 0 "$tool" show "$scratch/calls.c" --target sm_90 --kernel calls
  expect "and shown alone" heads
  expect "JSON has functions in a list of their own" exits 0 "$tool" show "$scratch/calls.c" --target sm_90 --json
  expect "with their names" says '"functions":[{"function":"'
fi
finish
